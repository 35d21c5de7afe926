//! The emails about linked and unlinked identities.

use jiff::Timestamp;

use features::domain::email::Email;
use features::domain::service_identity::ServiceIdentity;
use features::mail::{Message, NewMail, without_links};

/// A change of the identities of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Linked,
    Unlinked,
}

/// Reports to an account that its identity `label` at a provider was linked or unlinked.
pub(super) fn identity_changed(
    service: &ServiceIdentity,
    to: &Email,
    (change, provider, label): (Change, &str, &str),
    now: Timestamp,
) -> Result<NewMail, askama::Error> {
    let (base, service_name) = (&service.public_base_url, &service.name);
    let label = without_links(label);
    let (subject, text) = match change {
        Change::Linked => (
            format!("{provider} is now linked to your {service_name} account"),
            format!(
                "{label} at {provider} is now linked to your {service_name} account. Anyone who can sign in there can \
                 sign in as you."
            ),
        ),
        Change::Unlinked => (
            format!("{provider} is no longer linked to your {service_name} account"),
            format!(
                "{label} at {provider} is no longer linked to your {service_name} account. Browsers that signed in with \
                 it are signed out. You can still sign in by email."
            ),
        ),
    };
    let message = Message::builder(service, to.clone(), subject)
        .paragraph(text)
        .paragraph(
            "If this was not you, sign in by email, unlink accounts you don’t recognize and sign out all other browsers.",
        )
        .button("View your sessions", format!("{base}/dashboard/sessions"))
        .build()?;
    Ok(NewMail::new(message, now))
}
