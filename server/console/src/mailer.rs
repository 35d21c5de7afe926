//! Sending the emails of the outbox: to a mail server, into a folder or to the console.

mod metrics;
mod mime;
mod outbox;
mod retry;
mod sender;

pub use outbox::Outbox;
pub use sender::{MailSender, MailSetupError};
