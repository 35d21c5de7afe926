//! The results of recording a record, and the reasons for which the store rejects one.

use db::DbError;
use std::fmt;

/// The reason for which a record was refused. Nothing of the record is written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{member} {rule}")]
pub struct Rejection {
    /// The offending member: a JSON pointer into the import line of such a record.
    pub member: String,
    pub rule: Rule,
}

impl Rejection {
    pub(crate) fn new(member: impl Into<String>, rule: Rule) -> Rejection {
        Rejection {
            member: member.into(),
            rule,
        }
    }
}

/// A rule that a member of a record breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// It names something that is not there.
    Unknown,
    /// It must be unique, and another record has it.
    Taken,
    /// It differs from the recorded value, and it cannot change.
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

/// The reason why a record was not written.
#[derive(Debug)]
pub(crate) enum WriteError {
    Rejected(Rejection),
    Failed(DbError),
}

impl From<Rejection> for WriteError {
    fn from(rejection: Rejection) -> Self {
        WriteError::Rejected(rejection)
    }
}

impl From<DbError> for WriteError {
    fn from(error: DbError) -> Self {
        WriteError::Failed(error)
    }
}

impl WriteError {
    pub(crate) fn rejected(property: impl Into<String>, rule: Rule) -> WriteError {
        WriteError::Rejected(Rejection::new(property, rule))
    }
}

/// The effect of recording a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    Inserted,
    /// It was known and is different now.
    Updated,
    /// An equal record was stored.
    Unchanged,
}

/// Whether the records after a refused one are still recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnRejection {
    /// They are recorded.
    Continue,
    /// They are not; the records before it stay.
    Stop,
}

/// The result of recording one record.
pub type Outcome = Result<Change, Rejection>;
