//! The list of tokens, each by chain and address, with the details of partner tokens.

use std::collections::HashMap;

use generated::models;

use super::Token;
use super::mapping;
use crate::catalogue::Tagged;
use crate::catalogue::listing::{Direction, Joined, Listing, Placed, join};
use crate::catalogue::pages::Pages;
use crate::chains::{ChainAddress, ChainId};
use crate::contracts::PartnerDetail;
use crate::domain::position::Position;

/// Every token.
pub struct Tokens {
    listing: Listing<Entry, 32>,
    pages: Pages<PageQuery, models::TokenPage>,
    by_key: HashMap<[u8; 40], usize>,
    partners: HashMap<[u8; 40], PartnerDetail>,
}

/// The chain, position and maximum size of a page.
type PageQuery = (Option<ChainId>, Option<Position<32>>, usize);

struct Entry {
    token: Token,
    shown: Tagged<models::Token>,
}

impl Placed<32> for Entry {
    fn position(&self) -> Position<32> {
        self.token.position()
    }
}

impl Tokens {
    pub(crate) fn build(tokens: Vec<Token>, partners: Vec<PartnerDetail>) -> Tokens {
        let entries = tokens.into_iter().map(|token| Entry {
            shown: Tagged::new(mapping::token(&token).into()),
            token,
        });
        let listing = Listing::new(entries.collect(), Direction::Ascending);
        let places = listing.entries().iter().enumerate();
        let partners = partners
            .into_iter()
            .map(|detail| (detail.partner.token.key(), detail));
        Tokens {
            by_key: places
                .map(|(at, entry)| (entry.token.id.key(), at))
                .collect(),
            partners: partners.collect(),
            pages: Pages::new(),
            listing,
        }
    }

    /// A token, with its details if it is a partner token.
    pub fn find(&self, id: &ChainAddress) -> Option<(&Token, Option<&PartnerDetail>)> {
        let entry = self.listing.entries().get(*self.by_key.get(&id.key())?)?;
        Some((&entry.token, self.partners.get(&id.key())))
    }

    /// A page of tokens, by chain id and then by address.
    pub fn page(
        &self,
        chain: Option<ChainId>,
        after: Option<Position<32>>,
        limit: usize,
    ) -> Tagged<models::TokenPage> {
        self.pages
            .get((chain, after, limit), |query| self.make(*query))
    }

    fn make(&self, (chain, after, limit): PageQuery) -> Tagged<models::TokenPage> {
        let run = self.listing.run(after, limit, |entry| {
            chain.is_none_or(|chain| entry.token.id.chain == chain)
        });
        let items = run.entries.iter().map(|entry| &entry.shown);
        let Joined {
            page_key,
            items,
            tag,
        } = join(run.next, items);
        let body = models::TokenPage::join(&page_key, &items);
        Tagged { body, tag }
    }
}
