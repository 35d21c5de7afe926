//! Emails: composing them, the outbox that stores them until they are sent, and sending them.
//!
//! A use case builds a [`Message`] from blocks and adds it to the outbox in the transaction of the change that the
//! message reports. A background task of any server sends it.

mod builder;
mod message;
mod metrics;
mod mime;
mod name;
mod outbox;
mod retry;
mod sender;
mod smtp_url;
pub(crate) mod sql;
pub mod store;
mod transport;

pub(crate) use builder::format_time;
pub(crate) use name::without_links;

pub use message::{MailId, Message, NewMail, QueuedMail};
pub use outbox::Outbox;
pub use sender::{MailSender, MailSetupError};
pub use smtp_url::{SmtpTls, SmtpUrl, SmtpUrlError};
pub use store::OutboxState;
pub use transport::{MailTransport, MailTransportError};
