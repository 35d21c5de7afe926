//! Functions that run statements, which stay prepared on their connection, and the bounds of a page.

use rusqlite::types::{Type, ValueRef};
use rusqlite::{Connection, Error, OptionalExtension, Params, Result, Row};

use alloy_primitives::hex;

use crate::domain::position::Position;

/// Runs a statement that returns no rows; returns the number of changed rows.
pub(crate) fn execute(db: &Connection, sql: &str, params: impl Params) -> Result<usize> {
    db.prepare_cached(sql)?.execute(params)
}

/// The first row, if there is one.
pub(crate) fn first<T>(
    db: &Connection,
    sql: &str,
    params: impl Params,
    read: impl FnOnce(&Row<'_>) -> Result<T>,
) -> Result<Option<T>> {
    let read = |row: &Row<'_>| read(row).map_err(|error| locate(row, sql, error));
    db.prepare_cached(sql)?.query_row(params, read).optional()
}

/// All rows, in order.
pub(crate) fn all<T>(
    db: &Connection,
    sql: &str,
    params: impl Params,
    mut read: impl FnMut(&Row<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    let read = |row: &Row<'_>| read(row).map_err(|error| locate(row, sql, error));
    db.prepare_cached(sql)?.query_map(params, read)?.collect()
}

/// Whether a query has a row.
pub(crate) fn exists(db: &Connection, sql: &str, params: impl Params) -> Result<bool> {
    db.prepare_cached(sql)?.exists(params)
}

/// A value that no program of this version writes. It names the place and not the value, which is
/// confidential.
#[derive(Debug, thiserror::Error)]
#[error("column {column} of table {table} cannot be read in row {row}")]
pub(crate) struct Unreadable {
    table: String,
    /// The row's first value, if it is an id of ours.
    row: String,
    column: String,
}

/// Adds its place to the error about a value that cannot be read.
fn locate(row: &Row<'_>, sql: &str, error: Error) -> Error {
    let column = match error {
        Error::FromSqlConversionFailure(column, ..)
        | Error::IntegralValueOutOfRange(column, _)
        | Error::InvalidColumnType(column, ..)
        | Error::Utf8Error(column, _) => column,
        other => return other,
    };
    let name = row.as_ref().column_name(column).unwrap_or("?");
    let mut words = sql.split_whitespace().skip_while(|word| *word != "FROM");
    let unreadable = Unreadable {
        table: words.nth(1).unwrap_or("?").to_owned(),
        row: match row.get_ref(0) {
            Ok(ValueRef::Blob(id)) => format!("0x{}", hex::encode(id)),
            Ok(ValueRef::Integer(id)) => id.to_string(),
            _ => "?".to_owned(),
        },
        column: name.to_owned(),
    };
    Error::FromSqlConversionFailure(column, Type::Null, Box::new(unreadable))
}

/// The bounds of a descending list: the elements below a position, or all of them without one.
///
/// The key of the second case is longer, and so larger, than any real key.
pub(crate) fn below(after: Option<Position>) -> (i64, Vec<u8>) {
    match after {
        Some(Position { ordinal, key }) => (ordinal, key),
        None => (i64::MAX, vec![u8::MAX; Position::MAX_KEY + 1]),
    }
}

/// Checks that the rows of a page are read from an index and nothing is sorted: `index` is a part of the
/// query plan, on an empty database.
#[cfg(test)]
#[track_caller]
pub(crate) fn assert_reads_index(page: &str, params: impl Params, index: &str) {
    let mut db = Connection::open_in_memory().unwrap();
    super::migrations::migrate(&mut db).unwrap();
    let explain = format!("EXPLAIN QUERY PLAN {page}");
    let detail = |row: &Row<'_>| row.get::<_, String>("detail");
    let plan = all(&db, &explain, params, detail).unwrap().join("\n");
    assert!(
        plan.contains(index) && !plan.contains("TEMP B-TREE"),
        "{plan}"
    );
}
