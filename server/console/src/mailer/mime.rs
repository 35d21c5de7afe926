//! Mails in the internet message format (RFC 5322) with MIME parts.

use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::{Address, Message as Mime};

use features::mail::QueuedMail;

/// The header field that says that a program wrote the mail, so that no program answers it (RFC 3834).
const AUTO_SUBMITTED: HeaderName = HeaderName::new_from_ascii_str("Auto-Submitted");

/// The reason why a mail cannot be written in the format.
#[derive(Debug, thiserror::Error)]
pub(super) enum MimeError {
    /// The library does not accept an address.
    #[error(transparent)]
    Address(#[from] lettre::address::AddressError),
    /// A part is missing.
    #[error(transparent)]
    Mime(#[from] lettre::error::Error),
}

/// Writes a mail as plain text and HTML, of which the reader's program shows one. An attempt that is
/// repeated has the same `Message-ID` and date.
pub(super) fn write(mail: &QueuedMail, from: &Mailbox) -> Result<Mime, MimeError> {
    let message = &mail.message;
    let to: Address = message.to.as_str().parse()?;
    let id = format!("<{}@{}>", mail.id.0, from.email.domain());
    let parts = MultiPart::alternative_plain_html(message.text.clone(), message.html.clone());
    let automatic = HeaderValue::new(AUTO_SUBMITTED, "auto-generated".to_owned());
    let mime = Mime::builder()
        .from(from.clone())
        .to(Mailbox::new(None, to))
        .subject(one_line(&message.subject))
        .date(mail.created_at.into())
        .message_id(Some(id))
        .raw_header(automatic)
        .multipart(parts)?;
    Ok(mime)
}

/// A sender with its name, in which spaces replace control characters: the library panics over a line
/// break.
pub(super) fn mailbox(name: &str, address: Address) -> Mailbox {
    Mailbox::new(Some(one_line(name)), address)
}

/// The text with spaces for control characters.
fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use features::mail::{MailId, Message};

    fn written(subject: &str, text: &str, name: &str) -> String {
        let created_at = "2026-11-25T10:00:00Z".parse().unwrap();
        let mail = QueuedMail {
            id: MailId(Uuid::from_u128(1)),
            message: Message {
                to: "ada@example.org".parse().unwrap(),
                subject: subject.to_owned(),
                text: text.to_owned(),
                html: "<p>a</p>".to_owned(),
            },
            created_at,
            send_until: created_at,
            attempts: 1,
        };
        let from = mailbox(name, "catalog@example.org".parse().unwrap());
        String::from_utf8(write(&mail, &from).unwrap().formatted()).unwrap()
    }

    /// The header fields, each with its folded lines.
    fn fields(mime: &str) -> Vec<&str> {
        let (head, _) = mime.split_once("\r\n\r\n").unwrap();
        let lines = head.split("\r\n").filter(|line| !line.starts_with(' '));
        lines.map(|line| line.split_once(':').unwrap().0).collect()
    }

    const FIELDS: [&str; 8] = [
        "From",
        "To",
        "Subject",
        "Date",
        "Message-ID",
        "Auto-Submitted",
        "MIME-Version",
        "Content-Type",
    ];

    #[test]
    fn is_text_and_html_from_a_program() {
        let mime = written("Sign in", "a line", "Donation Catalog");
        assert_eq!(fields(&mime), FIELDS);
        for line in [
            "From: \"Donation Catalog\" <catalog@example.org>\r\n",
            "To: ada@example.org\r\n",
            "Message-ID: <00000000-0000-0000-0000-000000000001@example.org>\r\n",
            "Date: Wed, 25 Nov 2026 10:00:00 +0000\r\n",
            "Auto-Submitted: auto-generated\r\n",
            "multipart/alternative",
            "text/plain; charset=utf-8",
            "text/html; charset=utf-8",
        ] {
            assert!(mime.contains(line), "{line}: {mime}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_adds_a_header_field(
            subject in "[a-zü:\r\n\0 ]{0,90}",
            text in "[a-z:.\r\n]{0,60}",
            name in "[a-z:\",<>@\r\n]{1,20}",
        ) {
            let text = format!("{text}\r\nBcc: eve@example.org\r\n.\r\n");
            let mime = written(&format!("{subject}\r\nBcc: eve@example.org"), &text, &name);
            proptest::prop_assert_eq!(fields(&mime), FIELDS);
        }
    }
}
