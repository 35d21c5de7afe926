//! Tokens, in which donations are made.

mod api;
mod catalogue;
pub(crate) mod mapping;
pub(crate) mod sql;
mod token;

pub use catalogue::Tokens;
pub use token::Token;
