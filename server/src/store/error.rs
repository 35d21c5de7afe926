//! What can go wrong in the store, and why a record is not taken.

use std::fmt;

/// Why the database did not do what was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// It cannot be used now: busy for too long, full, closed, not to be opened. Trying again later
    /// may help.
    #[error("the database is unavailable: {0}")]
    Unavailable(String),
    /// It holds what no program of this version wrote, or refused what it must take. Trying again
    /// does not help.
    #[error("the database is corrupt: {0}")]
    Corrupt(String),
    /// It was not migrated to what this program needs.
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

/// Why a record was not taken. Nothing of it was written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{member} {rule}")]
pub struct Rejection {
    /// The offending member: a JSON pointer into the import line of such a record.
    pub member: String,
    /// What is wrong with it.
    pub rule: Rule,
}

impl Rejection {
    pub(super) fn new(member: impl Into<String>, rule: Rule) -> Rejection {
        Rejection {
            member: member.into(),
            rule,
        }
    }
}

/// What is wrong with a member of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// It names something that is not there.
    Unknown,
    /// It must be unique, and another record has it.
    Taken,
    /// It differs from what was recorded, and it cannot change.
    Immutable,
    /// The statistics could not hold the sum.
    Overflow,
    /// The revision before this one is not recorded.
    RevisionMissing,
    /// It differs from the donation that the record takes back.
    RevisionDiffers,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rule::Unknown => "names nothing that is recorded",
            Rule::Taken => "belongs to another record",
            Rule::Immutable => "differs from what is recorded and cannot change",
            Rule::Overflow => "makes a sum too large for the statistics",
            Rule::RevisionMissing => "follows a revision that is not recorded",
            Rule::RevisionDiffers => "differs from the donation that is taken back",
        })
    }
}

/// Why a record was not written: it was refused, or the database failed.
#[derive(Debug)]
pub(super) enum WriteError<F = StoreError> {
    Rejected(Rejection),
    Failed(F),
}

impl<F> WriteError<F> {
    pub(super) fn rejected(member: impl Into<String>, rule: Rule) -> WriteError<F> {
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
