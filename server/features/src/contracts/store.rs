//! The database operations of partner contracts.

use db::{Db, DbError, Timeouts};

use crate::chains::ChainAddress;
use crate::contracts::sql;
use crate::domain::config_id::ConfigId;
use crate::domain::position::Position;
use crate::projects::ProjectId;
use crate::tokens::{PartnerDetail, Token};

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

/// A token, with its configs if it is a partner token.
pub async fn token(
    db: &Db,
    id: ChainAddress,
) -> Result<Option<(Token, Option<PartnerDetail>)>, DbError> {
    db.snapshot(Timeouts::Request, move |tx| sql::find_detail(tx, &id))
        .await
}

/// Partner tokens whose active config is this one.
pub async fn tokens_of_config(
    db: &Db,
    config: ConfigId,
    limit: usize,
) -> Result<Vec<Token>, DbError> {
    db.read(move |tx| sql::tokens_of_config(tx, config, limit))
        .await
}
