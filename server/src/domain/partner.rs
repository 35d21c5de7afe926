//! Partner contracts and the tokens that they own.

use super::address::{Address, ChainAddress};
use super::config::ConfigId;
use super::project::ProjectId;

/// A contract that a project registered. It owns tokens of its chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartnerContract {
    /// The chain and the address there.
    pub id: ChainAddress,
    /// The project that it belongs to.
    pub project: ProjectId,
}

/// What makes a token a partner token. Its contract never changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartnerToken {
    /// The token.
    pub token: ChainAddress,
    /// The contract that owns it, on the same chain.
    pub contract: Address,
    /// Who made it, on the same chain.
    pub creator: Address,
    /// The config that donations in it go to now.
    pub active_config: ConfigId,
    /// Those that they went to before, latest first; none of them active or named twice.
    pub previous_configs: Vec<ConfigId>,
}
