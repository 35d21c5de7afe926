//! Processes that are killed in the middle of what they do.

use std::process::Stdio;

use rusqlite::Connection;
use server::store::Store;

use crate::folder::Folder;
use crate::serving::{eventually, serve};
use crate::world::{CHARITY, PROJECT, SUM, donations, furnished, text};

/// How many donations there are to import, some batches' worth.
const DONATIONS: usize = 3_000;

/// How many donations the database holds, while somebody else writes to it.
fn recorded(folder: &Folder) -> usize {
    let db = Connection::open(folder.database()).unwrap();
    let count = db.query_row("SELECT count(*) FROM donation", [], |row| {
        row.get::<_, i64>(0)
    });
    usize::try_from(count.unwrap()).unwrap()
}

/// The project's donations as the roll-ups tell them, which must be what the log adds up to.
async fn rolled_up(folder: &Folder) -> (u64, i64) {
    let store = Store::open(&folder.database()).unwrap();
    assert_eq!(store.verify_rollups().await.unwrap(), []);
    let project = server::domain::project::ProjectId(PROJECT.parse().unwrap());
    let stats = store.project_totals(project, None).await.unwrap().stats;
    (stats.donations, stats.usd.0)
}

#[tokio::test]
async fn an_import_that_is_killed_and_run_again_loses_nothing_and_counts_nothing_twice() {
    let folder = furnished();
    let file = folder.write("donations.ndjson", &text(&donations(DONATIONS)));
    for _ in 0..3 {
        let before = recorded(&folder);
        let mut import = folder.command(&["import", file]);
        let mut import = import.stderr(Stdio::null()).spawn().unwrap();
        eventually("a batch is recorded", || {
            (recorded(&folder) > before).then_some(())
        });
        import.kill().unwrap();
        import.wait().unwrap();
        let (donations, usd) = rolled_up(&folder).await;
        assert_eq!(donations, recorded(&folder) as u64);
        assert_eq!(usd, (recorded(&folder) * SUM) as i64);
    }
    let partial = recorded(&folder);
    assert!(
        partial < DONATIONS,
        "the import was never killed in its middle"
    );
    let outcome = folder.run(&["import", file]);
    let new = DONATIONS - partial;
    let expected =
        format!("donations.ndjson: {new} new, 0 changed, {partial} unchanged, 0 refused\n");
    assert_eq!((outcome.code, outcome.stderr), (Some(0), expected));
    assert_eq!(
        rolled_up(&folder).await,
        (DONATIONS as u64, (DONATIONS * SUM) as i64)
    );
}

#[test]
fn what_a_killed_server_has_answered_is_there_when_it_starts_again() {
    let folder = furnished();
    let key = folder.ask(&["key", "issue", "--project", PROJECT]);
    let serving = serve(&folder, &[]);
    let body = format!(r#"{{"charityBeneficiaries":[{{"charityId":"{CHARITY}","weight":1}}]}}"#);
    let request = format!(
        "POST /api/v1/configs HTTP/1.1\r\nhost: test\r\nservice-api-key: {key}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let created = serving.connect().ask(request.as_bytes());
    assert_eq!(created.status, 201, "{created:?}");
    serving.kill();
    let serving = serve(&folder, &[]);
    let location = created.header("location").unwrap();
    let path = &location[location.find("/configs").unwrap()..];
    let found = serving.get(path, Some(&key));
    assert_eq!(found.status, 200, "{found:?}");
    assert_eq!(found.json()["id"], created.json()["id"]);
}
