//! `backup` and `restore`, under imports and under a running server.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rusqlite::Connection;
use serde_json::json;

use crate::folder::Folder;
use crate::serving::{eventually, followed, serve};
use crate::world::{PROJECT, SUM, donations, furnished, text};

/// The interval between donations: long enough that they are verified quickly.
const PACE: Duration = Duration::from_micros(200);

/// An import of donations that goes on until it is stopped.
struct Endless {
    import: Child,
    enough: Arc<AtomicBool>,
    writer: JoinHandle<()>,
}

impl Endless {
    fn into(folder: &Folder) -> Self {
        let mut command = folder.command(&["import", "-"]);
        let mut import = command.stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = import.stdin.take().unwrap();
        let enough = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&enough);
        let mut donation = donations(1).remove(0);
        let writer = thread::spawn(move || {
            for number in 0_u64.. {
                if told.load(Ordering::Relaxed) {
                    return;
                }
                donation["transaction"] = json!(format!("0x{number:064x}"));
                writeln!(stdin, "{donation}").unwrap();
                thread::sleep(PACE);
            }
        });
        Self {
            import,
            enough,
            writer,
        }
    }

    fn goes_on(&mut self) -> bool {
        self.import.try_wait().unwrap().is_none()
    }

    fn end(mut self) {
        self.enough.store(true, Ordering::Relaxed);
        self.writer.join().unwrap();
        assert!(self.import.wait().unwrap().success());
    }
}

fn count(database: &Path) -> u64 {
    let db = Connection::open(database).unwrap();
    let count = "SELECT count(*) FROM donation";
    db.query_row(count, [], |row| row.get(0)).unwrap()
}

#[test]
fn a_backup_during_an_import_is_one_whole_state() {
    let folder = furnished();
    let mut import = Endless::into(&folder);
    let mut before = 0;
    for name in ["first.db", "second.db"] {
        eventually("more is imported", || {
            (count(&folder.database()) > before).then_some(())
        });
        folder.ask(&["backup", name]);
        let backup = folder.path().join(name);
        let file = fs::metadata(&backup).unwrap();
        assert_eq!(file.permissions().mode() & 0o777, 0o600);
        // Bytes 18 and 19 say whether a file needs a write-ahead log beside it.
        assert_eq!(fs::read(&backup).unwrap()[18..20], [1, 1]);
        folder.ask(&["verify", "--database", name]);
        let held = count(&backup);
        assert!(held > before, "{held} donations, {before} before");
        before = held;
    }
    assert!(import.goes_on());
    import.end();
    folder.ask(&["verify"]);
}

#[test]
fn a_restore_takes_its_turn_with_an_import() {
    let folder = furnished();
    folder.ask(&["backup", "backup.db"]);
    let mut import = Endless::into(&folder);
    eventually("something is imported", || {
        (count(&folder.database()) > 0).then_some(())
    });
    folder.ask(&["restore", "backup.db"]);
    // Each batch is whole, before the restore or after it.
    eventually("the import goes on", || {
        (count(&folder.database()) > 0).then_some(())
    });
    assert!(import.goes_on());
    import.end();
    folder.ask(&["verify"]);
}

#[test]
fn a_running_server_shows_the_restored_data() {
    let folder = furnished();
    let old = folder.ask(&["key", "issue", "--project", PROJECT]);
    let serving = serve(&folder, &["--trusted-proxies", "127.0.0.1"]);
    folder.ask(&["backup", "backup.db"]);
    let raised = || {
        let page = serving.get("/campaigns", Some(&old)).json();
        page["response"]
            .to_string()
            .contains(&(7 * SUM).to_string())
    };
    // The second time, the counters of changes begin where they did the first time.
    for round in 0..2 {
        let new = folder.ask(&["key", "issue", "--project", PROJECT]);
        let import = folder.run_with_input(&["import", "-"], &text(&donations(7)));
        assert_eq!(import.code, Some(0), "{}", import.stderr);
        assert!(import.stderr.contains("7 new"), "{}", import.stderr);
        followed("the donations are there", || raised().then_some(()));
        assert_eq!(serving.get("/configs", Some(&new)).status, 200, "{round}");
        folder.ask(&["restore", "backup.db"]);
        followed("the donations are gone", || (!raised()).then_some(()));
        followed("the new key is gone", || {
            (serving.get("/configs", Some(&new)).status == 403).then_some(())
        });
        assert_eq!(serving.get("/configs", Some(&old)).status, 200, "{round}");
    }
    assert_eq!(serving.operators("/readyz").body, "ready");
    folder.ask(&["verify"]);
}

#[test]
fn a_database_that_is_lost_is_made_again() {
    let folder = furnished();
    folder.ask(&["backup", "backup.db"]);
    let projects = folder.ask(&["project", "list"]);
    fs::remove_file(folder.database()).unwrap();
    folder.ask(&["restore", "backup.db", "--database", "donation-catalog.db"]);
    assert_eq!(folder.ask(&["project", "list"]), projects);
    assert_eq!(
        folder.names(),
        ["backup.db", "catalogue.ndjson", "donation-catalog.db"]
    );
}

/// Runs a command that must fail and change nothing; returns its message.
#[track_caller]
fn refused(folder: &Folder, arguments: &[&str]) -> String {
    let state = || {
        let read = |name: &String| fs::read(folder.path().join(name)).unwrap();
        let contents: Vec<_> = folder.names().iter().map(read).collect();
        (folder.names(), contents)
    };
    let before = state();
    let outcome = folder.run(arguments);
    assert_eq!(outcome.code, Some(1), "{arguments:?}: {}", outcome.stdout);
    assert_eq!(outcome.stdout, "", "{arguments:?}");
    assert!(state() == before, "{arguments:?} has changed something");
    outcome.stderr
}

#[test]
fn a_backup_replaces_no_file_without_force() {
    let folder = furnished();
    folder.write("there.txt", "a letter");
    let said = refused(&folder, &["backup", "there.txt"]);
    assert!(said.contains("there.txt already exists"), "{said}");
    let same = folder.path().join("./same.db");
    fs::hard_link(folder.database(), &same).unwrap();
    let said = refused(&folder, &["backup", "same.db", "--force"]);
    assert!(said.contains("same.db is the database itself"), "{said}");
    fs::remove_file(same).unwrap();
    refused(&folder, &["backup", "nowhere/backup.db"]);
    refused(&folder, &["backup", "backup.db", "--database", "none.db"]);
    let letter = fs::metadata(folder.path().join("there.txt")).unwrap().ino();
    folder.ask(&["backup", "there.txt", "--force"]);
    let backup = fs::metadata(folder.path().join("there.txt")).unwrap().ino();
    assert_ne!(letter, backup);
    folder.ask(&["verify", "--database", "there.txt"]);
}

#[test]
fn incomplete_backups_are_refused() {
    let folder = furnished();
    folder.ask(&["backup", "backup.db"]);
    let whole = fs::read(folder.path().join("backup.db")).unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    let changed = |name: &str, sql: &str| {
        write(name, &whole);
        let db = Connection::open(folder.path().join(name)).unwrap();
        db.execute_batch(sql).unwrap();
    };
    write("letter.db", &b"This is no database. ".repeat(400));
    write("empty.db", b"");
    write("short.db", &whole[..whole.len() / 2]);
    let mut torn = whole.clone();
    torn[8 * 4096..12 * 4096].fill(0xff);
    write("torn.db", &torn);
    let db = Connection::open(folder.path().join("foreign.db")).unwrap();
    db.execute_batch("CREATE TABLE version (name, number)")
        .unwrap();
    drop(db);
    changed(
        "newer.db",
        "INSERT INTO schema_migrations (version, checksum) VALUES (99, zeroblob(32))",
    );
    changed(
        "other.db",
        "UPDATE schema_migrations SET checksum = zeroblob(32)",
    );
    changed(
        "dangling.db",
        "PRAGMA foreign_keys = OFF; DELETE FROM project",
    );
    changed(
        "trigger.db",
        "CREATE TRIGGER extra AFTER INSERT ON donation BEGIN DELETE FROM project; END",
    );
    for (name, reason) in [
        ("nothing.db", "nothing.db does not exist"),
        ("donation-catalog.db", "is the database itself"),
        ("letter.db", "letter.db cannot be used"),
        ("empty.db", "it is not a database of this program"),
        ("short.db", "short.db cannot be used"),
        ("torn.db", "torn.db cannot be used"),
        ("foreign.db", "it is not a database of this program"),
        ("newer.db", "the database has schema 99"),
        ("other.db", "is not this program's"),
        ("dangling.db", "refers to a missing row"),
        ("trigger.db", "its tables are not this program's"),
    ] {
        let said = refused(&folder, &["restore", name]);
        assert!(said.contains(reason), "{name}: {said}");
    }
    let said = refused(&folder, &["backup", "copy.db", "--database", "torn.db"]);
    assert!(said.contains("torn.db cannot be used"), "{said}");
}

#[test]
fn postgresql_has_programs_of_its_own() {
    let folder = Folder::new();
    let database = "postgres://user:secret@127.0.0.1:1/data";
    for (command, program) in [("backup", "pg_dump"), ("restore", "pg_restore")] {
        let said = refused(&folder, &[command, "a.db", "--database", database]);
        assert!(said.contains(program) && !said.contains("secret"), "{said}");
    }
}

/// Runs a command that cannot write further into any file than so many blocks of 512 bytes; whether it succeeded. A
/// write beyond that fails, or kills the program.
fn succeeds_with_blocks(folder: &Folder, arguments: &[&str], blocks: u32, is_killed: bool) -> bool {
    let script = match is_killed {
        true => r#"ulimit -c 0; ulimit -f "$1"; shift; exec "$@""#,
        false => r#"trap "" XFSZ; ulimit -f "$1"; shift; exec "$@""#,
    };
    let mut command = Command::new("sh");
    command.args(["-c", script, "sh", &blocks.to_string()]);
    command.arg(env!("CARGO_BIN_EXE_donation-catalog"));
    let output = command.args(arguments).current_dir(folder.path()).output();
    output.unwrap().status.success()
}

/// Lets a command fail at each write, until its files have the pages that it needs.
fn fails_at_each_write(folder: &Folder, arguments: &[&str], is_killed: bool, after: impl Fn()) {
    // A page has 8 blocks.
    let needed = (0..).find(|pages| {
        let succeeds = succeeds_with_blocks(folder, arguments, 8 * pages, is_killed);
        if !succeeds {
            after();
        }
        succeeds
    });
    assert!(needed > Some(20), "{arguments:?} needs {needed:?} pages");
}

#[test]
fn a_backup_fails_as_a_whole_at_any_write() {
    let folder = furnished();
    let backup = folder.path().join("backup.db");
    for is_killed in [false, true] {
        fails_at_each_write(&folder, &["backup", "backup.db"], is_killed, || {
            assert!(!backup.exists());
            // A program that is killed leaves its draft.
            let is_draft = |name: &String| name.starts_with(".donation-catalog-");
            assert!(is_killed || !folder.names().iter().any(is_draft));
        });
        folder.ask(&["verify", "--database", "backup.db"]);
        fs::remove_file(&backup).unwrap();
    }
}

#[test]
fn a_restore_fails_as_a_whole_at_any_write() {
    let folder = furnished();
    folder.ask(&["backup", "backup.db"]);
    let file = folder.write("donations.ndjson", &text(&donations(7)));
    folder.ask(&["import", file]);
    for is_killed in [false, true] {
        fails_at_each_write(&folder, &["restore", "backup.db"], is_killed, || {
            assert_eq!(count(&folder.database()), 7);
        });
        assert_eq!(count(&folder.database()), 0);
        folder.ask(&["verify"]);
        folder.ask(&["import", file]);
    }
}
