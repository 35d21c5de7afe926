//! Charities: the organisations that donations reach.

mod api;
mod atom;
mod catalogue;
mod category;
mod charity;
pub(crate) mod mapping;
pub(crate) mod sql;
mod totals;

pub use catalogue::{Charities, CharityFilter, CharityOrder, search_words};
pub use category::Category;
pub use charity::{Charity, CharityId, PostalAddress, SocialLink};
pub use totals::CharityTotals;
