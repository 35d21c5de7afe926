//! How far an import of a file has come, kept in the database beside what it has recorded.

#[cfg(test)]
pub(crate) mod conformance;
pub(crate) mod postgres;
pub(crate) mod sqlite;

/// How much of a source is recorded: its first lines, none of which was refused.
///
/// It is written in the transaction that records the last of them. What it tells of is known by its
/// content, so that a source which has changed since is never taken for the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// How many bytes these lines have, line feeds included.
    pub bytes: u64,
    /// How many lines they are.
    pub lines: u64,
    /// The SHA-256 of these bytes.
    pub digest: [u8; 32],
}

/// How far the import of one source has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// What the source is called; any text.
    pub source: String,
    /// What of it is recorded.
    pub extent: Extent,
}
