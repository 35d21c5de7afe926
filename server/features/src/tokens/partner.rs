//! Partner tokens: the tokens that partner contracts own.

use crate::chains::{Address, ChainAddress};
use crate::configs::Config;
use crate::domain::config_id::ConfigId;

/// The assignment of a token to a partner contract, which makes it a partner token. The contract never
/// changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartnerToken {
    pub token: ChainAddress,
    /// The contract that owns it, on the same chain.
    pub contract: Address,
    /// The address of its creator, on the same chain.
    pub creator: Address,
    /// The config that donations in it go to now.
    pub active_config: ConfigId,
    /// The configs that donations in it went to before, latest first; none of them active or named
    /// twice.
    pub previous_configs: Vec<ConfigId>,
}

impl PartnerToken {
    /// The key of its contract; see [`ChainAddress::key`].
    pub(crate) fn contract_key(&self) -> [u8; 40] {
        let (chain, address) = (self.token.chain, self.contract.clone());
        ChainAddress { chain, address }.key()
    }
}

/// A partner token with its configs. Configs that their project has deleted are included, because the
/// deletion does not change the token on the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartnerDetail {
    pub partner: PartnerToken,
    pub active_config: Config,
    /// The previous ones, latest first.
    pub previous_configs: Vec<Config>,
}
