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
    let (base, service) = (&service.public_base_url, &service.name);
    let label = without_links(label);
    let (subject, text) = match change {
        Change::Linked => (
            format!("{provider} is now linked to your {service} account"),
            format!(
                "{label} at {provider} is now linked to your {service} account. Anyone who can sign in there can \
                 sign in as you."
            ),
        ),
        Change::Unlinked => (
            format!("{provider} is no longer linked to your {service} account"),
            format!(
                "{label} at {provider} is no longer linked to your {service} account. Browsers that signed in with \
                 it are signed out. You can still sign in by email."
            ),
        ),
    };
    let message = Message::builder(to.clone(), subject)
        .paragraph(text)
        .paragraph(
            "If it was not you, sign in by email, unlink what you don't recognize on your account page, and end all \
             other sessions.",
        )
        .button("View your sessions", format!("{base}/dashboard/sessions"))
        .build()?;
    Ok(NewMail::new(message, now))
}
