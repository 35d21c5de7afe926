//! The mail about the end of a key.

use askama::Template;
use jiff::Timestamp;

use super::{DAY, ExpiryNotice};
use crate::accounts::Email;
use crate::config::ServiceIdentity;
use crate::keys::NamedKey;
use crate::mail::Message;

#[derive(Template)]
#[template(path = "mail/key_expiry.txt")]
struct Text<'a> {
    mail: ExpiryMail<'a>,
}

#[derive(Template)]
#[template(path = "mail/key_expiry.html")]
struct Html<'a> {
    mail: ExpiryMail<'a>,
}

/// The content of the mail, as text and as HTML.
#[derive(Clone, Copy)]
struct ExpiryMail<'a> {
    title: &'a str,
    key: &'a NamedKey,
    has_ended: bool,
    at: &'a str,
    /// The page that issues the next key.
    link: &'a str,
}

/// Writes the mail.
pub(super) fn write(
    service: &ServiceIdentity,
    to: Email,
    key: &NamedKey,
    (notice, expires_at): (ExpiryNotice, Timestamp),
    now: Timestamp,
) -> Result<Message, askama::Error> {
    let (prefix, has_ended) = (&key.prefix, notice == ExpiryNotice::Ended);
    let title = match has_ended {
        true => format!("The key {prefix}… has expired"),
        false => format!("The key {prefix}… expires in {}", days(now, expires_at)),
    };
    let keys = format!("{}/keys", key.page(service));
    let content = ExpiryMail {
        title: &title,
        key,
        has_ended,
        at: &expires_at.strftime("%-d %b %Y, %H:%M UTC").to_string(),
        link: &match has_ended {
            true => format!("{keys}/new"),
            false => format!("{keys}/{}/rotate", key.id.0),
        },
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

/// The time until the end, in whole days.
fn days(now: Timestamp, end: Timestamp) -> String {
    let seconds = u64::try_from(end.as_second() - now.as_second()).unwrap_or(0);
    match seconds.div_ceil(DAY.as_secs()) {
        0 | 1 => "1 day".to_owned(),
        days => format!("{days} days"),
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::config::{Config, Settings};
    use crate::keys::KeyId;
    use crate::projects::ProjectId;

    fn written(notice: ExpiryNotice, now: &str) -> Message {
        let service = Config::of(Settings::default()).service;
        let key = NamedKey {
            id: KeyId(Uuid::from_u128(2)),
            project: ProjectId(Uuid::from_u128(1)),
            prefix: "sk_abcdefgh".to_owned(),
            label: Some("<b> evil.example".to_owned()),
            project_name: "Wallet".to_owned(),
        };
        let (end, now) = (
            "2026-12-09T10:00:00Z".parse().unwrap(),
            now.parse().unwrap(),
        );
        let to = "ada@example.org".parse().unwrap();
        write(&service, to, &key, (notice, end), now).unwrap()
    }

    #[test]
    fn says_when_and_leads_to_a_successor() {
        let mail = written(ExpiryNotice::Fortnight, "2026-11-25T10:00:30Z");
        assert_eq!(mail.subject, "The key sk_abcdefgh… expires in 14 days");
        for text in [&mail.text, &mail.html] {
            assert!(text.contains("9 Dec 2026, 10:00 UTC"), "{text}");
            assert!(text.contains("000000000001/keys/00000000-0000-0000-0000-000000000002/rotate"));
            assert!(!text.contains("evil.example"), "{text}");
        }
        assert!(!mail.html.contains("<b>"), "{}", mail.html);
        let last = written(ExpiryNotice::Days, "2026-12-09T09:00:00Z");
        assert_eq!(last.subject, "The key sk_abcdefgh… expires in 1 day");
        let mail = written(ExpiryNotice::Ended, "2026-12-09T10:00:00Z");
        assert_eq!(mail.subject, "The key sk_abcdefgh… has expired");
        assert!(mail.text.contains("000000000001/keys/new"), "{}", mail.text);
    }
}
