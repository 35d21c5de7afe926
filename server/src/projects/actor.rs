//! The actor that requests a change of a project, and its permissions.

use super::Role;
use crate::accounts::AccountId;
use crate::database::Writer;

/// The actor that requests a change. Its permissions are checked in the transaction that makes the
/// change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor {
    /// An operator who runs the program's commands on the database: may change every project.
    Operator,
    /// An account in the dashboard: may change the projects that it is a member of. Others do not exist
    /// for it.
    Account(AccountId),
}

impl Actor {
    /// Whether it may see a project, in which it has this role, and manage the project's keys.
    pub(crate) fn manages(self, role: Option<Role>) -> bool {
        match self {
            Actor::Operator => true,
            Actor::Account(_) => role.is_some(),
        }
    }

    /// Whether it may delete a project, in which it has this role, and decide who its members are.
    pub(crate) fn owns(self, role: Option<Role>) -> bool {
        match self {
            Actor::Operator => true,
            Actor::Account(_) => role == Some(Role::Owner),
        }
    }

    /// Whether it may create projects for others and set their tiers.
    pub(crate) fn sets_tiers(self) -> bool {
        match self {
            Actor::Operator => true,
            Actor::Account(_) => false,
        }
    }

    /// Whether it may decide claims of contracts.
    pub(crate) fn decides_claims(self) -> bool {
        self.sets_tiers()
    }

    /// The account, unless it is an operator.
    pub(crate) fn account(self) -> Option<AccountId> {
        match self {
            Actor::Operator => None,
            Actor::Account(account) => Some(account),
        }
    }

    /// Whose writes its own wait for.
    pub(crate) fn writer(self) -> Writer {
        match self {
            Actor::Operator => Writer::Operator,
            Actor::Account(_) => Writer::Dashboard,
        }
    }
}
