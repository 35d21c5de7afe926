//! How far imports have come.

use rusqlite::Connection;

use crate::database::sqlite::query;
use crate::import::{Checkpoint, RecordedPrefix};

/// Notes how far an import is, in the transaction that got it there.
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

/// How far the import of a source has come.
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

/// Forgets how far it has come: it is at its end.
pub(crate) fn forget(db: &Connection, source: &str) -> rusqlite::Result<()> {
    let sql = "DELETE FROM import_progress WHERE source = ?1";
    query::execute(db, sql, [source]).map(drop)
}
