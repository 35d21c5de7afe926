//! The database operations of the catalog.

use db::{Db, DbError, Timeouts};

use super::{CatalogueUpdate, sql};
use crate::chains::{Chain, sql as chains};
use crate::database::Versions;

/// Reads what has changed in the catalog since a copy had the versions `since`, in one state of the database;
/// everything without one.
pub async fn update(db: &Db, since: Option<Versions>) -> Result<CatalogueUpdate, DbError> {
    db.snapshot(Timeouts::Bulk, move |tx| sql::update(tx, since))
        .await
}

/// All chains, by id.
pub async fn chains(db: &Db) -> Result<Vec<Chain>, DbError> {
    db.read(chains::all).await
}
