//! Charities: the organisations that donations reach.

mod api;
mod atom;
mod catalogue;
mod category;
mod charity;
pub(crate) mod mapping;
pub(crate) mod postgres;
pub(crate) mod sqlite;

pub use catalogue::{Charities, CharityFilter, CharitySort};
pub use category::{Category, UnknownCategory};
pub use charity::{Charity, CharityId, PostalAddress, SocialLink};
