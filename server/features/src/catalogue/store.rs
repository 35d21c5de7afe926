//! The database operations of the catalogue.

use std::collections::HashMap;

use db::{Db, DbError, Timeouts};

use super::Catalogue;
use crate::campaigns::{CampaignId, sql as campaigns};
use crate::catalogue::sql;
use crate::chains::{Chain, sql as chains};
use crate::charities::CharityId;
use crate::domain::amount::UsdE6;
use crate::domain::donation_stats::DonationStats;
use crate::rollups::charity_totals::sql as charity_totals;

/// The catalogue, in one state of the database.
pub async fn catalogue(db: &Db) -> Result<Catalogue, DbError> {
    db.snapshot(Timeouts::Bulk, sql::load).await
}

/// The amount raised by every campaign, without the rest of the catalogue, which changes less
/// often.
pub async fn raised(db: &Db) -> Result<HashMap<CampaignId, UsdE6>, DbError> {
    db.read(campaigns::raised).await
}

/// The sums of donations to every charity; one without donations may be left out.
pub async fn received(db: &Db) -> Result<HashMap<CharityId, DonationStats>, DbError> {
    db.read(charity_totals::all).await
}

/// All chains, by id.
pub async fn chains(db: &Db) -> Result<Vec<Chain>, DbError> {
    db.read(chains::all).await
}
