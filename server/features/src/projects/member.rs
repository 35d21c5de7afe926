//! The roles of members.

use std::str::FromStr;

use jiff::Timestamp;

use super::{Actor, Project, Standing};

/// The permissions of an account in a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Everything: deleting the project and deciding who its members are included.
    Owner,
    /// Seeing the project and managing its keys.
    Member,
}

db::text_column!(Role);

/// A project that an account is a member of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnProject {
    /// The project.
    pub project: Project,
    /// The role of the account in it.
    pub role: Role,
    /// When it became a member.
    pub since: Timestamp,
    /// Whether an operator has suspended the project.
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

impl Role {
    /// Its name in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Role::Owner => "owner",
            Role::Member => "member",
        }
    }
}

impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name {
            "owner" => Ok(Role::Owner),
            "member" => Ok(Role::Member),
            _ => Err(UnknownRole),
        }
    }
}

/// The name is neither `owner` nor `member`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("is neither owner nor member")]
pub struct UnknownRole;
