//! The limits of invitations and members.

use std::time::Duration;

use crate::accounts::NetworkCounts;

/// The time in which invitations are counted.
pub(crate) const WINDOW: Duration = Duration::from_secs(24 * 3600);
/// The invitations to one address in a window, of all projects.
const PER_ADDRESS: i64 = 5;
/// The invitations of one project in a window.
const PER_PROJECT: i64 = 20;
/// The invitations of one account in a window.
const PER_ACCOUNT: i64 = 40;
/// The invitations in a window.
const INVITATIONS: NetworkCounts = NetworkCounts {
    network: 60,
    provider: 600,
    all: 5000,
};
/// The members of a project, those included that are invited.
const MEMBERS: i64 = 100;

/// The limit that an invitation is above.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvitationLimit {
    /// Of mails to the address.
    #[error("this address has received too many invitations today; try again tomorrow")]
    Address,
    /// Of invitations to the project.
    #[error("a project sends at most {PER_PROJECT} invitations a day; try again tomorrow")]
    Project,
    /// Of invitations by the account.
    #[error("an account sends at most {PER_ACCOUNT} invitations a day; try again tomorrow")]
    Account,
    /// Of invitations from a network, or from the networks of its provider.
    #[error("many invitations were sent from your network today; try again tomorrow")]
    Network,
    /// Of all invitations.
    #[error("many invitations are sent at the moment; try again tomorrow")]
    Overall,
    /// Of members of the project.
    #[error("a project can have at most {MEMBERS} members, including invited ones")]
    Members,
}

/// The invitations of the window, and the members, before a further one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct InvitationCounts {
    pub(crate) address: i64,
    pub(crate) project: i64,
    pub(crate) account: i64,
    pub(crate) from: NetworkCounts,
    pub(crate) members: i64,
}

impl InvitationCounts {
    /// Whether one more may be sent.
    pub(crate) fn admit(self) -> Result<(), InvitationLimit> {
        let (from, most) = (self.from, INVITATIONS);
        let limits = [
            (from.all, most.all, InvitationLimit::Overall),
            (from.provider, most.provider, InvitationLimit::Network),
            (from.network, most.network, InvitationLimit::Network),
            (self.account, PER_ACCOUNT, InvitationLimit::Account),
            (self.project, PER_PROJECT, InvitationLimit::Project),
            (self.address, PER_ADDRESS, InvitationLimit::Address),
            (self.members, MEMBERS, InvitationLimit::Members),
        ];
        let above = limits.iter().find(|(count, most, _)| count >= most);
        above.map_or(Ok(()), |(.., limit)| Err(*limit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_count_has_its_limit() {
        let from = NetworkCounts {
            network: 59,
            provider: 599,
            all: 4999,
        };
        let none = InvitationCounts {
            address: 4,
            project: 19,
            account: 39,
            from,
            members: 99,
        };
        assert_eq!(none.admit(), Ok(()));
        let check = |counts: InvitationCounts, limit| assert_eq!(counts.admit(), Err(limit));
        check(
            InvitationCounts { address: 5, ..none },
            InvitationLimit::Address,
        );
        check(
            InvitationCounts {
                project: 20,
                ..none
            },
            InvitationLimit::Project,
        );
        check(
            InvitationCounts {
                account: 40,
                ..none
            },
            InvitationLimit::Account,
        );
        let from = |from| InvitationCounts { from, ..none };
        let network = NetworkCounts {
            network: 60,
            ..none.from
        };
        check(from(network), InvitationLimit::Network);
        let provider = NetworkCounts {
            provider: 600,
            ..none.from
        };
        check(from(provider), InvitationLimit::Network);
        let all = NetworkCounts {
            all: 5000,
            ..none.from
        };
        check(from(all), InvitationLimit::Overall);
        check(
            InvitationCounts {
                members: 100,
                ..none
            },
            InvitationLimit::Members,
        );
    }
}
