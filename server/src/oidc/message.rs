//! The mails about identities that are linked and unlinked.

use askama::Template;
use jiff::Timestamp;

use crate::accounts::Email;
use crate::config::ServiceIdentity;
use crate::mail::{Message, NewMail, without_links};

/// A change of the identities of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Linked,
    Unlinked,
}

#[derive(Template)]
#[template(path = "mail/identity.txt")]
struct Text<'a> {
    service: &'a str,
    change: Change,
    provider: &'a str,
    label: &'a str,
    sessions: &'a str,
}

#[derive(Template)]
#[template(path = "mail/identity.html")]
struct Html<'a> {
    service: &'a str,
    change: Change,
    provider: &'a str,
    label: &'a str,
    sessions: &'a str,
}

/// Writes the mail that tells an account of a change of its identity `label` at a provider.
pub(super) fn write(
    service: &ServiceIdentity,
    to: &Email,
    (change, provider, label): (Change, &str, &str),
    now: Timestamp,
) -> Result<NewMail, askama::Error> {
    let (base, service) = (&service.public_base_url, service.name.as_str());
    let sessions = &format!("{base}/dashboard/sessions");
    let label = &without_links(label);
    let subject = match change {
        Change::Linked => format!("{provider} signs in to your account of {service}"),
        Change::Unlinked => format!("{provider} signs in no more to your account of {service}"),
    };
    let text = Text {
        service,
        change,
        provider,
        label,
        sessions,
    };
    let html = Html {
        service,
        change,
        provider,
        label,
        sessions,
    };
    let message = Message {
        to: to.clone(),
        subject,
        text: text.render()?,
        html: html.render()?,
    };
    Ok(NewMail::new(message, now))
}
