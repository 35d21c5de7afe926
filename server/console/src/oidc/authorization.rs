//! Authorizations: browsers that were sent to the provider and are awaited.

use std::time::Duration;

use jiff::Timestamp;

use crate::accounts::{Network, NetworkCounts, SecretDigest};
use features::domain::ids::AccountId;

/// How long a browser may stay at the provider.
pub(crate) const LIFE: Duration = Duration::from_secs(600);
/// The browsers that may be there at a time.
const AWAY: NetworkCounts = NetworkCounts {
    network: 100,
    provider: 1250,
    all: 10_000,
};

/// The purpose of an authorization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To sign somebody in.
    SignIn,
    /// To confirm that it is still the person of this account.
    StepUp(AccountId),
    Link(AccountId),
}

/// An authorization to be stored.
#[derive(Debug, Clone)]
pub struct NewAuthorization {
    /// Of the browser's secret. Everything else that binds the answer to it is made of that secret.
    pub browser: SecretDigest,
    pub purpose: Purpose,
    pub network: Network,
    pub created_at: Timestamp,
}

/// An authorization whose browser is back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingAuthorization {
    pub purpose: Purpose,
    pub network: String,
}

/// Too many browsers are awaited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many sign-ins are in progress; try again in ten minutes, or sign in by email")]
pub struct AuthorizationLimit;

/// Whether one more may be sent, where these are awaited.
pub(crate) fn admit(awaited: NetworkCounts) -> Result<(), AuthorizationLimit> {
    let has_room = awaited.is_below(AWAY);
    has_room.then_some(()).ok_or(AuthorizationLimit)
}

impl Purpose {
    /// The account that it is about, if it is about one.
    pub fn account(self) -> Option<AccountId> {
        match self {
            Self::SignIn => None,
            Self::StepUp(account) | Self::Link(account) => Some(account),
        }
    }

    /// Its name in the database.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::SignIn => "sign-in",
            Self::StepUp(_) => "step-up",
            Self::Link(_) => "link",
        }
    }

    /// The purpose of the columns `purpose` and `account`, if there is one.
    pub(crate) fn of(name: &str, account: Option<AccountId>) -> Option<Self> {
        match (name, account) {
            ("sign-in", None) => Some(Self::SignIn),
            ("step-up", Some(account)) => Some(Self::StepUp(account)),
            ("link", Some(account)) => Some(Self::Link(account)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_purpose_is_read_back() {
        let account = AccountId(uuid::Uuid::nil());
        for purpose in [
            Purpose::SignIn,
            Purpose::StepUp(account),
            Purpose::Link(account),
        ] {
            assert_eq!(
                Purpose::of(purpose.name(), purpose.account()),
                Some(purpose)
            );
        }
        assert_eq!(Purpose::of("link", None), None);
        assert_eq!(Purpose::of("", None), None);
    }
}
