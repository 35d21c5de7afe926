//! Projects: the customers, their tiers and their members.

mod actor;
mod api;
mod member;
mod project;
mod requester;
pub(crate) mod sql;
pub mod store;

pub use actor::Actor;
pub(crate) use actor::Standing;
pub(crate) use member::ProjectAccess;
pub use member::{OwnProject, Role, UnknownRole};
pub use project::{Project, ProjectId, Tier, UnknownTier};
pub use requester::Requester;
