//! The database operations of an import.

use super::progress::sql as progress;
use db::{Db, DbError, Timeouts, Writer};
use jiff::Timestamp;

use super::{Checkpoint, Record, RecordedPrefix};
use crate::domain::recording::{OnRejection, Outcome};
use crate::import::sql;

/// Records a batch as [`record`] does. If no record is refused, the transaction also
/// stores `checkpoint`. Donations are sent to webhooks with the time `told_at`, if there is one.
pub async fn record_with_checkpoint(
    db: &Db,
    batch: Vec<Record>,
    on_rejection: OnRejection,
    checkpoint: Option<Checkpoint>,
    told_at: Option<Timestamp>,
) -> Result<Vec<Outcome>, DbError> {
    db.write(Writer::Unlimited, Timeouts::Bulk, move |tx| {
        sql::record_all(tx, &batch, on_rejection, checkpoint.as_ref(), told_at)
    })
    .await
}

/// The lines of a source that an interrupted import has recorded.
pub async fn recorded_prefix(db: &Db, source: String) -> Result<Option<RecordedPrefix>, DbError> {
    db.read(move |tx| progress::find(tx, &source)).await
}

/// Deletes the checkpoint of a source, after its import has come to its end.
pub async fn forget_import(db: &Db, source: String) -> Result<(), DbError> {
    db.write(Writer::Unlimited, Timeouts::Request, move |tx| {
        progress::forget(tx, &source)
    })
    .await
}

/// Records a batch in one transaction, in order, each record completely or not at all. Sends no events.
///
/// The result has one outcome for each record; with [`OnRejection::Stop`] it ends with the first
/// rejection. If the database fails, nothing of the batch is recorded.
pub async fn record(
    db: &Db,
    batch: Vec<Record>,
    on_rejection: OnRejection,
) -> Result<Vec<Outcome>, DbError> {
    record_with_checkpoint(db, batch, on_rejection, None, None).await
}
