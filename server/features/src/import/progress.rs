//! Checkpoints of imports, stored in the database with the imported records.

pub(crate) mod sql;

/// The first lines of a source, all recorded and none rejected.
///
/// It is stored in the transaction that records the last of these lines. The digest identifies their
/// content, so that a changed source is never taken for the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordedPrefix {
    /// The length of these lines in bytes, line feeds included.
    pub bytes: u64,
    pub lines: u64,
    /// The SHA-256 of these bytes.
    pub digest: [u8; 32],
}

/// The point from which an interrupted import of a source goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// The name of the source; any text.
    pub source: String,
    /// The lines of it that are recorded.
    pub prefix: RecordedPrefix,
}
