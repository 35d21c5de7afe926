//! The emails about added and removed passkeys.

use jiff::Timestamp;

use features::domain::email::Email;
use features::domain::service_identity::ServiceIdentity;
use features::mail::{Message, NewMail};

/// A change of the passkeys of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Added,
    Removed,
}

/// Reports to an account that its passkey `name` was added or removed.
pub(super) fn passkey_changed(
    service: &ServiceIdentity,
    to: &Email,
    change: Change,
    name: &str,
    now: Timestamp,
) -> Result<NewMail, askama::Error> {
    let (base, service_name) = (&service.public_base_url, &service.name);
    let (subject, text) = match change {
        Change::Added => (
            format!("A passkey was added to your {service_name} account"),
            format!(
                "The passkey “{name}” was added to your {service_name} account. Anyone who has it can sign in as you."
            ),
        ),
        Change::Removed => (
            format!("A passkey was removed from your {service_name} account"),
            format!(
                "The passkey “{name}” was removed from your {service_name} account. It can no longer sign in, and browsers \
                 that signed in with it are signed out."
            ),
        ),
    };
    let message = Message::builder(service, to.clone(), subject)
        .paragraph(text)
        .paragraph(
            "If this was not you, sign in by email, remove passkeys you don’t recognize and sign out all other browsers.",
        )
        .button("View your sessions", format!("{base}/dashboard/sessions"))
        .build()?;
    Ok(NewMail::new(message, now))
}
