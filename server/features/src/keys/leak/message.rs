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
    let subject = format!("We revoked your leaked key {}…", key.prefix);
    Message::builder(service, to, subject)
        .paragraph(format!(
            "The key {} was found in a public place and reported to us. We revoked it on {at}. Requests with it are \
             rejected with 403 INVALID_API_KEY.",
            key.description()
        ))
        .steps([
            "Create a new key and use it in place of the old one.",
            "Remove the old key from public places, such as a repository. It no longer works, but it shows where you keep \
             secrets.",
            "Review the changes made with the key and undo any you did not make. Webhooks it created or changed keep \
             receiving your events until you disable them.",
        ])
        .button("Create a new key", format!("{page}/keys/new"))
        .link(
            "Review the changes made with the key",
            format!("{page}/keys/{}/changes", key.id.0),
        )
        .owner_notice(&key.project_name)
        .build()
}
