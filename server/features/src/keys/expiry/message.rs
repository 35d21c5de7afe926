//! The email about the expiry of a key.

use jiff::Timestamp;

use super::{DAY, ExpiryNotice};
use crate::domain::email::Email;
use crate::domain::service_identity::ServiceIdentity;
use crate::keys::NamedKey;
use crate::mail::{Message, format_time};

/// Warns an owner before a key expires, or reports that it has expired.
pub(super) fn key_expiry(
    service: &ServiceIdentity,
    to: Email,
    key: &NamedKey,
    (notice, expires_at): (ExpiryNotice, Timestamp),
    now: Timestamp,
) -> Result<Message, askama::Error> {
    let (prefix, name, at) = (&key.prefix, key.description(), format_time(expires_at));
    let keys = format!("{}/keys", key.page(service));
    let message = match notice {
        ExpiryNotice::Ended => Message::builder(service, to, format!("The key {prefix}… has expired"))
            .paragraph(format!(
                "The key {name} expired on {at}. Requests with it are rejected with 403 INVALID_API_KEY."
            ))
            .button("Create a new key", format!("{keys}/new")),
        ExpiryNotice::Fortnight | ExpiryNotice::Days => {
            let subject = format!("The key {prefix}… expires in {}", days(now, expires_at));
            Message::builder(service, to, subject)
                .paragraph(format!(
                    "The key {name} expires on {at}. From then on, requests with it are rejected. Rotate it to get a new \
                     key; you choose how long the old one keeps working."
                ))
                .button("Rotate the key", format!("{keys}/{}/rotate", key.id.0))
        }
    };
    message.owner_notice(&key.project_name).build()
}

/// The time until the key expires, in whole days.
fn days(now: Timestamp, expires_at: Timestamp) -> String {
    let seconds = u64::try_from(expires_at.as_second() - now.as_second()).unwrap_or(0);
    match seconds.div_ceil(DAY.as_secs()) {
        0 | 1 => "1 day".to_owned(),
        days => format!("{days} days"),
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::domain::service_identity::BaseUrl;
    use crate::keys::KeyId;
    use crate::projects::ProjectId;

    fn written(notice: ExpiryNotice, now: &str) -> Message {
        let service = ServiceIdentity::at(BaseUrl::at(([127, 0, 0, 1], 8080).into()));
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
        key_expiry(&service, to, &key, (notice, end), now).unwrap()
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
