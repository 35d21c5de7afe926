//! The database operations of partner contracts.

use db::{Db, DbError};

use crate::chains::ChainAddress;
use crate::contracts::sql;
use crate::domain::position::Position;
use crate::projects::ProjectId;

/// A project's contracts after a position, by chain id and then by address.
pub async fn contracts(
    db: &Db,
    project: ProjectId,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<ChainAddress>, DbError> {
    db.read(move |tx| sql::page(tx, project, after, limit))
        .await
}
