//! Tokens, in which donations are made.

use crate::chains::ChainAddress;
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

/// By chain id, then by address.
impl Placed for Token {
    fn position(&self) -> Position {
        self.id.position()
    }
}
