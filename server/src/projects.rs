//! Projects: the customers, their tiers and their members.

mod actor;
mod administration;
mod api;
mod member;
mod project;
pub(crate) mod sql;
pub mod store;

pub use actor::Actor;
pub(crate) use actor::Standing;
pub use administration::{
    ProjectChangeError, ProjectRefusal, create, create_own, delete, find, rename, set_tier,
};
pub(crate) use member::ProjectAccess;
pub use member::{OwnProject, Role, UnknownRole};
pub use project::{Project, ProjectId, Tier, UnknownTier};
