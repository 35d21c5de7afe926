//! Mails: the messages, the outbox that holds them until they are sent, and their sending.
//!
//! A mail is put into the outbox in the transaction of the change that it tells of. A background task of
//! any server sends it.

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

pub(crate) use name::without_links;

pub use message::{MailId, Message, NewMail, QueuedMail};
pub use outbox::Outbox;
pub use sender::{MailSender, MailSetupError};
pub use smtp_url::{SmtpTls, SmtpUrl, SmtpUrlError};
pub use store::OutboxState;
pub use transport::{MailTransport, MailTransportError};
