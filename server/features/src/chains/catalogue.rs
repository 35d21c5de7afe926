//! Chains.

use std::sync::Arc;

use generated::models;

use super::{Chain, ChainId, mapping};
use crate::domain::paging::PageRequest;
use crate::domain::position::Position;
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

impl Chains {
    pub(crate) fn build(chains: Vec<Chain>) -> Chains {
        let mut listing = Listing::new(Direction::Ascending);
        for chain in chains {
            let entry = Entry {
                encoded: Tagged::new(mapping::chain(&chain).into()),
                chain,
            };
            listing.insert(position(entry.chain.id), Arc::new(entry));
        }
        Chains {
            listing,
            pages: Pages::new(),
        }
    }

    /// A chain that the service knows.
    pub fn find(&self, id: ChainId) -> Option<&Chain> {
        let entry = self.listing.get(&position(id))?;
        Some(&entry.chain)
    }

    /// All chains, by id.
    pub fn all(&self) -> impl Iterator<Item = &Chain> {
        self.listing.iter().map(|entry| &entry.chain)
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

fn position(id: ChainId) -> Position {
    Position {
        ordinal: id.get(),
        key: Vec::new(),
    }
}
