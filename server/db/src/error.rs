//! Errors of a database.

/// The reason why a database operation failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DbError {
    /// It cannot be used now: it is busy, full, closed or cannot be opened. A retry may succeed.
    #[error("the database is unavailable: {0}")]
    Unavailable(String),
    /// The database, or what is between it and this program, is not set up as this program needs it.
    #[error("the database cannot be used as it is set up: {0}")]
    Misconfigured(String),
    /// It rejects a statement, which is a defect of this program or of tables that others have changed.
    #[error("the database rejects a statement of this program: {0}")]
    Rejected(String),
    /// It holds data that no program of this version writes. A retry does not help.
    #[error("the database is corrupt: {0}")]
    Corrupt(String),
    /// Its schema is older than the one that this program needs.
    #[error(
        "the database has schema {found}, this program needs schema {known}: run the command `migrate`"
    )]
    OlderSchema {
        /// The database's schema; 0 when it has none.
        found: u32,
        /// The newest schema that this program knows.
        known: u32,
    },
    /// It was migrated by a newer program.
    #[error("the database has schema {found}, this program knows schemas up to {known}")]
    NewerSchema {
        /// The database's schema.
        found: u32,
        /// The newest schema that this program knows.
        known: u32,
    },
}

impl DbError {
    pub(crate) fn unavailable(reason: &str) -> DbError {
        DbError::Unavailable(reason.to_owned())
    }
}
