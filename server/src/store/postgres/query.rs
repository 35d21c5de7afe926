//! The three ways of running a statement, which all keep it prepared on the connection, and the
//! bounds of a page.

use deadpool_postgres::GenericClient;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use super::Failure;
use crate::domain::position::Position;

/// The parameters of a statement.
pub(super) type Params<'a> = &'a [&'a (dyn ToSql + Sync)];

/// Runs a statement that gives no rows; returns how many it changed.
pub(super) async fn execute(
    db: &impl GenericClient,
    sql: &str,
    params: Params<'_>,
) -> Result<u64, Failure> {
    let statement = db.prepare_cached(sql).await?;
    Ok(db.execute(&statement, params).await?)
}

/// The first row, if there is one.
pub(super) async fn first<T>(
    db: &impl GenericClient,
    sql: &str,
    params: Params<'_>,
    read: impl FnOnce(&Row) -> Result<T, Failure>,
) -> Result<Option<T>, Failure> {
    let statement = db.prepare_cached(sql).await?;
    let row = db.query_opt(&statement, params).await?;
    row.as_ref().map(read).transpose()
}

/// All rows, in order, in whatever collection.
pub(super) async fn all<T, C: FromIterator<T>>(
    db: &impl GenericClient,
    sql: &str,
    params: Params<'_>,
    read: impl Fn(&Row) -> Result<T, Failure>,
) -> Result<C, Failure> {
    let statement = db.prepare_cached(sql).await?;
    let rows = db.query(&statement, params).await?;
    rows.iter().map(read).collect()
}

/// Whether a query has a row.
pub(super) async fn exists(
    db: &impl GenericClient,
    sql: &str,
    params: Params<'_>,
) -> Result<bool, Failure> {
    Ok(first(db, sql, params, |_| Ok(())).await?.is_some())
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

/// How many rows to read at most.
pub(super) fn limit(rows: usize) -> i64 {
    i64::try_from(rows).unwrap_or(i64::MAX)
}
