//! Recent responses about tokens.

use generated::models;

use super::Token;
use super::mapping;
use crate::domain::paging::PageRequest;
use crate::listing::{Joined, Pages, Tagged, join};

/// Recent responses about tokens in one state of the catalog.
#[derive(Default)]
pub(crate) struct TokenCache {
    pub(super) pages: Pages<PageRequest, models::TokenPage>,
    /// By the key of the token.
    pub(super) details: Pages<[u8; 40], models::TokenDetail>,
}

/// The page that the rows of a request make up.
pub(super) fn page(request: &PageRequest, mut tokens: Vec<Token>) -> Tagged<models::TokenPage> {
    let page_key = request.cut(&mut tokens);
    let items = tokens
        .iter()
        .map(|token| Tagged::<models::Token>::new(mapping::token(token).into()));
    let items: Vec<_> = items.collect();
    let Joined { items, tag } = join(page_key.as_deref(), items.iter());
    let body = models::TokenPage::join(&page_key, &items);
    Tagged { body, tag }
}
