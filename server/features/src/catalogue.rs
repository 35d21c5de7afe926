//! The catalog in memory: charities, campaigns and chains, with what they receive. It is refreshed by what has changed in
//! the database. Tokens, of which there are many, are read from the database, and only recent responses are cached.

mod snapshot;
pub(crate) mod sql;
pub mod store;
mod update;

pub use snapshot::Snapshot;
pub use update::CatalogueUpdate;
