//! Who asks for a change of a project, and what it may change.

use super::ProjectId;

/// Who asks for a change. It is asked what it may do inside the transaction that makes the change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor {
    /// Whoever runs the program's commands on the database: may change every project.
    Operator,
}

impl Actor {
    /// Whether it may see a project and manage the project's keys.
    pub(crate) fn manages(self, _: ProjectId) -> bool {
        match self {
            Actor::Operator => true,
        }
    }

    /// Whether it may create projects and say what they pay for.
    pub(crate) fn sets_tiers(self) -> bool {
        match self {
            Actor::Operator => true,
        }
    }
}
