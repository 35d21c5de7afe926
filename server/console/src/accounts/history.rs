//! The history of an account: the changes of its sign-in and of its permissions.

pub(crate) mod sql;

use jiff::Timestamp;

use db::{Db, DbError};
use features::domain::ids::AccountId;

/// The most events that are listed.
const MAX_EVENTS: usize = 50;

/// A change of an account. Passkeys, identities and the address change by the account itself, the rest on the
/// command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AccountAction {
    /// A passkey with this name was added.
    PasskeyAdded(String),
    /// A passkey with this name was removed.
    PasskeyRemoved(String),
    /// An identity of this label was linked.
    IdentityLinked(String),
    /// An identity of this label was unlinked.
    IdentityUnlinked(String),
    AddressChanged,
    OperatorAdded,
    /// The operator was given a code for a new passkey.
    OperatorRecovered,
    OperatorRemoved,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountEvent {
    pub action: AccountAction,
    pub at: Timestamp,
}

/// The latest events of an account, the latest first.
pub async fn of_account(store: &Db, account: AccountId) -> Result<Vec<AccountEvent>, DbError> {
    crate::accounts::store::account_events(store, account, MAX_EVENTS).await
}

impl AccountAction {
    /// Its name in the database.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::PasskeyAdded(_) => "passkey-added",
            Self::PasskeyRemoved(_) => "passkey-removed",
            Self::IdentityLinked(_) => "identity-linked",
            Self::IdentityUnlinked(_) => "identity-unlinked",
            Self::AddressChanged => "address-changed",
            Self::OperatorAdded => "operator-added",
            Self::OperatorRecovered => "operator-recovered",
            Self::OperatorRemoved => "operator-removed",
        }
    }

    /// The object of the change, in the database.
    pub(crate) fn subject(&self) -> &str {
        match self {
            Self::PasskeyAdded(name)
            | Self::PasskeyRemoved(name)
            | Self::IdentityLinked(name)
            | Self::IdentityUnlinked(name) => name,
            Self::AddressChanged
            | Self::OperatorAdded
            | Self::OperatorRecovered
            | Self::OperatorRemoved => "",
        }
    }

    /// The action of a name and a subject, if there is one.
    pub(super) fn of(name: &str, subject: String) -> Option<Self> {
        Some(match name {
            "passkey-added" => Self::PasskeyAdded(subject),
            "passkey-removed" => Self::PasskeyRemoved(subject),
            "identity-linked" => Self::IdentityLinked(subject),
            "identity-unlinked" => Self::IdentityUnlinked(subject),
            "address-changed" => Self::AddressChanged,
            "operator-added" => Self::OperatorAdded,
            "operator-recovered" => Self::OperatorRecovered,
            "operator-removed" => Self::OperatorRemoved,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_is_read_back() {
        for action in [
            AccountAction::PasskeyAdded("laptop".to_owned()),
            AccountAction::PasskeyRemoved("laptop".to_owned()),
            AccountAction::IdentityLinked("ada@example.org".to_owned()),
            AccountAction::IdentityUnlinked("ada@example.org".to_owned()),
            AccountAction::OperatorAdded,
            AccountAction::OperatorRecovered,
            AccountAction::OperatorRemoved,
        ] {
            let read = AccountAction::of(action.name(), action.subject().to_owned());
            assert_eq!(read, Some(action));
        }
        assert_eq!(AccountAction::of("", String::new()), None);
    }
}
