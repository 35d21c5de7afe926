//! Tokens, in which donations are made.

use crate::chains::ChainAddress;
use crate::domain::position::Position;

/// A token as the catalogue lists it. A chain's native currency is a token at the chain kind's zero
/// address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// The chain and the address there.
    pub id: ChainAddress,
    /// Its name.
    pub name: String,
    /// Its ticker.
    pub symbol: String,
    /// The number of decimal digits of its smallest unit.
    pub decimals: u8,
    /// The address of its logo.
    pub logo: Option<String>,
}

impl Token {
    /// The token's place in lists ordered by chain id and then by address.
    pub fn position(&self) -> Position<32> {
        Position {
            ordinal: self.id.chain.get(),
            key: self.id.address.sort_key(),
        }
    }
}
