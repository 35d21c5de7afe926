//! Tokens, in which donations are made.

mod api;
mod catalogue;
pub(crate) mod mapping;
mod partner;
pub(crate) mod sql;
mod token;

pub use catalogue::Tokens;
pub use partner::{PartnerDetail, PartnerToken};
pub use token::Token;
