//! Emails: composing them, and the outbox that stores them until they are sent.
//!
//! A use case builds a [`Message`] from blocks and adds it to the outbox in the transaction of the change that the
//! message reports. The console sends it.

mod builder;
mod message;
mod name;
pub mod sql;
pub mod store;

pub use builder::format_time;
pub use message::{MailId, Message, NewMail, QueuedMail};
pub use name::without_links;
pub use store::OutboxState;
