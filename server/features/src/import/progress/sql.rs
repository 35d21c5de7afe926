//! Checkpoints of imports.

use db::{DbError, Tx, params};

use crate::import::{Checkpoint, RecordedPrefix};

/// Stores the checkpoint of an import, in the transaction of its last batch. Only the counters, which
/// every writer needs, are locked after it.
pub(crate) fn note(tx: &Tx<'_>, checkpoint: &Checkpoint) -> Result<(), DbError> {
    let RecordedPrefix {
        bytes,
        lines,
        digest,
    } = checkpoint.prefix;
    let sql = "INSERT INTO import_progress (source, bytes, lines, digest) VALUES ($1, $2, $3, $4)
               ON CONFLICT (source) DO UPDATE SET
                 bytes = excluded.bytes, lines = excluded.lines, digest = excluded.digest";
    let (bytes, lines) = (number(bytes)?, number(lines)?);
    tx.execute(sql, params![checkpoint.source, bytes, lines, digest])?;
    Ok(())
}

pub(crate) fn find(tx: &Tx<'_>, source: &str) -> Result<Option<RecordedPrefix>, DbError> {
    let sql = "SELECT bytes, lines, digest FROM import_progress WHERE source = $1";
    tx.first(sql, params![source], |row| {
        Ok(RecordedPrefix {
            bytes: row.get("bytes")?,
            lines: row.get("lines")?,
            digest: row.get::<[u8; 32]>("digest")?,
        })
    })
}

/// Deletes the checkpoint of a source whose import has come to its end.
pub(crate) fn forget(tx: &Tx<'_>, source: &str) -> Result<(), DbError> {
    let sql = "DELETE FROM import_progress WHERE source = $1";
    tx.execute(sql, params![source])?;
    Ok(())
}

fn number(count: u64) -> Result<i64, DbError> {
    i64::try_from(count).map_err(|_| DbError::Corrupt("an import is too long".to_owned()))
}
