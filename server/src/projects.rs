//! Projects: the customers, and what they pay for.

#[cfg(test)]
pub(crate) mod conformance;
pub(crate) mod postgres;
mod project;
pub(crate) mod sqlite;
mod store;

pub use project::{Project, ProjectId, Tier, UnknownTier};
pub use store::ProjectStore;
