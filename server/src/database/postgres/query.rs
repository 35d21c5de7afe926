//! Functions that run statements, which stay prepared on their connection, and the bounds of a page.

use alloy_primitives::hex;
use deadpool_postgres::GenericClient;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::Failure;
use crate::database::StoreError;
use crate::domain::position::Position;

/// The parameters of a statement.
pub(crate) type Params<'a> = &'a [&'a (dyn ToSql + Sync)];

/// Runs a statement that returns no rows; returns the number of changed rows.
pub(crate) async fn execute(
    db: &impl GenericClient,
    sql: &str,
    params: Params<'_>,
) -> Result<u64, Failure> {
    let statement = db.prepare_cached(sql).await?;
    Ok(db.execute(&statement, params).await?)
}

/// The first row, if there is one.
pub(crate) async fn first<T>(
    db: &impl GenericClient,
    sql: &str,
    params: Params<'_>,
    read: impl FnOnce(&Row) -> Result<T, Failure>,
) -> Result<Option<T>, Failure> {
    let statement = db.prepare_cached(sql).await?;
    let row = db.query_opt(&statement, params).await?;
    let read = |row| read(row).map_err(|failure| failure.at(|| place(row, sql)));
    row.as_ref().map(read).transpose()
}

/// The row of a query that always has one, such as a count.
pub(crate) async fn one<T>(
    db: &impl GenericClient,
    sql: &str,
    params: Params<'_>,
    read: impl FnOnce(&Row) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let missing = || StoreError::Corrupt("a count has no row".to_owned());
    Ok(first(db, sql, params, read).await?.ok_or_else(missing)?)
}

/// All rows, in order, as any collection.
pub(crate) async fn all<T, C: FromIterator<T>>(
    db: &impl GenericClient,
    sql: &str,
    params: Params<'_>,
    read: impl Fn(&Row) -> Result<T, Failure>,
) -> Result<C, Failure> {
    let statement = db.prepare_cached(sql).await?;
    let rows = db.query(&statement, params).await?;
    let read = |row| read(row).map_err(|failure| failure.at(|| place(row, sql)));
    rows.iter().map(read).collect()
}

/// The place of a row: its table and, if its first column is an id, that id. Its values are
/// confidential.
fn place(row: &Row, sql: &str) -> String {
    let mut words = sql.split_whitespace().skip_while(|word| *word != "FROM");
    let table = words.nth(1).unwrap_or("?");
    let uuid = || row.try_get::<_, Uuid>(0).map(|id| id.to_string());
    let number = |_| row.try_get::<_, i64>(0).map(|id| id.to_string());
    let bytes = |_| {
        row.try_get::<_, &[u8]>(0)
            .map(|id| format!("0x{}", hex::encode(id)))
    };
    let id = uuid().or_else(number).or_else(bytes);
    format!("row {} of table {table}", id.unwrap_or("?".to_owned()))
}

/// Whether a query has a row.
pub(crate) async fn exists(
    db: &impl GenericClient,
    sql: &str,
    params: Params<'_>,
) -> Result<bool, Failure> {
    Ok(first(db, sql, params, |_| Ok(())).await?.is_some())
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

/// The maximum number of rows to read.
pub(crate) fn limit(rows: usize) -> i64 {
    i64::try_from(rows).unwrap_or(i64::MAX)
}
