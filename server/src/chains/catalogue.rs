//! Chains.

use generated::models;

use super::mapping;
use super::{Chain, ChainId};
use crate::catalogue::Tagged;

/// Every chain, by id.
pub struct Chains {
    chains: Vec<Chain>,
    list: Tagged<models::ChainList>,
}

impl Chains {
    pub(crate) fn build(mut chains: Vec<Chain>) -> Chains {
        chains.sort_by_key(|chain| chain.id);
        let list = models::ChainList {
            response: chains.iter().map(mapping::chain).collect(),
        };
        Chains {
            list: Tagged::new(list.into()),
            chains,
        }
    }

    /// A chain that the service knows.
    pub fn find(&self, id: ChainId) -> Option<&Chain> {
        let place = self
            .chains
            .binary_search_by_key(&id, |chain| chain.id)
            .ok()?;
        self.chains.get(place)
    }

    /// All chains, by id.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Chain> {
        self.chains.iter()
    }

    /// The list of all chains.
    pub fn list(&self) -> &Tagged<models::ChainList> {
        &self.list
    }
}
