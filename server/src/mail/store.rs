//! The database operations of the outbox.

use async_trait::async_trait;
use jiff::Timestamp;

use super::{MailId, QueuedMail};
use crate::database::StoreError;

/// The mails that wait in the outbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OutboxState {
    /// How many there are.
    pub waiting: u64,
    /// When the oldest was written.
    pub oldest: Option<Timestamp>,
}

/// The database operations of the outbox. See [`Database`](crate::database::Database).
#[async_trait]
pub trait MailStore {
    /// Leases the due mail that expires soonest, until `until`: no other process takes it before.
    async fn take_mail(
        &self,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<QueuedMail>, StoreError>;

    /// Ends the lease of a mail, which is due again at `at`.
    async fn postpone_mail(&self, id: MailId, at: Timestamp) -> Result<(), StoreError>;

    /// Deletes a mail that was sent, or is given up.
    async fn delete_mail(&self, id: MailId) -> Result<(), StoreError>;

    /// The mails that wait, those included that are being sent.
    async fn outbox(&self) -> Result<OutboxState, StoreError>;
}
