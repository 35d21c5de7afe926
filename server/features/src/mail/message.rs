//! Messages, and emails as they enter and leave the outbox.

use std::fmt;
use std::time::Duration;

use jiff::Timestamp;
use uuid::Uuid;

use crate::domain::email::Email;
use edge::clock::after;

/// Identifies an email and is its `Message-ID`, so that mail programs recognize an email that is sent twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MailId(pub Uuid);

db::uuid_column!(MailId);

/// The content of an email, as plain text and as HTML, see [`Message::builder`]. Its `Debug` output is redacted,
/// because it may contain a secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Message {
    pub to: Email,
    pub subject: String,
    pub text: String,
    pub html: String,
}

/// An email to be added to the outbox.
#[derive(Debug, Clone)]
pub struct NewMail {
    pub id: MailId,
    pub message: Message,
    pub created_at: Timestamp,
    /// When it expires. An expired email is not sent.
    pub send_until: Timestamp,
}

/// An email of the outbox that this process tries to send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuedMail {
    pub id: MailId,
    pub message: Message,
    pub created_at: Timestamp,
    /// When it expires. An expired email is not sent.
    pub send_until: Timestamp,
    /// The number of attempts, including this one.
    pub attempts: u32,
}

impl QueuedMail {
    /// The longest wait between attempts to send it.
    pub const MAX_WAIT: Duration = Duration::from_secs(3600);
}

impl NewMail {
    /// The time after which most emails expire, and all others have expired before.
    pub const LIFE: Duration = Duration::from_secs(3 * 24 * 3600);

    /// Creates an email that expires after three days.
    pub fn new(message: Message, now: Timestamp) -> Self {
        let mail = Self {
            id: MailId(Uuid::now_v7()),
            message,
            created_at: now,
            send_until: now,
        };
        mail.expiring_after(Self::LIFE)
    }

    /// Sets the time after which the email expires.
    #[must_use]
    pub fn expiring_after(mut self, life: Duration) -> Self {
        self.send_until = after(self.created_at, life);
        self
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Message(…)")
    }
}
