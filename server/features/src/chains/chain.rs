//! Blockchains and their three kinds.

use std::fmt;

/// The number of a chain: its EIP-155 id where it has one, else one that the platform gave it.
///
/// Always in `0..=ChainId::MAX`, so that a JSON number carries it exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChainId(i64);

db::column!(ChainId as i64, |chain| chain.get(), ChainId::new);

impl ChainId {
    /// The largest id: 2^53 − 1, the largest integer that every JSON reader keeps exact.
    pub const MAX: i64 = 9_007_199_254_740_991;

    /// The id with this number; `None` outside `0..=MAX`.
    pub const fn new(number: i64) -> Option<ChainId> {
        match number {
            0..=Self::MAX => Some(ChainId(number)),
            _ => None,
        }
    }

    pub const fn get(self) -> i64 {
        self.0
    }

    /// The id as big-endian bytes, which the keys of its addresses start with.
    pub(crate) const fn key(self) -> [u8; 8] {
        self.0.to_be_bytes()
    }
}

impl fmt::Display for ChainId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

db::named! {
    /// The account model of a chain, which decides the syntax of its addresses and transaction ids.
    pub enum ChainKind {
        /// Ethereum and the chains that run its virtual machine.
        Evm = "EVM",
        /// Solana and the chains that run its virtual machine.
        Svm = "SVM",
        /// Bitcoin: outputs, not accounts.
        Utxo = "UTXO",
    }
}

/// A blockchain that tokens live on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    pub id: ChainId,
    pub name: String,
    pub kind: ChainKind,
    /// The currency in which its fees are paid.
    pub native_currency: NativeCurrency,
    /// The URL of a block explorer.
    pub explorer: Option<String>,
}

/// The currency that a chain's fees are paid in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NativeCurrency {
    /// Its name, such as `Ether`.
    pub name: String,
    /// Its ticker, such as `ETH`.
    pub symbol: String,
    /// The number of decimal digits of its smallest unit.
    pub decimals: u8,
}
