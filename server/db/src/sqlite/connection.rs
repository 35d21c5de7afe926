//! Opens connections to SQLite.

use std::path::Path;
use std::thread;
use std::time::Duration;

use rusqlite::Connection;
use rusqlite::config::DbConfig;
use rusqlite::functions::{Context, FunctionFlags};

use super::access;
use crate::DbError;

/// The interval between attempts to take a lock that another process holds. SQLite's own schedule waits
/// up to 100 ms, in which a busy importer may always come first.
const RETRY: Duration = Duration::from_millis(2);

/// The number of attempts: about five seconds.
const ATTEMPTS: i32 = 2500;

/// The number of statements that stay prepared on a connection; more than there are different ones.
const STATEMENTS: usize = 512;

pub(crate) fn open_writer(path: &Path) -> Result<Connection, DbError> {
    access::create(path);
    let db = open(path)?;
    become_write_ahead(&db)?;
    access::restrict(path);
    // A committed donation survives a loss of power.
    db.pragma_update(None, "synchronous", "FULL")?;
    db.pragma_update(None, "foreign_keys", true)?;
    // The pages that a statement changes are copied, in case that it fails halfway, to memory.
    db.pragma_update(None, "temp_store", "MEMORY")?;
    db.pragma_update(None, "journal_size_limit", 64 << 20)?;
    Ok(db)
}

pub(crate) fn open_reader(path: &Path) -> Result<Connection, DbError> {
    let db = open(path)?;
    db.pragma_update(None, "query_only", true)?;
    Ok(db)
}

fn open(path: &Path) -> Result<Connection, DbError> {
    configured(Connection::open(path)?)
}

/// Applies the settings that every connection needs.
pub(crate) fn configured(mut db: Connection) -> Result<Connection, DbError> {
    db.busy_handler(Some(wait_for_lock))?;
    db.set_prepared_statement_cache_capacity(STATEMENTS);
    // Values must not change the plan of a statement. Otherwise a join is prepared again for each
    // value, in case another plan were better now, which takes longer than to run it.
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    add_functions(&db)?;
    db.pragma_update(None, "trusted_schema", false)?;
    db.pragma_update(None, "cell_size_check", true)?;
    db.pragma_update(None, "mmap_size", 0)?;
    Ok(db)
}

/// Adds the functions of PostgreSQL that statements use and SQLite lacks.
pub(crate) fn add_functions(db: &Connection) -> Result<(), DbError> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    db.create_scalar_function("greatest", -1, flags, |context| {
        Ok(extreme(context, i64::max))
    })?;
    db.create_scalar_function("least", -1, flags, |context| Ok(extreme(context, i64::min)))?;
    db.create_scalar_function("strpos", 2, flags, |context| {
        let (text, part): (Option<String>, Option<String>) = (context.get(0)?, context.get(1)?);
        Ok(text.zip(part).map(|(text, part)| position(&text, &part)))
    })?;
    Ok(())
}

/// The position of the first occurrence of a part, in characters from 1; 0 without one.
fn position(text: &str, part: &str) -> i64 {
    let before = text
        .split_once(part)
        .map(|(before, _)| before.chars().count());
    before.map_or(0, |characters| {
        i64::try_from(characters).map_or(i64::MAX, |it| it + 1)
    })
}

/// The largest or smallest integer; `NULL` arguments are ignored.
fn extreme(context: &Context<'_>, choose: fn(i64, i64) -> i64) -> Option<i64> {
    let integers = (0..context.len()).filter_map(|index| context.get_raw(index).as_i64().ok());
    integers.reduce(choose)
}

fn wait_for_lock(attempts: i32) -> bool {
    thread::sleep(RETRY);
    attempts < ATTEMPTS
}

/// Turns the write-ahead log on. SQLite does not call the busy handler for this, so two processes
/// that open a new file at once need a loop.
fn become_write_ahead(db: &Connection) -> Result<(), DbError> {
    let mut attempts = 0;
    loop {
        let mode = db.query_row("PRAGMA journal_mode = WAL", [], |row| {
            row.get::<_, String>(0)
        });
        match mode.map_err(DbError::from) {
            Ok(mode) if mode == "wal" => return Ok(()),
            Ok(mode) => {
                let reason = format!("its file system allows no write-ahead log, only {mode}");
                return Err(DbError::Unavailable(reason));
            }
            Err(DbError::Unavailable(_)) if wait_for_lock(attempts) => attempts += 1,
            Err(error) => return Err(error),
        }
    }
}
