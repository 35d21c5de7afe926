//! Mails: written into an outbox in the transaction of the change they tell, and sent by a background
//! task of any server.

mod message;
pub(crate) mod postgres;
pub(crate) mod sqlite;
mod store;

pub use message::{MailId, Message, NewMail, QueuedMail};
pub use store::MailStore;
