//! Chains.

use generated::models;

use super::{Chain, ChainId, mapping};
use crate::domain::paging::PageRequest;
use crate::domain::position::{Placed, Position};
use crate::listing::{Direction, Joined, Listing, Pages, Tagged, join};

/// Every chain, by id.
pub struct Chains {
    listing: Listing<Entry>,
    pages: Pages<PageRequest, models::ChainPage>,
}

struct Entry {
    chain: Chain,
    encoded: Tagged<models::Chain>,
}

impl Placed for Entry {
    fn position(&self) -> Position {
        Position {
            ordinal: self.chain.id.get(),
            key: Vec::new(),
        }
    }
}

impl Chains {
    pub(crate) fn build(chains: Vec<Chain>) -> Chains {
        let entries = chains.into_iter().map(|chain| Entry {
            encoded: Tagged::new(mapping::chain(&chain).into()),
            chain,
        });
        Chains {
            listing: Listing::new(entries.collect(), Direction::Ascending),
            pages: Pages::new(),
        }
    }

    /// A chain that the service knows.
    pub fn find(&self, id: ChainId) -> Option<&Chain> {
        let entries = self.listing.entries();
        let place = entries
            .binary_search_by_key(&id, |entry| entry.chain.id)
            .ok()?;
        entries.get(place).map(|entry| &entry.chain)
    }

    /// All chains, by id.
    pub fn all(&self) -> impl Iterator<Item = &Chain> {
        self.listing.entries().iter().map(|entry| &entry.chain)
    }

    /// A page of chains, by id.
    pub fn page(&self, page: PageRequest) -> Tagged<models::ChainPage> {
        self.pages.get(page, |page| {
            let run = self.listing.run(page, |_| true);
            let items = run.entries.iter().map(|entry| &entry.encoded);
            let Joined { items, tag } = join(run.page_key.as_deref(), items);
            let body = models::ChainPage::join(&run.page_key, &items);
            Tagged { body, tag }
        })
    }
}
