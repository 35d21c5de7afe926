//! Mails: written into an outbox in the transaction of the change that they tell of, and sent by a
//! background task of any server.

#[cfg(test)]
mod conformance;
mod message;
mod metrics;
mod mime;
mod name;
mod outbox;
pub(crate) mod postgres;
mod retry;
mod sender;
mod smtp_url;
pub(crate) mod sqlite;
mod store;
mod way;

pub(crate) use name::without_links;

pub use message::{MailId, Message, NewMail, QueuedMail};
pub use outbox::Outbox;
pub use sender::{MailSender, MailSetupError};
pub use smtp_url::{SmtpTls, SmtpUrl, SmtpUrlError};
pub use store::{MailStore, OutboxState};
pub use way::{MailWay, MailWayError};
