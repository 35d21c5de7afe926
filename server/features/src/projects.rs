//! Projects: the customers, their tiers and their members.

mod actor;
mod api;
pub mod demo;
mod member;
mod project;
mod requester;
pub mod sql;
pub mod store;

pub use actor::Actor;
pub use actor::Standing;
pub use member::ProjectAccess;
pub use member::{OwnProject, Role};
pub use project::{Project, ProjectId, Tier};
pub use requester::Requester;
