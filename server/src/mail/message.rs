//! A mail.

use std::fmt;

use jiff::Timestamp;
use uuid::Uuid;

use crate::accounts::Email;

/// The identity of a mail, and its `Message-ID`: a mail that is sent twice is recognised by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MailId(pub Uuid);

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
    /// The attempts, this one included.
    pub attempts: u32,
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Message(…)")
    }
}
