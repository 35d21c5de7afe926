//! The actor that requests a change of a project, and its permissions.

use super::Role;
use crate::database::writers;
use crate::domain::ids::AccountId;
use db::Writer;

/// The actor that requests a change. Its permissions are checked in the transaction that makes the
/// change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor {
    /// An operator who runs the program's commands on the database: may change every project.
    Operator,
    /// An account in the operators' area of the dashboard: sees every project, sets tiers and suspends,
    /// as long as it is an operator. It does not touch keys.
    OperatorAccount(AccountId),
    /// An account in the dashboard: may change the projects that it is a member of. Others do not exist
    /// for it.
    Account(AccountId),
}

/// The standing of an actor in a project, from the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// The role of the account in the project.
    pub role: Option<Role>,
    pub is_operator: bool,
}

impl Actor {
    /// Whether it may see the project.
    pub(crate) fn sees(self, standing: Standing) -> bool {
        match self {
            Actor::Operator => true,
            Actor::OperatorAccount(_) => standing.is_operator,
            Actor::Account(_) => standing.role.is_some(),
        }
    }

    /// Whether it may manage the parts of the project, such as its keys.
    pub fn manages(self, standing: Standing) -> bool {
        match self {
            Actor::Operator => true,
            Actor::OperatorAccount(_) => false,
            Actor::Account(_) => standing.role.is_some(),
        }
    }

    /// Whether it may delete the project, and decide who its members are.
    pub fn owns(self, standing: Standing) -> bool {
        match self {
            Actor::Operator => true,
            Actor::OperatorAccount(_) => false,
            Actor::Account(_) => standing.role == Some(Role::Owner),
        }
    }

    /// The account, unless it is an operator on the command line.
    pub fn account(self) -> Option<AccountId> {
        match self {
            Actor::Operator => None,
            Actor::OperatorAccount(account) | Actor::Account(account) => Some(account),
        }
    }

    /// Whose writes its own wait for.
    pub fn writer(self) -> Writer {
        match self {
            Actor::Operator => Writer::Unlimited,
            Actor::OperatorAccount(_) | Actor::Account(_) => writers::DASHBOARD,
        }
    }
}
