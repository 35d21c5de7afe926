//! The list of tokens, each by chain and address, with the details of partner tokens.

use std::collections::HashMap;

use generated::models;

use super::{Token, mapping};
use crate::chains::{ChainAddress, ChainId};
use crate::domain::paging::PageRequest;
use crate::domain::position::{Placed, Position};
use crate::listing::{Direction, Joined, Listing, Pages, Tagged, join};
use crate::tokens::PartnerDetail;

pub struct Tokens {
    listing: Listing<Entry>,
    pages: Pages<PageRequest, models::TokenPage>,
    by_key: HashMap<[u8; 40], usize>,
    partners: HashMap<[u8; 40], PartnerDetail>,
}

struct Entry {
    token: Token,
    encoded: Tagged<models::Token>,
}

impl Placed for Entry {
    fn position(&self) -> Position {
        self.token.position()
    }
}

impl Tokens {
    pub(crate) fn build(tokens: Vec<Token>, partners: Vec<PartnerDetail>) -> Tokens {
        let entries = tokens.into_iter().map(|token| Entry {
            encoded: Tagged::new(mapping::token(&token).into()),
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

    /// A page of tokens, by chain id and then by address: all, or those of a chain and with a symbol, which
    /// is in lower case.
    pub fn page(
        &self,
        chain: Option<ChainId>,
        symbol: Option<&str>,
        page: PageRequest,
    ) -> Tagged<models::TokenPage> {
        self.pages
            .get(page, |page| self.build_page(chain, symbol, page))
    }

    fn build_page(
        &self,
        chain: Option<ChainId>,
        symbol: Option<&str>,
        page: &PageRequest,
    ) -> Tagged<models::TokenPage> {
        let run = self.listing.run(page, |Entry { token, .. }| {
            chain.is_none_or(|chain| token.id.chain == chain)
                && symbol.is_none_or(|symbol| token.symbol.to_lowercase() == symbol)
        });
        let items = run.entries.iter().map(|entry| &entry.encoded);
        let Joined { items, tag } = join(run.page_key.as_deref(), items);
        let body = models::TokenPage::join(&run.page_key, &items);
        Tagged { body, tag }
    }
}
