//! Migrates the schema of the file to the newest version.

use rusqlite::{Connection, Row, TransactionBehavior};

use super::query;
use crate::database::StoreError;
use crate::database::migrations::{SCHEMA, SQLITE, current};

/// Brings the database to the newest schema in one transaction: a killed process leaves the old one.
/// Returns the schemas before and after.
pub(crate) fn migrate(db: &mut Connection) -> Result<(u32, u32), StoreError> {
    let tx = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    tx.execute_batch(
        "CREATE TABLE IF NOT EXISTS schema_migrations (
           version INTEGER PRIMARY KEY,
           checksum BLOB NOT NULL
         ) STRICT",
    )?;
    let applied = applied(&tx)?;
    for migration in SQLITE.missing(&applied)? {
        tx.execute_batch(migration.sql)?;
        let record = "INSERT INTO schema_migrations (version, checksum) VALUES (?1, ?2)";
        query::execute(&tx, record, (migration.version, migration.checksum))?;
    }
    tx.commit()?;
    Ok((current(&applied), SCHEMA))
}

/// Reads the schema of a database without changing it.
///
/// # Errors
/// When it has none, or one that this program does not know.
pub(crate) fn version(db: &Connection) -> Result<u32, StoreError> {
    let none = || StoreError::Corrupt("it is no database of this program".to_owned());
    if !db.table_exists(None, "schema_migrations")? {
        return Err(none());
    }
    let applied = applied(db)?;
    SQLITE.missing(&applied)?;
    match current(&applied) {
        0 => Err(none()),
        version => Ok(version),
    }
}

fn applied(db: &Connection) -> Result<Vec<(u32, [u8; 32])>, StoreError> {
    let select = "SELECT version, checksum FROM schema_migrations ORDER BY version";
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
    Ok(query::all(db, select, [], read)?)
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::database;
    use crate::database::sqlite::connection::open_writer;

    #[test]
    fn several_processes_may_make_the_database_at_once() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("new.db");
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| database::open(&path).unwrap());
            }
        });
    }

    #[test]
    fn refuses_a_newer_schema_and_another_one() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("newer.db");
        database::open(&path).unwrap().close();
        let db = open_writer(&path).unwrap();
        let newer = "INSERT INTO schema_migrations (version, checksum) VALUES (?1, x'00')";
        db.execute(newer, [SCHEMA + 1]).unwrap();
        let checksum = [0_u8; 32];
        db.execute("UPDATE schema_migrations SET checksum = ?1", [checksum])
            .unwrap();
        assert_eq!(
            database::open(&path).unwrap_err(),
            StoreError::NewerSchema {
                found: SCHEMA + 1,
                known: SCHEMA
            }
        );
        db.execute(
            "DELETE FROM schema_migrations WHERE version = ?1",
            [SCHEMA + 1],
        )
        .unwrap();
        assert!(matches!(database::open(&path), Err(StoreError::Corrupt(_))));
    }

    #[test]
    fn refuses_a_file_that_is_no_database() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("text");
        std::fs::write(
            &path,
            "not a database, but long enough to be read as one: ".repeat(40),
        )
        .unwrap();
        assert!(matches!(database::open(&path), Err(StoreError::Corrupt(_))));
        assert!(matches!(
            database::open(directory.path()),
            Err(StoreError::Unavailable(_))
        ));
    }

    #[test]
    fn links_a_sqlite_without_the_wal_reset_bug() {
        assert!(rusqlite::version_number() >= 3_051_003);
    }
}
