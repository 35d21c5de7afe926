//! The catalogue: all that its operations answer from, as a database gives it and as memory holds it.

mod contents;
pub(crate) mod listing;
pub(crate) mod pages;
mod snapshot;
pub(crate) mod sql;
pub mod store;

pub use contents::Catalogue;
pub use snapshot::Snapshot;

/// An encoded body with its entity tag.
pub type Tagged<T> = generated::runtime::Tagged<generated::Encoded<T>>;
