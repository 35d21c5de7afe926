//! Checkpoints of imports, in PostgreSQL.

use deadpool_postgres::{GenericClient, Transaction};

use crate::database::StoreError;
use crate::database::postgres::column::{self, Bytes};
use crate::database::postgres::{Failure, query};
use crate::import::{Checkpoint, RecordedPrefix};

/// Stores the checkpoint of an import, in the transaction of its last batch. Only the counters, which
/// every writer needs, are locked after it.
pub(crate) async fn note(tx: &Transaction<'_>, checkpoint: &Checkpoint) -> Result<(), Failure> {
    let RecordedPrefix {
        bytes,
        lines,
        digest,
    } = checkpoint.prefix;
    let sql = "INSERT INTO import_progress (source, bytes, lines, digest) VALUES ($1, $2, $3, $4)
               ON CONFLICT (source) DO UPDATE SET
                 bytes = excluded.bytes, lines = excluded.lines, digest = excluded.digest";
    let (bytes, lines) = (number(bytes)?, number(lines)?);
    query::execute(
        tx,
        sql,
        &[&checkpoint.source, &bytes, &lines, &Bytes(digest)],
    )
    .await?;
    Ok(())
}

/// The recorded prefix of a source.
pub(crate) async fn find(
    db: &impl GenericClient,
    source: &str,
) -> Result<Option<RecordedPrefix>, Failure> {
    let sql = "SELECT bytes, lines, digest FROM import_progress WHERE source = $1";
    query::first(db, sql, &[&source], |row| {
        Ok(RecordedPrefix {
            bytes: column::number(row, "bytes")?,
            lines: column::number(row, "lines")?,
            digest: row.try_get::<_, Bytes<32>>("digest")?.0,
        })
    })
    .await
}

/// Deletes the checkpoint of a source whose import has come to its end.
pub(crate) async fn forget(tx: &Transaction<'_>, source: &str) -> Result<(), Failure> {
    let sql = "DELETE FROM import_progress WHERE source = $1";
    query::execute(tx, sql, &[&source]).await?;
    Ok(())
}

fn number(count: u64) -> Result<i64, StoreError> {
    i64::try_from(count).map_err(|_| StoreError::Corrupt("an import is too long".to_owned()))
}
