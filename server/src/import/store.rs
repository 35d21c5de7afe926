//! What a database is asked by an import.

use async_trait::async_trait;

use super::{Extent, Mark, OnRejection, Outcome, Record};
use crate::database::StoreError;

/// What a database is asked by an import. See [`Database`](crate::database::Database).
#[async_trait]
pub trait ImportStore {
    /// Records a batch in one transaction, in order, each record whole or not at all.
    ///
    /// The answer has one outcome for each record; with [`OnRejection::Stop`] it ends with the
    /// first rejection. A failure of the database leaves nothing of the batch.
    async fn record(
        &self,
        batch: Vec<Record>,
        on_rejection: OnRejection,
    ) -> Result<Vec<Outcome>, StoreError> {
        self.record_marked(batch, on_rejection, None).await
    }

    /// The same, and where nothing of the batch is refused, the transaction also notes how far the
    /// import is with it.
    async fn record_marked(
        &self,
        batch: Vec<Record>,
        on_rejection: OnRejection,
        mark: Option<Mark>,
    ) -> Result<Vec<Outcome>, StoreError>;

    /// How much of a source is recorded by an import that did not come to its end.
    async fn import_extent(&self, source: String) -> Result<Option<Extent>, StoreError>;

    /// Forgets how much of a source is recorded, as its import is at its end.
    async fn forget_import(&self, source: String) -> Result<(), StoreError>;
}
