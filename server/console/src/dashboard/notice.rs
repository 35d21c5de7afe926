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
    AccountErased: "account-erased", "Account deleted.", "Signing in again creates a new account.";
    ClaimWithdrawn: "claim-withdrawn", "Claim withdrawn.", "";
    ConfigDeleted: "config-deleted", "Config deleted.", "";
    ConfigMade: "config-made", "Config created.", "Include its ID in donations.";
    ContractReleased: "contract-released", "Contract released.", "Any project can claim it now.";
    DeliverySent: "delivery-sent", "Event queued.", "The response appears here in a few seconds.";
    DonationSimulated: "donation-simulated", "Donation simulated.", "It is in the totals and analytics, and was sent to your webhooks.";
    IdentityLinked: "identity-linked", "Account linked.", "You can now sign in with the provider.";
    IdentityUnlinked: "identity-unlinked", "Provider account unlinked.", "It can no longer sign you in, and browsers that signed in with it are signed out.";
    InvitationDeclined: "invitation-declined", "Invitation declined.", "";
    InvitationReplaced: "invitation-replaced", "Invitation sent again.", "The previous link no longer works.";
    InvitationRevoked: "invitation-revoked", "Invitation revoked.", "Its link no longer works.";
    InvitationSent: "invitation-sent", "Invitation sent.", "";
    KeyDisabled: "key-disabled", "Key disabled.",
        "Every server rejects it within a second, until you enable it.";
    KeyEnabled: "key-enabled", "Key enabled.", "Every server accepts it within a second.";
    KeyRenamed: "key-renamed", "Key renamed.", "";
    KeyRevoked: "key-revoked", "Key revoked.", "Every server rejects it within a second.";
    MemberRemoved: "member-removed", "Member removed.", "";
    NotRecent: "not-recent", "Not saved.", "Confirm it’s you, then submit the form again.";
    PasskeyAdded: "passkey-added", "Passkey added.", "You can now sign in with it.";
    PasskeyRemoved: "passkey-removed", "Passkey removed.",
        "It can no longer sign in, and browsers that signed in with it are signed out.";
    ProjectDeleted: "project-deleted", "Project deleted.", "Every server rejects its keys within a second.";
    ProjectLeft: "project-left", "You left the project.", "";
    ProjectRenamed: "project-renamed", "Project renamed.", "";
    ProjectResumed: "project-resumed", "Project resumed.", "Its owners get an email.";
    ProjectSuspended: "project-suspended", "Project suspended.", "Its owners get an email.";
    RequestDecided: "request-decided", "Decision saved.", "";
    RoleSet: "role-set", "Role changed.", "";
    SessionEnded: "session-ended", "Browser signed out.", "";
    SessionsEnded: "sessions-ended", "All other browsers signed out.", "";
    SignedOut: "signed-out", "You were signed out, so nothing was saved.", "Sign in and submit the form again.";
    TierSet: "tier-set", "Tier set.", "It takes effect within a second.";
    WebhooksDisabled: "webhooks-disabled", "Webhooks disabled.", "They receive no events until you enable them.";
    WebhookDeleted: "webhook-deleted", "Webhook deleted.", "";
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
