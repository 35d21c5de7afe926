//! The database as one process meets it: SQLite, in one file.

use rusqlite::Connection;

use super::fault::Fault;
use super::requests::{config, get, key, keyed, post};
use super::system::{limit, limited};
use crate::folder::Folder;
use crate::serving::{Serving, eventually};
use crate::world::{PROJECT, donations, text};

/// A text that no log, response or error may repeat.
pub(super) const POISON: &str = "POISON-OF-SOMEBODY";

pub(super) fn a_database_that_cannot_be_used_at_the_start(fault: &mut Fault) {
    let folder = Folder::new();
    let missing = ["serve", "--database", "nowhere/a.db"];
    fault.run("`serve`, without its folder", &folder, &missing);
    folder.write("letter.txt", &"This is no database. ".repeat(100));
    let letter = ["serve", "--database", "letter.txt"];
    fault.run("`serve`, with a file of something else", &folder, &letter);
    folder.ask(&["migrate"]);
    let db = Connection::open(folder.database()).unwrap();
    let newer = "INSERT INTO schema_migrations (version, checksum) VALUES (99, zeroblob(32))";
    db.execute(newer, []).unwrap();
    fault.run(
        "`serve`, with the schema of a newer program",
        &folder,
        &["serve"],
    );
}

/// Another process holds the write lock.
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

/// A table that takes without end to read.
pub(super) fn a_slow_read_of_the_database(fault: &mut Fault) {
    let (folder, secret) = keyed();
    let key = key(&secret);
    let serving = fault.serve(&folder, &[]);
    let other = Connection::open(folder.database()).unwrap();
    let slow = "PRAGMA legacy_alter_table = ON;
                ALTER TABLE config RENAME TO fast;
                CREATE VIEW config AS
                  WITH RECURSIVE endless (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM endless)
                  SELECT id, project, created_at, deleted_at, name, metadata FROM fast
                  WHERE (SELECT max(n) FROM endless) > 0";
    other.execute_batch(slow).unwrap();
    let read = get("/configs", &key);
    fault.request("a read that takes too long", &serving, &read);
    fault.request("a read of the catalogue", &serving, get("/chains", ""));
    let shorter = get("/analytics", &key);
    fault.request("another read with a key", &serving, shorter);
    fault.becomes("the operators' `/readyz`", || serving.operators("/readyz"));
    let fast = "DROP VIEW config; ALTER TABLE fast RENAME TO config";
    other.execute_batch(fast).unwrap();
    fault.request("the same read, once it is fast", &serving, &read);
}

/// No file may grow any further: to SQLite this equals a full disk.
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

pub(super) fn a_database_file_that_is_removed(fault: &mut Fault) {
    loses_its_place(fault, |_| {});
}

/// The server does not serve the file that another process has created in its place.
pub(super) fn a_database_file_that_is_replaced(fault: &mut Fault) {
    loses_its_place(fault, |folder| {
        folder.ask(&["migrate"]);
    });
}

fn loses_its_place(fault: &mut Fault, replace: impl FnOnce(&Folder)) {
    let (folder, secret) = keyed();
    let key = key(&secret);
    let serving = fault.serve(&folder, &[]);
    let [aside, place] = [folder.path().join("aside.db"), folder.database()];
    std::fs::rename(&place, &aside).unwrap();
    replace(&folder);
    fault.becomes("the operators' `/readyz`", || serving.operators("/readyz"));
    fault.becomes("the operators' `/metrics`", || {
        serving.operators("/metrics")
    });
    fault.request("a write", &serving, post(&key, &config()));
    fault.request("a read with a key", &serving, get("/configs", &key));
    fault.request("a read of the catalogue", &serving, get("/chains", ""));
    std::fs::rename(&aside, &place).unwrap();
    let back = "the operators' `/readyz`, also once it is back";
    fault.becomes(back, || serving.operators("/readyz"));
}

/// Values that no program of ours writes, written directly to the tables.
pub(super) fn a_poisoned_catalogue_row(fault: &mut Fault) {
    let (folder, secret) = keyed();
    let serving = fault.serve(&folder, &[]);
    let db = Connection::open(folder.database()).unwrap();
    let set = |to: &str| {
        let sql = format!(
            "UPDATE charity SET category = {to}; {}",
            changed("charities")
        );
        db.execute_batch(&sql).unwrap();
    };
    let before = serving.get("/charities", None).body;
    let (id, category): (Vec<u8>, String) = db
        .query_row("SELECT id, category FROM charity", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .unwrap();
    set(&format!("'{POISON}'"));
    stale(&serving, "catalogue");
    fault.becomes("the operators' `/metrics`", || {
        serving.operators("/metrics")
    });
    fault.becomes("the operators' `/readyz`", || serving.operators("/readyz"));
    let shown = fault.request("a read of the catalogue", &serving, get("/charities", ""));
    assert_eq!(shown.body, before);
    let write = post(&key(&secret), &config());
    fault.request("a write that needs the row", &serving, write);
    let newer = folder.ask(&["key", "issue", "--project", PROJECT]);
    fault.becomes("a key that was issued since", || {
        serving.get("/configs?limit=1", Some(&newer))
    });
    let second = [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--admin-listen",
        "127.0.0.1:0",
    ];
    let said = fault.run("`serve`, from now on", &folder, &second).stderr;
    assert!(said.contains(&alloy_primitives::hex::encode(id)), "{said}");
    assert!(!said.contains(POISON), "{said}");
    assert!(!serving.log().contains(POISON), "{}", serving.log());
    set(&format!("'{category}'"));
    fault.becomes("the operators' `/metrics`, once it is repaired", || {
        serving.operators("/metrics")
    });
}

pub(super) fn a_poisoned_row_of_the_keys(fault: &mut Fault) {
    let (folder, secret) = keyed();
    let serving = fault.serve(&folder, &[]);
    let db = Connection::open(folder.database()).unwrap();
    let sql = format!("UPDATE project SET tier = '{POISON}'; {}", changed("keys"));
    db.execute_batch(&sql).unwrap();
    stale(&serving, "keys");
    fault.becomes("the operators' `/metrics`", || {
        serving.operators("/metrics")
    });
    fault.becomes("the operators' `/readyz`", || serving.operators("/readyz"));
    let known = get("/configs", &key(&secret));
    fault.request("a key that was known before", &serving, known);
    assert!(!serving.log().contains(POISON), "{}", serving.log());
}

/// Tells running servers that they must look again.
fn changed(what: &str) -> String {
    format!("UPDATE version SET number = number + 1 WHERE name = '{what}'")
}

/// Waits until the server knows that it is behind.
pub(super) fn stale(serving: &Serving, of: &str) {
    let fresh = format!("database_stale_seconds{{of=\"{of}\"}} 0\n");
    eventually("it is behind", || {
        (!serving.operators("/metrics").body.contains(&fresh)).then_some(())
    });
}
