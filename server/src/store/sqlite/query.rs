//! The three ways of running a statement, which all keep it prepared on the connection, and the
//! bounds of a page.

use rusqlite::{Connection, OptionalExtension, Params, Result, Row};

use crate::domain::position::Position;

/// Runs a statement that gives no rows; returns how many it changed.
pub(super) fn execute(db: &Connection, sql: &str, params: impl Params) -> Result<usize> {
    db.prepare_cached(sql)?.execute(params)
}

/// The first row, if there is one.
pub(super) fn first<T>(
    db: &Connection,
    sql: &str,
    params: impl Params,
    read: impl FnOnce(&Row<'_>) -> Result<T>,
) -> Result<Option<T>> {
    db.prepare_cached(sql)?.query_row(params, read).optional()
}

/// All rows, in order.
pub(super) fn all<T>(
    db: &Connection,
    sql: &str,
    params: impl Params,
    read: impl FnMut(&Row<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    db.prepare_cached(sql)?.query_map(params, read)?.collect()
}

/// The bounds of a descending list: what lies below a position, or everything without one.
///
/// No key is as large as the key of the second case, which is longer than any.
pub(super) fn below<const N: usize>(after: Option<Position<N>>) -> (i64, Vec<u8>) {
    match after {
        Some(Position { ordinal, key }) => (ordinal, key.to_vec()),
        None => (i64::MAX, vec![u8::MAX; N + 1]),
    }
}

/// How SQLite is going to run a statement.
#[cfg(test)]
pub(super) fn plan(
    db: &Connection,
    sql: &str,
    params: impl Params,
) -> std::result::Result<String, crate::store::StoreError> {
    let steps = all(db, &format!("EXPLAIN QUERY PLAN {sql}"), params, |row| {
        row.get::<_, String>("detail")
    })?;
    Ok(steps.join("\n"))
}
