//! The whole catalogue, as a server's snapshot is built from.

use super::Versions;
use crate::domain::amount::UsdE6;
use crate::domain::campaign::Campaign;
use crate::domain::chain::Chain;
use crate::domain::charity::Charity;
use crate::domain::config::Config;
use crate::domain::partner::PartnerToken;
use crate::domain::token::Token;

/// Everything that catalogue reads answer from, in one state of the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Catalogue {
    /// The counters of that state.
    pub versions: Versions,
    /// All charities, active or not, by id.
    pub charities: Vec<Charity>,
    /// All campaigns, by id.
    pub campaigns: Vec<CampaignProgress>,
    /// All chains, by id.
    pub chains: Vec<Chain>,
    /// All tokens, by chain id and then by address.
    pub tokens: Vec<Token>,
    /// What makes some of them partner tokens, in the same order.
    pub partners: Vec<PartnerDetail>,
}

/// A campaign and what it has raised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CampaignProgress {
    /// The campaign.
    pub campaign: Campaign,
    /// What it has raised so far; see [`Campaign`].
    pub raised: UsdE6,
}

/// A partner token with its configs. A config that its project deleted is still here: what the
/// chain says does not change by that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartnerDetail {
    /// The token, its contract and its creator.
    pub partner: PartnerToken,
    /// The active config.
    pub active_config: Config,
    /// The previous ones, latest first.
    pub previous_configs: Vec<Config>,
}
