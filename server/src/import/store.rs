//! The database operations of an import.

use async_trait::async_trait;
use jiff::Timestamp;

use super::{Checkpoint, OnRejection, Outcome, Record, RecordedPrefix};
use crate::database::StoreError;

/// The database operations of an import. See [`Database`](crate::database::Database).
#[async_trait]
pub trait ImportStore {
    /// Records a batch in one transaction, in order, each record completely or not at all.
    ///
    /// The result has one outcome for each record; with [`OnRejection::Stop`] it ends with the first
    /// rejection. If the database fails, nothing of the batch is recorded.
    async fn record(
        &self,
        batch: Vec<Record>,
        on_rejection: OnRejection,
    ) -> Result<Vec<Outcome>, StoreError> {
        self.record_with_checkpoint(batch, on_rejection, None, None)
            .await
    }

    /// Records a batch as [`record`](Self::record) does. If no record is refused, the transaction also
    /// stores `checkpoint`. Webhooks are told of donations at `told_at`, if at all.
    async fn record_with_checkpoint(
        &self,
        batch: Vec<Record>,
        on_rejection: OnRejection,
        checkpoint: Option<Checkpoint>,
        told_at: Option<Timestamp>,
    ) -> Result<Vec<Outcome>, StoreError>;

    /// The lines of a source that an interrupted import has recorded.
    async fn recorded_prefix(&self, source: String) -> Result<Option<RecordedPrefix>, StoreError>;

    /// Deletes the checkpoint of a source, after its import has come to its end.
    async fn forget_import(&self, source: String) -> Result<(), StoreError>;
}
