//! The mail about a leaked key.

use askama::Template;
use jiff::Timestamp;

use crate::accounts::Email;
use crate::config::ServiceIdentity;
use crate::keys::NamedKey;
use crate::mail::Message;

#[derive(Template)]
#[template(path = "mail/key_leaked.txt")]
struct Text<'a> {
    mail: LeakMail<'a>,
}

#[derive(Template)]
#[template(path = "mail/key_leaked.html")]
struct Html<'a> {
    mail: LeakMail<'a>,
}

/// The content of the mail, as text and as HTML.
#[derive(Clone, Copy)]
struct LeakMail<'a> {
    title: &'a str,
    key: &'a NamedKey,
    at: &'a str,
    /// The page of its project.
    page: &'a str,
}

/// Writes the mail. Where the key was found is not in it: the reporter chooses that text.
pub(super) fn write(
    service: &ServiceIdentity,
    to: Email,
    key: &NamedKey,
    now: Timestamp,
) -> Result<Message, askama::Error> {
    let title = format!("The key {}… leaked, and is revoked", key.prefix);
    let content = LeakMail {
        title: &title,
        key,
        at: &now.strftime("%-d %b %Y, %H:%M UTC").to_string(),
        page: &key.page(service),
    };
    let (text, html) = (
        Text { mail: content }.render()?,
        Html { mail: content }.render()?,
    );
    Ok(Message {
        to,
        text,
        html,
        subject: title,
    })
}
