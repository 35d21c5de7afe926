//! The database operations of the catalogue.

use std::collections::HashMap;

use async_trait::async_trait;

use super::Catalogue;
use crate::campaigns::CampaignId;
use crate::chains::Chain;
use crate::charities::CharityId;
use crate::database::StoreError;
use crate::domain::amount::UsdE6;
use crate::donations::DonationStats;

/// The database operations of the catalogue. See [`Database`](crate::database::Database).
#[async_trait]
pub trait CatalogueStore {
    /// The catalogue, in one state of the database.
    async fn catalogue(&self) -> Result<Catalogue, StoreError>;

    /// The amount raised by every campaign, without the rest of the catalogue, which changes less
    /// often.
    async fn raised(&self) -> Result<HashMap<CampaignId, UsdE6>, StoreError>;

    /// The sums of donations to every charity; one without donations may be left out.
    async fn received(&self) -> Result<HashMap<CharityId, DonationStats>, StoreError>;

    /// All chains, by id.
    async fn chains(&self) -> Result<Vec<Chain>, StoreError>;
}
