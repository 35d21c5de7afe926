//! Tests of threads, the file, migrations and prepared statements.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;
use tempfile::TempDir;
use tokio::task::JoinSet;

use crate::migrations::Schema;
use crate::{Batch, Changes, Db, DbError, Migrated, Row, Timeouts, Tx, Writer, params};

/// A program with one migration, and the next version of it.
const FIRST: Schema = Schema(&["CREATE TABLE charity (
  id uuid PRIMARY KEY,
  name text NOT NULL
);
INSERT INTO version (name, number) VALUES ('charities', 0);
"]);
const SECOND: Schema = Schema(&[
    FIRST.0[0],
    "ALTER TABLE charity ADD COLUMN listed boolean NOT NULL DEFAULT false;\n",
]);

const ID: uuid::Uuid = uuid::Uuid::from_u128(7);

fn file() -> (PathBuf, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (folder.path().join("data.db"), folder)
}

fn opened() -> (Db, PathBuf, TempDir) {
    let (path, folder) = file();
    (Db::open(&path, FIRST).unwrap(), path, folder)
}

async fn insert(db: &Db) -> Result<u64, DbError> {
    db.write(Writer::Unlimited, crate::Timeouts::Request, |tx| {
        tx.bump("charities");
        tx.bump("charities");
        tx.execute(
            "INSERT INTO charity (id, name) VALUES ($1, $2)",
            params![ID, "Wells"],
        )
    })
    .await
}

async fn names(db: &Db) -> Result<Vec<String>, DbError> {
    db.read(|tx| {
        tx.all("SELECT name FROM charity ORDER BY id", &[], |row| {
            row.get("name")
        })
    })
    .await
}

#[tokio::test]
async fn a_closed_database_reports_it_and_its_file_is_whole() {
    let (db, path, folder) = opened();
    db.close();
    assert!(matches!(db.counters().await, Err(DbError::Unavailable(_))));
    assert!(!folder.path().join("data.db-wal").exists());
    assert_eq!(
        names(&Db::open(&path, FIRST).unwrap()).await.unwrap(),
        [""; 0]
    );
}

#[tokio::test]
async fn readers_cannot_write() {
    let (db, _path, _folder) = opened();
    let written = db.read(|tx| tx.execute("DELETE FROM charity", &[])).await;
    assert!(
        matches!(written, Err(DbError::Unavailable(_))),
        "{written:?}"
    );
}

#[tokio::test]
async fn a_write_that_fails_is_rolled_back_with_its_counters() {
    let (db, _path, _folder) = opened();
    let failed: Result<(), DbError> = db
        .write(Writer::Unlimited, crate::Timeouts::Request, |tx| {
            tx.bump("charities");
            tx.execute(
                "INSERT INTO charity (id, name) VALUES ($1, 'x')",
                params![ID],
            )?;
            Err(DbError::unavailable("on purpose"))
        })
        .await;
    assert!(failed.is_err());
    assert_eq!(names(&db).await.unwrap(), [""; 0]);
    assert_eq!(db.counters().await.unwrap()["charities"], 0);
    insert(&db).await.unwrap();
    assert_eq!(db.counters().await.unwrap()["charities"], 1);
}

#[tokio::test]
async fn batches_are_written_and_read_row_by_row() {
    let (db, _path, _folder) = opened();
    let changed = db
        .write(Writer::Unlimited, crate::Timeouts::Request, |tx| {
            let mut batch = Batch::default();
            for n in 0_u128..3 {
                batch.push(params![uuid::Uuid::from_u128(n), format!("charity {n}")]);
            }
            let sql = "INSERT INTO charity (id, name)
                       SELECT id, name FROM batch(id uuid, name text) WHERE true
                       ON CONFLICT (id) DO UPDATE SET name = excluded.name";
            tx.execute_batch(sql, &batch, &[])
        })
        .await;
    assert_eq!(changed, Ok(3));
    let read = db.read(|tx| {
        let ids = Batch::of_column([2_u128, 9, 1].map(uuid::Uuid::from_u128));
        let sql = "SELECT charity.name FROM batch(id uuid) JOIN charity ON charity.id = batch.id
                   WHERE charity.name <> $2";
        tx.all_of_batch(sql, &ids, params!["charity 1"], |row| {
            row.get::<String>("name")
        })
    });
    assert_eq!(read.await, Ok(vec!["charity 2".to_owned()]));
}

#[tokio::test]
async fn a_value_that_no_version_writes_is_reported_by_its_location() {
    let (db, _path, _folder) = opened();
    insert(&db).await.unwrap();
    let read: Result<Vec<i64>, _> = db
        .read(|tx| tx.all("SELECT id, name FROM charity", &[], |row| row.get("name")))
        .await;
    let location = "column name of table charity cannot be read in row \
                    0x00000000000000000000000000000007";
    assert_eq!(read, Err(DbError::Corrupt(location.to_owned())));
}

/// Counts without end.
const ENDLESS: &str =
    "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n) SELECT max(n) AS n FROM n";

#[tokio::test]
async fn reads_without_end_are_interrupted_and_block_no_others() {
    let (db, _path, _folder) = opened();
    // More than there are threads: those that wait in the queue are not begun when their time is over.
    let mut reads = JoinSet::new();
    for _ in 0..32 {
        let db = db.clone();
        reads.spawn(async move {
            db.read(|tx| tx.one::<i64>(ENDLESS, &[], |row| row.get("n")))
                .await
        });
    }
    let ended = tokio::time::timeout(Duration::from_secs(20), reads.join_all()).await;
    for read in ended.unwrap() {
        assert!(matches!(read, Err(DbError::Unavailable(_))), "{read:?}");
    }
    assert_eq!(names(&db).await.unwrap(), [""; 0]);
}

#[tokio::test]
async fn a_panic_ends_its_transaction_only() {
    let (db, _path, _folder) = opened();
    let panicked: Result<(), DbError> = db.read(|_| panic!("on purpose")).await;
    assert!(matches!(panicked, Err(DbError::Corrupt(_))));
    assert!(names(&db).await.is_ok());
}

#[tokio::test]
async fn several_processes_may_create_the_database_at_once() {
    let (path, _folder) = file();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| Db::open(&path, FIRST).unwrap());
        }
    });
}

#[tokio::test]
async fn a_released_schema_is_migrated_with_its_data() {
    let (db, path, _folder) = opened();
    insert(&db).await.unwrap();
    db.close();
    let migrated = crate::migrate(&path.clone().into(), SECOND).await;
    assert_eq!(migrated, Ok(Migrated { from: 1, to: 2 }));
    let db = Db::open(&path, SECOND).unwrap();
    let read = |row: &Row<'_>| Ok((row.get("name")?, row.get("listed")?));
    let listed: Vec<(String, bool)> = db
        .read(move |tx| tx.all("SELECT name, listed FROM charity", &[], read))
        .await
        .unwrap();
    assert_eq!(listed, [("Wells".to_owned(), false)]);
    // The older program does not open it.
    let newer = DbError::NewerSchema { found: 2, known: 1 };
    assert_eq!(Db::open(&path, FIRST).unwrap_err(), newer);
}

#[tokio::test]
async fn a_schema_of_another_program_is_rejected() {
    let (db, path, _folder) = opened();
    db.close();
    let file = Connection::open(&path).unwrap();
    file.execute("UPDATE schema_migrations SET checksum = zeroblob(32)", [])
        .unwrap();
    assert!(matches!(Db::open(&path, FIRST), Err(DbError::Corrupt(_))));
}

#[test]
fn a_file_that_is_no_database_is_rejected() {
    let (path, folder) = file();
    let text = "not a database, but long enough to be read as one: ".repeat(40);
    std::fs::write(&path, text).unwrap();
    assert!(matches!(Db::open(&path, FIRST), Err(DbError::Corrupt(_))));
    assert!(matches!(
        Db::open(folder.path(), FIRST),
        Err(DbError::Unavailable(_))
    ));
}

#[tokio::test]
async fn a_backup_is_restored_with_other_counters_and_another_epoch() {
    let (db, path, folder) = opened();
    insert(&db).await.unwrap();
    let backup = folder.path().join("backup.db");
    crate::back_up(&path, &backup, false, FIRST).unwrap();
    let epoch = |path: &Path| -> Vec<u8> {
        let file = Connection::open(path).unwrap();
        file.query_row("SELECT id FROM epoch", [], |row| row.get(0))
            .unwrap()
    };
    let before = (epoch(&path), db.counters().await.unwrap()["charities"]);
    crate::restore(&path, &backup, FIRST).unwrap();
    assert_eq!(names(&db).await.unwrap(), ["Wells"]);
    assert_ne!(epoch(&path), before.0);
    assert!(db.counters().await.unwrap()["charities"] > before.1 + 1000);
}

/// A database that was restored once has large numbers in its change log, and its backup is restored into a new file.
#[tokio::test]
async fn a_backup_of_a_restored_database_takes_writes_in_a_new_file() {
    let (db, path, folder) = opened();
    insert(&db).await.unwrap();
    let backup = folder.path().join("backup.db");
    crate::back_up(&path, &backup, false, FIRST).unwrap();
    crate::restore(&path, &backup, FIRST).unwrap();
    let bump = |tx: &Tx<'_>| -> Result<(), DbError> {
        tx.bump("charities");
        Ok(())
    };
    for _ in 0..3 {
        db.write(Writer::Unlimited, Timeouts::Request, bump)
            .await
            .unwrap();
    }
    crate::back_up(&path, &backup, true, FIRST).unwrap();
    let new = folder.path().join("new.db");
    crate::restore(&new, &backup, FIRST).unwrap();
    let restored = Db::open(&new, FIRST).unwrap();
    for _ in 0..5 {
        restored
            .write(Writer::Unlimited, Timeouts::Request, bump)
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn old_changes_are_pruned_and_recent_ones_stay() {
    let (db, _, _folder) = opened();
    let bump = |tx: &Tx<'_>| -> Result<(), DbError> {
        tx.bump_item("charities", b"one");
        Ok(())
    };
    for _ in 0..1_300 {
        db.write(Writer::Unlimited, Timeouts::Request, bump)
            .await
            .unwrap();
    }
    db.prune_changes().await.unwrap();
    let count = |tx: &Tx<'_>| {
        tx.one("SELECT count(*) AS count FROM change", &[], |row| {
            row.get::<u64>("count")
        })
    };
    assert_eq!(db.read(count).await.unwrap(), 1_000);
    let now = db.counters().await.unwrap()["charities"];
    let recent = db
        .read(move |tx| tx.changes("charities", now - 3))
        .await
        .unwrap();
    assert_eq!(recent, Changes::Items([b"one".to_vec()].into()));
    let old = db.read(|tx| tx.changes("charities", 1)).await.unwrap();
    assert_eq!(old, Changes::All);
}

#[tokio::test]
async fn a_statement_stays_prepared_whatever_its_values() {
    let (path, _folder) = file();
    let mut connection = super::connection::open_writer(&path).unwrap();
    super::migrations::migrate(&mut connection, FIRST).unwrap();
    // Joins do not by themselves.
    let sql = "SELECT a.name FROM charity AS a JOIN charity AS b ON b.id = a.id WHERE a.id = ?1";
    for value in 0..9_u8 {
        let mut statement = connection.prepare_cached(sql).unwrap();
        statement
            .query_map([[value; 16]], |_| Ok(()))
            .unwrap()
            .count();
        assert_eq!(
            statement.get_status(rusqlite::StatementStatus::RePrepare),
            0
        );
    }
}

#[test]
fn links_a_sqlite_without_the_wal_reset_bug() {
    assert!(rusqlite::version_number() >= 3_051_003);
}
