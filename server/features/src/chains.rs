//! Chains, and the addresses and transactions on them.

mod address;
pub(crate) mod api;
mod catalogue;
mod chain;
mod mapping;
pub(crate) mod sql;
mod transaction;

pub(crate) use address::chain_key;
pub use address::{Address, ChainAddress, InvalidAddress};
pub use catalogue::Chains;
pub use chain::{Chain, ChainId, ChainKind, NativeCurrency};
pub use transaction::TransactionId;
