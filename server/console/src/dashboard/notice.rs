//! Notices: what a page says of the form that led to it.
//!
//! A form that has done its work is answered with a redirect, whose address names the notice; the page shows its
//! words above its title.

use axum::response::Response;

use super::page::see_other;
use crate::site;

/// The notices: the name in addresses, what happened, and what follows from it.
macro_rules! notices {
    ($($notice:ident: $name:literal, $what:literal, $then:literal;)*) => {
        /// The outcome of a form, which the next page shows.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Notice {
            $($notice,)*
        }

        impl Notice {
            const ALL: &[Self] = &[$(Self::$notice,)*];

            /// Its name in addresses, what happened, and what follows from it.
            const fn told(self) -> (&'static str, &'static str, &'static str) {
                match self {
                    $(Self::$notice => ($name, $what, $then),)*
                }
            }
        }
    };
}

notices! {
    AccountErased: "account-erased", "Your account is erased.", "An address that signs in here again gets a new one.";
    ClaimWithdrawn: "claim-withdrawn", "The claim is withdrawn.", "";
    ConfigDeleted: "config-deleted", "The config is deleted.", "";
    ConfigMade: "config-made", "The config is made.", "Pass its id with donations; the request below reads it.";
    ContractReleased: "contract-released", "The contract is released.", "Any project can claim it now.";
    DeliverySent: "delivery-sent", "It is on its way.", "Reload the page in a few seconds to see what was answered.";
    IdentityLinked: "identity-linked", "Your account is linked.", "You can sign in by the provider from now on.";
    IdentityUnlinked: "identity-unlinked", "The account at the provider is unlinked.", "It signs you in no more, and browsers that it had signed in are signed out.";
    InvitationDeclined: "invitation-declined", "The invitation is declined.", "";
    InvitationReplaced: "invitation-replaced", "The invitation is sent again.",
        "It replaces the earlier one, whose link does not work any more.";
    InvitationRevoked: "invitation-revoked", "The invitation is revoked.", "Its link does not work any more.";
    InvitationSent: "invitation-sent", "The invitation is sent.", "";
    KeyDisabled: "key-disabled", "The key is disabled.",
        "Every server refuses it within a second, until you enable it.";
    KeyEnabled: "key-enabled", "The key is enabled.", "Every server accepts it within a second.";
    KeyRenamed: "key-renamed", "The key is renamed.", "";
    KeyRevoked: "key-revoked", "The key is revoked.", "Every server refuses it within a second.";
    MemberRemoved: "member-removed", "The member is removed.", "";
    NotRecent: "not-recent", "Nothing was done.", "Confirm that it is you, and send the form again.";
    PasskeyAdded: "passkey-added", "The passkey is added.", "You can sign in with it from now on.";
    PasskeyRemoved: "passkey-removed", "The passkey is removed.",
        "It signs in no more, and browsers that it had signed in are signed out.";
    ProjectDeleted: "project-deleted", "The project is deleted.", "Every server refuses its keys within a second.";
    ProjectLeft: "project-left", "You have left the project.", "";
    ProjectRenamed: "project-renamed", "The project is renamed.", "";
    ProjectResumed: "project-resumed", "The project is resumed.", "Its owners are mailed.";
    ProjectSuspended: "project-suspended", "The project is suspended.", "Its owners are mailed.";
    RequestDecided: "request-decided", "The request is decided.", "";
    RoleSet: "role-set", "The role is changed.", "";
    SessionEnded: "session-ended", "The session is ended.", "";
    SessionsEnded: "sessions-ended", "All other sessions are ended.", "Their browsers are signed out.";
    SignedOut: "signed-out", "You were signed out; nothing was done.", "Sign in, and send the form again.";
    TierSet: "tier-set", "The tier is set.", "Servers follow within a second.";
    WebhooksDisabled: "webhooks-disabled", "The webhooks are disabled.", "They receive no events until you enable them.";
    WebhookDeleted: "webhook-deleted", "The webhook is deleted.", "";
}

impl Notice {
    /// The notice that an address names in its query.
    pub(super) fn of_query(query: Option<&str>) -> Option<Self> {
        let mut pairs = query?.split('&');
        let name = pairs.find_map(|pair| pair.strip_prefix("notice="))?;
        let found = Self::ALL.iter().find(|notice| notice.told().0 == name);
        found.copied()
    }

    /// The page at `path` with this notice, as what follows a form.
    pub(super) fn see_other(self, path: &str) -> Response {
        see_other(&format!("{path}?notice={}", self.told().0))
    }

    /// The notice as the frame of a page shows it.
    pub(super) fn shown(self) -> site::Notice {
        let (_, what, then) = self.told();
        let is_good = !matches!(self, Self::SignedOut | Self::NotRecent);
        site::Notice {
            what,
            then,
            is_good,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_one_notice() {
        for notice in Notice::ALL.iter().copied() {
            let query = format!("cursor=x&notice={}", notice.told().0);
            assert_eq!(Notice::of_query(Some(&query)), Some(notice));
        }
        for none in [None, Some(""), Some("notice"), Some("notice=<b>")] {
            assert_eq!(Notice::of_query(none), None);
        }
    }
}
