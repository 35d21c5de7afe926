//! Errors of a database.

use crate::import::{Rejection, Rule};

/// The reason why a database operation failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// It cannot be used now: busy for too long, full, closed, not to be opened. Trying again later
    /// may help.
    #[error("the database is unavailable: {0}")]
    Unavailable(String),
    /// It holds data that no program of this version writes, or refuses valid data. Trying again does
    /// not help.
    #[error("the database is corrupt: {0}")]
    Corrupt(String),
    /// Its schema is not the one that this program needs.
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

/// The reason why a record was not written: it was refused, or the database failed.
#[derive(Debug)]
pub(crate) enum WriteError<F = StoreError> {
    Rejected(Rejection),
    Failed(F),
}

impl<F> WriteError<F> {
    pub(crate) fn rejected(member: impl Into<String>, rule: Rule) -> WriteError<F> {
        WriteError::Rejected(Rejection::new(member, rule))
    }
}

impl<F> From<Rejection> for WriteError<F> {
    fn from(rejection: Rejection) -> Self {
        WriteError::Rejected(rejection)
    }
}

impl From<StoreError> for WriteError {
    fn from(error: StoreError) -> Self {
        WriteError::Failed(error)
    }
}
