//! Projects: the customers, and what they pay for.

#[cfg(test)]
pub(crate) mod conformance;
pub(crate) mod postgres;
mod project;
pub(crate) mod sqlite;

pub use project::{Project, ProjectId, Tier, UnknownTier};
