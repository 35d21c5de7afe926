//! A database copied page by page, and whether a copy is one of ours and sound.

use std::path::Path;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags, Row};

use super::{connection, migrations, query};
use crate::database::StoreError;

/// The schema's definitions, without SQLite's internal tables, which depend on the use of the database.
const SCHEMA: &str = "SELECT type, name, sql FROM sqlite_schema
    WHERE name NOT LIKE 'sqlite_stat%' ORDER BY type, name";

/// Writes one state of `from` into `to`, atomically if `to` keeps a journal. Other connections may read
/// and write `from`, and read `to`, meanwhile.
pub(crate) fn pages(from: &Connection, to: &mut Connection) -> Result<(), StoreError> {
    // In a single step: with several, a write by another process would restart the copy.
    match Backup::new(from, to)?.step(-1)? {
        StepResult::Done => Ok(()),
        _ => Err(StoreError::Unavailable(
            "another process holds it".to_owned(),
        )),
    }
}

/// Makes the empty file `to` a copy of `from` that is readable without further files, and opens it. The
/// copy is not synced to disk.
pub(crate) fn into_file(from: &Connection, to: &Path) -> Result<Connection, StoreError> {
    let mut copy = existing(to, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    copy.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")?;
    pages(from, &mut copy)?;
    drop(copy);
    let copy = existing(to, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    copy.execute_batch("PRAGMA synchronous = OFF; PRAGMA journal_mode = DELETE")?;
    Ok(copy)
}

/// Opens a file that is there, and never makes one.
pub(crate) fn existing(path: &Path, access: OpenFlags) -> Result<Connection, StoreError> {
    let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    connection::configured(Connection::open_with_flags(path, flags)?)
}

/// Checks that a database is intact, and returns its schema.
///
/// # Errors
/// When its pages are inconsistent, references are broken, or it was not made by this program or an
/// older version.
pub(crate) fn require_sound(db: &Connection) -> Result<u32, StoreError> {
    let first = |row: &Row<'_>| row.get::<_, String>(0);
    let found = query::all(db, "PRAGMA integrity_check(1)", [], first)?;
    if let Some(damage) = found.into_iter().find(|said| said != "ok") {
        return Err(StoreError::Corrupt(damage));
    }
    if let Some(table) = query::first(db, "PRAGMA foreign_key_check", [], first)? {
        let reason = format!("a row of table {table} refers to one that is missing");
        return Err(StoreError::Corrupt(reason));
    }
    migrations::version(db)
}

/// Refuses a database with the newest schema that has anything besides, such as triggers.
pub(crate) fn require_schema(db: &Connection) -> Result<(), StoreError> {
    let mut ours = Connection::open_in_memory()?;
    migrations::migrate(&mut ours)?;
    if schema(db)? == schema(&ours)? {
        Ok(())
    } else {
        let reason = "its tables are not this program's";
        Err(StoreError::Corrupt(reason.to_owned()))
    }
}

fn schema(db: &Connection) -> Result<Vec<(String, String, Option<String>)>, StoreError> {
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
    Ok(query::all(db, SCHEMA, [], read)?)
}
