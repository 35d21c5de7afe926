//! A database copied page by page, and whether a copy is one of ours and sound.

use std::path::Path;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};

use super::{connection, migrations, statement};
use crate::migrations::Schema;
use crate::{DbError, Row};

/// The definitions, without SQLite's internal tables, which depend on the use of the database.
const DEFINITIONS: &str = "SELECT type, name, sql FROM sqlite_schema
    WHERE name NOT LIKE 'sqlite_stat%' ORDER BY type, name";

/// Writes one state of `from` into `to`, atomically if `to` keeps a journal. Other connections may read
/// and write `from`, and read `to`, meanwhile.
pub(crate) fn pages(from: &Connection, to: &mut Connection) -> Result<(), DbError> {
    // In a single step: with several, a write by another process would restart the copy.
    match Backup::new(from, to)?.step(-1)? {
        StepResult::Done => Ok(()),
        _ => Err(DbError::Unavailable(
            "another process has locked it".to_owned(),
        )),
    }
}

/// Makes the empty file `to` a copy of `from` that is readable without further files, and opens it. The
/// copy is not synced to disk.
pub(crate) fn into_file(from: &Connection, to: &Path) -> Result<Connection, DbError> {
    let mut copy = existing(to, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    copy.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")?;
    pages(from, &mut copy)?;
    drop(copy);
    let copy = existing(to, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    copy.execute_batch("PRAGMA synchronous = OFF; PRAGMA journal_mode = DELETE")?;
    Ok(copy)
}

/// Opens a file that is there, and never makes one.
pub(crate) fn existing(path: &Path, access: OpenFlags) -> Result<Connection, DbError> {
    let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    connection::configured(Connection::open_with_flags(path, flags)?)
}

/// Checks that a database is intact, and returns its schema.
///
/// # Errors
/// When its pages are inconsistent, references are broken, or it was not created by this program or an
/// older version.
pub(crate) fn require_sound(db: &Connection, schema: Schema) -> Result<u32, DbError> {
    let read = |row: &Row<'_>| row.get::<String>("integrity_check");
    let found: Vec<_> = statement::all(db, "PRAGMA integrity_check(1)", &[], read)?;
    if let Some(damage) = found.into_iter().find(|said| said != "ok") {
        return Err(DbError::Corrupt(damage));
    }
    let read = |row: &Row<'_>| row.get::<String>("table");
    if let Some(table) = statement::first(db, "PRAGMA foreign_key_check", &[], read)? {
        let reason = format!("a row of table {table} refers to a missing row");
        return Err(DbError::Corrupt(reason));
    }
    migrations::version(db, schema)
}

/// Rejects a database with the newest schema that has anything besides, such as triggers.
pub(crate) fn require_schema(db: &Connection, schema: Schema) -> Result<(), DbError> {
    let mut ours = Connection::open_in_memory()?;
    migrations::migrate(&mut ours, schema)?;
    if definitions(db)? == definitions(&ours)? {
        Ok(())
    } else {
        let reason = "its tables are not this program's";
        Err(DbError::Corrupt(reason.to_owned()))
    }
}

fn definitions(db: &Connection) -> Result<Vec<(String, String, Option<String>)>, DbError> {
    let read = |row: &Row<'_>| Ok((row.get("type")?, row.get("name")?, row.get("sql")?));
    statement::all(db, DEFINITIONS, &[], read)
}
