//! The actor that requests a change of a project, and its permissions.

use super::ProjectId;

/// The actor that requests a change. Its permissions are checked in the transaction that makes the
/// change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor {
    /// An operator who runs the program's commands on the database: may change every project.
    Operator,
}

impl Actor {
    /// Whether it may see a project and manage the project's keys.
    pub(crate) fn manages(self, _: ProjectId) -> bool {
        match self {
            Actor::Operator => true,
        }
    }

    /// Whether it may create projects and set their tiers.
    pub(crate) fn sets_tiers(self) -> bool {
        match self {
            Actor::Operator => true,
        }
    }
}
