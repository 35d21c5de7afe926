//! A charity as a card of a list.

use super::{category, country};
use crate::logo::Logo;
use crate::money;
use features::charities::{Charity, CharityTotals};

pub(super) struct CharityCard<'a> {
    pub(super) logo: Logo,
    pub(super) slug: &'a str,
    pub(super) name: &'a str,
    pub(super) category: String,
    pub(super) country: &'a str,
    pub(super) is_verified: bool,
    /// What it received, if anything.
    pub(super) received: Option<String>,
}

impl<'a> CharityCard<'a> {
    pub(super) fn of(charity: &'a Charity, totals: &CharityTotals) -> Self {
        let usd = totals.of(charity.id).usd;
        Self {
            logo: Logo::of(charity),
            slug: &charity.slug,
            name: &charity.name,
            category: category::name(charity.category),
            country: country::name(&charity.country),
            is_verified: charity.verified,
            received: (usd.0 > 0).then(|| money::dollars(usd)),
        }
    }
}
