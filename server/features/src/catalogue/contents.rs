//! The content of the catalogue, from which a server's snapshot is built.

use std::collections::HashMap;

use crate::campaigns::CampaignProgress;
use crate::chains::Chain;
use crate::charities::{Charity, CharityId};
use crate::configs::Config;
use crate::database::Versions;
use crate::domain::donation_stats::DonationStats;
use crate::tokens::{PartnerDetail, Token};

/// Everything that catalogue reads answer from, in one state of the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Catalogue {
    /// The counters of that state.
    pub versions: Versions,
    /// All charities, active or not, by id.
    pub charities: Vec<Charity>,
    /// The sums of donations to charities; one without donations may be left out.
    pub received: HashMap<CharityId, DonationStats>,
    /// All campaigns, by id.
    pub campaigns: Vec<CampaignProgress>,
    /// The configs that campaigns serve, in no order, deleted ones included.
    pub campaign_configs: Vec<Config>,
    /// All chains, by id.
    pub chains: Vec<Chain>,
    /// All tokens, by chain id and then by address.
    pub tokens: Vec<Token>,
    /// The details of those that are partner tokens, in the same order.
    pub partners: Vec<PartnerDetail>,
}
