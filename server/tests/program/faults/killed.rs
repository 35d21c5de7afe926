//! Processes that are killed in the middle of their work.

use std::process::Stdio;

use rusqlite::Connection;

use super::fault::Fault;
use super::requests::{config, get, key, keyed, post};
use crate::folder::Folder;
use crate::serving::{eventually, serve};
use crate::world::{donations, furnished, text};

/// The number of donations to import: more batches than times that the import is killed.
const DONATIONS: usize = 12_000;

/// Counts the donations in a database, while another process writes to it.
pub(super) type Count<'a> = &'a dyn Fn(&Folder) -> usize;

fn recorded(folder: &Folder) -> usize {
    let db = Connection::open(folder.database()).unwrap();
    let count = db.query_row("SELECT count(*) FROM donation", [], |row| {
        row.get::<_, i64>(0)
    });
    usize::try_from(count.unwrap()).unwrap()
}

pub(super) fn an_import_that_is_killed(fault: &mut Fault) {
    again_and_again(fault, &furnished(), &recorded);
}

/// Kills an import in its middle, several times, then lets one finish. Each goes on after the donations
/// that the previous ones have recorded.
pub(super) fn again_and_again(fault: &mut Fault, folder: &Folder, recorded: Count<'_>) {
    let file = folder.write("donations.ndjson", &text(&donations(DONATIONS)));
    for _ in 0..3 {
        interrupt(folder, file, recorded);
        fault.run("`verify`, after each time", folder, &["verify"]);
    }
    let partial = recorded(folder);
    assert!(partial < DONATIONS, "it was never killed in its middle");
    let outcome = fault.run("`import`, again", folder, &["import", file]);
    let new = DONATIONS - partial;
    let expected = format!(
        "donations.ndjson: resumes after line {partial}\n\
         donations.ndjson: {new} new, 0 changed, 0 unchanged, 0 rejected\n"
    );
    assert_eq!(outcome.stderr, expected);
    fault.run("`verify`, after that", folder, &["verify"]);
    assert_eq!(recorded(folder), DONATIONS);
}

/// Begins an import and kills it once it has recorded something.
fn interrupt(folder: &Folder, file: &str, recorded: Count<'_>) {
    let before = recorded(folder);
    let mut import = folder.command(&["import", file]);
    let mut import = import.stderr(Stdio::null()).spawn().unwrap();
    eventually("a batch is recorded", || {
        (recorded(folder) > before).then_some(())
    });
    import.kill().unwrap();
    import.wait().unwrap();
}

pub(super) fn a_file_that_changes_before_it_is_imported_again(fault: &mut Fault) {
    let folder = furnished();
    let mut lines = donations(DONATIONS);
    let file = folder.write("donations.ndjson", &text(&lines));
    interrupt(&folder, file, &recorded);
    // One of the recorded donations is different now.
    lines[100]["logIndex"] = 77.into();
    folder.write(file, &text(&lines));
    fault.run("`import`, again", &folder, &["import", file]);
    fault.run("`verify`", &folder, &["verify"]);
    assert_eq!(recorded(&folder), DONATIONS + 1);
}

pub(super) fn a_server_that_is_killed(fault: &mut Fault) {
    let (folder, secret) = keyed();
    let key = key(&secret);
    let serving = serve(&folder, &[]);
    let created = serving.connect().ask(post(&key, &config()).as_bytes());
    assert_eq!(created.status, 201, "{created:?}");
    serving.kill();
    let serving = fault.serve(&folder, &[]);
    let location = created.header("location").unwrap();
    let path = &location[location.find("/configs").unwrap()..];
    let found = fault.request(
        "a config that it answered with 201, after a restart",
        &serving,
        get(path, &key),
    );
    assert_eq!(found.json()["id"], created.json()["id"]);
}
