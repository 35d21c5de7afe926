//! The roles of members.

use jiff::Timestamp;

use super::{Actor, Project, Standing};

db::named! {
    /// The permissions of an account in a project.
    pub enum Role {
        /// Has every permission, including deleting the project and choosing its members.
        Owner = "owner",
        /// Sees the project and manages its keys.
        Member = "member",
    }
}

/// A project that an account is a member of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnProject {
    pub project: Project,
    pub role: Role,
    pub since: Timestamp,
    pub is_suspended: bool,
}

/// A project that exists, and the standing of an actor in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectAccess {
    pub project: Project,
    pub standing: Standing,
}

impl ProjectAccess {
    /// The project, if the actor manages it.
    pub(crate) fn managed_by(self, actor: Actor) -> Option<Project> {
        actor.manages(self.standing).then_some(self.project)
    }

    /// The project, if the actor sees it.
    pub(crate) fn seen_by(self, actor: Actor) -> Option<Project> {
        actor.sees(self.standing).then_some(self.project)
    }
}
