//! Tokens, in which donations are made.

mod api;
mod catalogue;
pub(crate) mod mapping;
mod partner;
pub(crate) mod sql;
pub mod store;
mod token;

pub(crate) use catalogue::TokenCache;
pub use partner::{PartnerDetail, PartnerToken};
pub use token::{Token, TokenFilter};
