//! The catalogue: all that its operations answer from, as a database gives it and as memory holds it.

mod contents;
mod snapshot;
pub(crate) mod sql;
pub mod store;

pub use contents::Catalogue;
pub use snapshot::Snapshot;
