//! The keys of projects: their text, their records, and the lookup of a request's key.

mod change;
mod checksum;
#[cfg(test)]
pub(crate) mod conformance;
pub mod demo;
mod key;
pub mod lifecycle;
pub(crate) mod lookup;
pub(crate) mod postgres;
mod record;
pub(crate) mod sqlite;
mod store;
mod table;

pub use change::{KeyOfProject, KeyRefusal};
pub use key::{Key, KeyError};
pub use record::{KeyDigest, KeyId, KeyRecord, NewKey};
pub use store::KeyStore;
pub use table::KeyTable;
