//! Tokens, in which donations are made.

use crate::chains::{ChainAddress, ChainId};
use crate::domain::position::{Placed, Position};

/// A token as the catalogue lists it. A chain's native currency is a token at the chain kind's zero
/// address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    pub id: ChainAddress,
    pub name: String,
    /// Its ticker.
    pub symbol: String,
    /// The number of decimal digits of its smallest unit.
    pub decimals: u8,
    /// The URL of its logo.
    pub logo: Option<String>,
}

/// The filter of a list of tokens; all fields that are set must match.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TokenFilter {
    pub chain: Option<ChainId>,
    /// In lowercase.
    pub symbol: Option<String>,
}

/// By chain id, then by address.
impl Placed for Token {
    fn position(&self) -> Position {
        self.id.position()
    }
}
