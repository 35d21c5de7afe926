//! Checkpoints of imports, in SQLite.

use rusqlite::Connection;

use crate::database::sqlite::query;
use crate::import::{Checkpoint, RecordedPrefix};

/// Stores the checkpoint of an import, in the transaction of its last batch.
pub(crate) fn note(db: &Connection, checkpoint: &Checkpoint) -> rusqlite::Result<()> {
    let RecordedPrefix {
        bytes,
        lines,
        digest,
    } = checkpoint.prefix;
    let sql = "INSERT INTO import_progress (source, bytes, lines, digest) VALUES (?1, ?2, ?3, ?4)
               ON CONFLICT (source) DO UPDATE SET
                 bytes = excluded.bytes, lines = excluded.lines, digest = excluded.digest";
    query::execute(db, sql, (&checkpoint.source, bytes, lines, digest)).map(drop)
}

/// The recorded prefix of a source.
pub(crate) fn find(db: &Connection, source: &str) -> rusqlite::Result<Option<RecordedPrefix>> {
    let sql = "SELECT bytes, lines, digest FROM import_progress WHERE source = ?1";
    query::first(db, sql, [source], |row| {
        Ok(RecordedPrefix {
            bytes: row.get("bytes")?,
            lines: row.get("lines")?,
            digest: row.get("digest")?,
        })
    })
}

/// Deletes the checkpoint of a source whose import has come to its end.
pub(crate) fn forget(db: &Connection, source: &str) -> rusqlite::Result<()> {
    let sql = "DELETE FROM import_progress WHERE source = ?1";
    query::execute(db, sql, [source]).map(drop)
}
