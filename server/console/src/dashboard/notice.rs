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
    AccountErased: "account-erased", "Your account is deleted.", "If you sign in again, you get a new one.";
    ClaimWithdrawn: "claim-withdrawn", "The claim is withdrawn.", "";
    ConfigDeleted: "config-deleted", "The config is deleted.", "";
    ConfigMade: "config-made", "The config is created.", "Pass its id with donations.";
    ContractReleased: "contract-released", "The contract is released.", "Any project can claim it now.";
    DeliverySent: "delivery-sent", "It is on its way.", "Reload the page in a few seconds to see the response.";
    DonationSimulated: "donation-simulated", "A donation arrived.", "It is in the totals, analytics and your webhooks.";
    IdentityLinked: "identity-linked", "Your account is linked.", "You can now sign in with the provider.";
    IdentityUnlinked: "identity-unlinked", "The account at the provider is unlinked.", "It can no longer sign you in, and browsers that signed in with it are signed out.";
    InvitationDeclined: "invitation-declined", "The invitation is declined.", "";
    InvitationReplaced: "invitation-replaced", "The invitation is sent again.",
        "The earlier link no longer works.";
    InvitationRevoked: "invitation-revoked", "The invitation is revoked.", "Its link no longer works.";
    InvitationSent: "invitation-sent", "The invitation is sent.", "";
    KeyDisabled: "key-disabled", "The key is disabled.",
        "Every server rejects it within a second, until you enable it.";
    KeyEnabled: "key-enabled", "The key is enabled.", "Every server accepts it within a second.";
    KeyRenamed: "key-renamed", "The key is renamed.", "";
    KeyRevoked: "key-revoked", "The key is revoked.", "Every server rejects it within a second.";
    MemberRemoved: "member-removed", "The member is removed.", "";
    NotRecent: "not-recent", "Nothing was done.", "Confirm it’s you, and send the form again.";
    PasskeyAdded: "passkey-added", "The passkey is added.", "You can now sign in with it.";
    PasskeyRemoved: "passkey-removed", "The passkey is removed.",
        "It can no longer sign in, and browsers that signed in with it are signed out.";
    ProjectDeleted: "project-deleted", "The project is deleted.", "Every server rejects its keys within a second.";
    ProjectLeft: "project-left", "You have left the project.", "";
    ProjectRenamed: "project-renamed", "The project is renamed.", "";
    ProjectResumed: "project-resumed", "The project is resumed.", "Its owners get an email.";
    ProjectSuspended: "project-suspended", "The project is suspended.", "Its owners get an email.";
    RequestDecided: "request-decided", "The request is decided.", "";
    RoleSet: "role-set", "The role is changed.", "";
    SessionEnded: "session-ended", "The session is ended.", "";
    SessionsEnded: "sessions-ended", "All other sessions are ended.", "Their browsers are signed out.";
    SignedOut: "signed-out", "You were signed out; nothing was done.", "Sign in, and send the form again.";
    TierSet: "tier-set", "The tier is set.", "It takes effect within a second.";
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
