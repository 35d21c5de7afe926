//! Projects: the customers and their tiers.

mod actor;
mod administration;
#[cfg(test)]
pub(crate) mod conformance;
pub(crate) mod postgres;
mod project;
pub(crate) mod sqlite;
mod store;

pub use actor::Actor;
pub use administration::{ProjectChangeError, ProjectRefusal, create, set_tier};
pub use project::{Project, ProjectId, Tier, UnknownTier};
pub use store::ProjectStore;
