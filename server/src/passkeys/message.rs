//! The mails about changes of passkeys.

use askama::Template;
use jiff::Timestamp;

use crate::accounts::Email;
use crate::config::ServiceIdentity;
use crate::mail::{Message, NewMail};

/// The change of a passkey that a mail is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Added,
    Removed,
}

#[derive(Template)]
#[template(path = "mail/passkey.txt")]
struct Text<'a> {
    service: &'a str,
    change: Change,
    name: &'a str,
    sessions: &'a str,
}

#[derive(Template)]
#[template(path = "mail/passkey.html")]
struct Html<'a> {
    service: &'a str,
    change: Change,
    name: &'a str,
    sessions: &'a str,
}

/// Writes the mail that tells an account of a change.
pub(super) fn write(
    service: &ServiceIdentity,
    to: &Email,
    change: Change,
    name: &str,
    now: Timestamp,
) -> Result<NewMail, askama::Error> {
    let (base, service) = (&service.public_base_url, service.name.as_str());
    let sessions = &format!("{base}/dashboard/sessions");
    let message = Message {
        to: to.clone(),
        subject: match change {
            Change::Added => format!("A passkey was added to your account of {service}"),
            Change::Removed => format!("A passkey was removed from your account of {service}"),
        },
        text: Text {
            service,
            change,
            name,
            sessions,
        }
        .render()?,
        html: Html {
            service,
            change,
            name,
            sessions,
        }
        .render()?,
    };
    Ok(NewMail::new(message, now))
}
