//! The catalogue: all that its operations answer from, as a database gives it and as memory holds it.

#[cfg(test)]
pub(crate) mod conformance;
mod contents;
pub(crate) mod listing;
pub(crate) mod pages;
pub(crate) mod postgres;
mod snapshot;
pub(crate) mod sqlite;
mod store;
mod tag;

pub use contents::Catalogue;
pub use snapshot::Snapshot;
pub use store::CatalogueStore;
pub use tag::{Tag, Tagged};
