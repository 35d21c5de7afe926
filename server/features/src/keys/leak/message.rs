//! The email about a leaked key.

use jiff::Timestamp;

use crate::domain::email::Email;
use crate::domain::service_identity::ServiceIdentity;
use crate::keys::NamedKey;
use crate::mail::{Message, format_time};

/// Reports a leaked key to an owner. The location of the leak is not included: the reporter chooses that string.
pub(super) fn leaked_key(
    service: &ServiceIdentity,
    to: Email,
    key: &NamedKey,
    now: Timestamp,
) -> Result<Message, askama::Error> {
    let (page, at) = (key.page(service), format_time(now));
    let subject = format!("The key {}… was leaked and is now revoked", key.prefix);
    Message::builder(to, subject)
        .paragraph(format!(
            "Someone found the key {} where others can read it and reported it. It was revoked on {at}: requests with it \
             are rejected with 403 INVALID_API_KEY.",
            key.description()
        ))
        .steps([
            "Create a new key and use it in place of the old one.",
            "Remove the old key from places where others can read it, such as a public repository. It no longer works, but shows \
             where you store secrets.",
            "Review the changes made with the key, and undo those that you did not make. You can disable the webhooks that \
             it created or changed: until then they receive the events of your project.",
        ])
        .button("Create a new key", format!("{page}/keys/new"))
        .link(
            "Review the changes made with the key",
            format!("{page}/keys/{}/changes", key.id.0),
        )
        .paragraph("You are receiving this email because you own the project.")
        .build()
}
