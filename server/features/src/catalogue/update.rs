//! Newer data for the catalog in memory.

use crate::campaigns::{CampaignId, CampaignProgress};
use crate::chains::{Chain, ChainId};
use crate::charities::{Charity, CharityId};
use crate::configs::Config;
use crate::database::{Update, Versions};
use crate::domain::donation_stats::DonationStats;

/// Newer data for the catalog in memory, of one state of the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogueUpdate {
    /// The counters of that state.
    pub versions: Versions,
    /// Charities, active or not.
    pub charities: Update<CharityId, Charity>,
    /// The sums of donations to charities, except those without donations.
    pub received: Update<CharityId, (CharityId, DonationStats)>,
    pub campaigns: Update<CampaignId, CampaignProgress>,
    /// The configs that `campaigns` serve, deleted ones included.
    pub campaign_configs: Vec<Config>,
    pub chains: Update<ChainId, Chain>,
}
