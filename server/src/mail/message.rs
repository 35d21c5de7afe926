//! Mails: their text, and as they enter and leave the outbox.

use std::fmt;
use std::time::Duration;

use jiff::Timestamp;
use uuid::Uuid;

use crate::accounts::Email;
use edge::clock::after;

/// The identity of a mail, and its `Message-ID`: a mail that is sent twice is recognised by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MailId(pub Uuid);

db::uuid_column!(MailId);

/// A mail, as plain text and as HTML. Its `Debug` form shows nothing of it: it may hold a secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Message {
    /// The recipient.
    pub to: Email,
    /// The subject.
    pub subject: String,
    /// The text.
    pub text: String,
    /// The same in HTML.
    pub html: String,
}

/// A mail to be put into the outbox.
#[derive(Debug, Clone)]
pub struct NewMail {
    /// Its identity.
    pub id: MailId,
    /// The mail.
    pub message: Message,
    /// When it was written.
    pub created_at: Timestamp,
    /// When it expires: it is of no use then, and not sent any more.
    pub send_until: Timestamp,
}

/// A mail of the outbox, whose sending this process attempts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuedMail {
    /// Its identity.
    pub id: MailId,
    /// The mail.
    pub message: Message,
    /// When it was written.
    pub created_at: Timestamp,
    /// When it expires: it is of no use then, and not sent any more.
    pub send_until: Timestamp,
    /// The attempts, this one included.
    pub attempts: u32,
}

/// How long most mails are sent for.
const LIFE: Duration = Duration::from_secs(3 * 24 * 3600);

impl NewMail {
    /// A mail that expires after three days.
    pub fn new(message: Message, now: Timestamp) -> Self {
        let mail = Self {
            id: MailId(Uuid::now_v7()),
            message,
            created_at: now,
            send_until: now,
        };
        mail.expiring_after(LIFE)
    }

    /// The same, with another life.
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
