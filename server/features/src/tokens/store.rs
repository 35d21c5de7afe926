//! The database operations of tokens.

use db::{Db, DbError};

use super::{Token, TokenFilter, sql};
use crate::domain::position::Position;

/// The first tokens that match a filter, after a position, by chain id and then by address.
pub async fn tokens(
    db: &Db,
    filter: TokenFilter,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Token>, DbError> {
    db.read(move |tx| sql::page(tx, &filter, after.as_ref(), limit))
        .await
}
