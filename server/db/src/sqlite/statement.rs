//! Runs statements on a connection to SQLite, on which they stay prepared.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension, ParamsFromIter, params_from_iter};

use crate::row::Row;
use crate::{Batch, DbError, Value, batch};

pub(crate) fn execute(db: &Connection, sql: &str, params: &[Value]) -> Result<u64, DbError> {
    let changed = db
        .prepare_cached(&translated(sql))?
        .execute(bound(params))?;
    Ok(u64::try_from(changed).unwrap_or(u64::MAX))
}

pub(crate) fn first<T>(
    db: &Connection,
    sql: &str,
    params: &[Value],
    read: impl FnOnce(&Row<'_>) -> Result<T, DbError>,
) -> Result<Option<T>, DbError> {
    let mut statement = db.prepare_cached(&translated(sql))?;
    let read = |row: &rusqlite::Row<'_>| Ok(read(&Row::sqlite(row, sql)));
    statement
        .query_row(bound(params), read)
        .optional()?
        .transpose()
}

pub(crate) fn all<T, C: FromIterator<T>>(
    db: &Connection,
    sql: &str,
    params: &[Value],
    mut read: impl FnMut(&Row<'_>) -> Result<T, DbError>,
) -> Result<C, DbError> {
    let mut statement = db.prepare_cached(&translated(sql))?;
    let read = |row: &rusqlite::Row<'_>| read(&Row::sqlite(row, sql));
    statement.query_and_then(bound(params), read)?.collect()
}

/// Runs a statement for each row of a batch, with the row's values before `params`; returns the number of changed
/// rows.
pub(crate) fn execute_batch(
    db: &Connection,
    sql: &str,
    rows: &Batch,
    params: &[Value],
) -> Result<u64, DbError> {
    let mut statement = db.prepare_cached(&translated(sql))?;
    let mut changed = 0;
    for row in rows.iter() {
        changed += statement.execute(params_from_iter(row.iter().chain(params)))?;
    }
    Ok(u64::try_from(changed).unwrap_or(u64::MAX))
}

/// Returns the rows of a query that runs for each row of a batch, with the row's values before `params`.
pub(crate) fn all_of_batch<T, C: FromIterator<T>>(
    db: &Connection,
    sql: &str,
    rows: &Batch,
    params: &[Value],
    mut read: impl FnMut(&Row<'_>) -> Result<T, DbError>,
) -> Result<C, DbError> {
    let mut statement = db.prepare_cached(&translated(sql))?;
    let mut found = Vec::new();
    for row in rows.iter() {
        let mut results = statement.query(params_from_iter(row.iter().chain(params)))?;
        while let Some(result) = results.next()? {
            found.push(read(&Row::sqlite(result, sql))?);
        }
    }
    Ok(found.into_iter().collect())
}

/// The rows of a query whose parameters are all `NULL`.
pub(crate) fn unbound<T>(
    db: &Connection,
    sql: &str,
    read: impl Fn(&Row<'_>) -> Result<T, DbError>,
) -> Result<Vec<T>, DbError> {
    let mut statement = db.prepare(&translated(sql))?;
    let mut rows = statement.raw_query();
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(&Row::sqlite(row, sql))?);
    }
    Ok(found)
}

thread_local! {
    /// The translations of statements. Each thread has one connection, on which they stay prepared.
    static TRANSLATED: RefCell<HashMap<String, Rc<str>>> = RefCell::default();
}

/// The statement in SQLite's dialect, translated once per thread.
fn translated(sql: &str) -> Rc<str> {
    TRANSLATED.with_borrow_mut(|known| match known.get(sql) {
        Some(translated) => Rc::clone(translated),
        None => {
            let translated: Rc<str> = translate(sql).into();
            known.insert(sql.to_owned(), Rc::clone(&translated));
            translated
        }
    })
}

/// Writes a statement in SQLite's dialect: its numbered parameters start with `?`, it has no row locks, and the
/// table `batch` is one row.
fn translate(sql: &str) -> String {
    without_row_locks(&batch::for_one_row(sql)).replace('$', "?")
}

/// The clauses that lock rows in PostgreSQL; `OF table` may follow.
const ROW_LOCKS: [&str; 5] = [
    "FOR UPDATE SKIP LOCKED",
    "FOR UPDATE",
    "FOR NO KEY UPDATE",
    "FOR SHARE",
    "FOR KEY SHARE",
];

fn without_row_locks(sql: &str) -> String {
    let split = ROW_LOCKS.iter().find_map(|clause| sql.split_once(clause));
    let Some((before, after)) = split else {
        return sql.to_owned();
    };
    let after = match after.strip_prefix(" OF ") {
        Some(table) => table.trim_start_matches(|it: char| it.is_alphanumeric() || it == '_'),
        None => after,
    };
    format!("{before}{after}")
}

fn bound(params: &[Value]) -> ParamsFromIter<&[Value]> {
    params_from_iter(params)
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Value::Null => ValueRef::Null,
            Value::Boolean(value) => ValueRef::Integer((*value).into()),
            Value::Integer(value) => ValueRef::Integer(*value),
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
            Value::Bytes(bytes) => ValueRef::Blob(bytes),
            Value::Uuid(id) => ValueRef::Blob(id.as_bytes()),
        }))
    }
}
