//! The database as one process meets it: SQLite, in one file.

use rusqlite::Connection;

use super::fault::Fault;
use super::requests::{config, get, key, keyed, post};
use super::system::{limit, limited};
use crate::folder::Folder;
use crate::world::{donations, text};

pub(super) fn a_database_that_cannot_be_used_at_the_start(fault: &mut Fault) {
    let folder = Folder::new();
    let missing = ["serve", "--database", "nowhere/a.db"];
    fault.run("`serve`, without its folder", &folder, &missing);
    folder.write("letter.txt", &"This is no database. ".repeat(100));
    let letter = ["serve", "--database", "letter.txt"];
    fault.run("`serve`, with a file of something else", &folder, &letter);
    folder.ask(&["project", "list"]);
    let db = Connection::open(folder.database()).unwrap();
    let newer = "INSERT INTO schema_migrations VALUES (99, zeroblob(32))";
    db.execute(newer, []).unwrap();
    fault.run(
        "`serve`, with the schema of a newer program",
        &folder,
        &["serve"],
    );
}

/// Another process holds the lock under which all writing happens.
pub(super) fn a_slow_database(fault: &mut Fault) {
    let (folder, secret) = keyed();
    let key = key(&secret);
    let serving = fault.serve(&folder, &["--request-timeout", "1s"]);
    let other = Connection::open(folder.database()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let write = post(&format!("{key}idempotency-key: slow\r\n"), &config());
    fault.request("a write", &serving, &write);
    fault.request("a read of the catalogue", &serving, get("/chains", ""));
    fault.request("a read with a key", &serving, get("/configs", &key));
    fault.becomes("the operators' `/readyz`", || serving.operators("/readyz"));
    other.execute_batch("COMMIT").unwrap();
    fault.request("the same write, once it can be done", &serving, &write);
    let list = serving.get("/configs", Some(&secret)).json();
    // One is the world's own.
    assert_eq!(list["response"].as_array().unwrap().len(), 2, "{list}");
}

/// No file may grow any further: to SQLite it is the same as a disk that is full.
pub(super) fn a_full_disk(fault: &mut Fault) {
    let (folder, secret) = keyed();
    let key = key(&secret);
    let serving = fault.serve(&folder, &[]);
    limit(serving.id(), "--fsize=0:");
    let write = post(&key, &config());
    fault.request("a write", &serving, &write);
    fault.request("a read of the catalogue", &serving, get("/chains", ""));
    fault.request("a read with a key", &serving, get("/configs", &key));
    fault.becomes("the operators' `/readyz`", || serving.operators("/readyz"));
    let file = folder.write("donations.ndjson", &text(&donations(2_000)));
    let import = folder.command(&["import", file]);
    let full = "`import`, of 2000 donations";
    fault.command(full, &mut limited("--fsize=100000", &import));
    limit(serving.id(), "--fsize=unlimited:");
    fault.request("a write, once there is room", &serving, &write);
    fault.run("`import`, once there is room", &folder, &["import", file]);
    fault.run("`verify`", &folder, &["verify"]);
}
