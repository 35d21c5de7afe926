//! Classifies PostgreSQL's errors.

use std::error::Error as _;
use std::io;

use deadpool_postgres::PoolError;
use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

use crate::database::StoreError;
use crate::database::error::WriteError;

/// The reason why a transaction failed.
#[derive(Debug)]
pub(crate) struct Failure {
    reason: StoreError,
    /// Whether it conflicted with another transaction, so that a retry may succeed.
    pub(crate) again: bool,
}

impl Failure {
    /// A temporary failure: the server or the network is too slow.
    pub(crate) fn slow(what: &str) -> Failure {
        StoreError::Unavailable(what.to_owned()).into()
    }
}

impl Failure {
    /// Adds the place of a value that cannot be read.
    pub(crate) fn at(self, place: impl FnOnce() -> String) -> Failure {
        match self.reason {
            StoreError::Corrupt(what) => StoreError::Corrupt(format!("{}: {what}", place())).into(),
            reason => Failure { reason, ..self },
        }
    }
}

impl From<StoreError> for Failure {
    fn from(reason: StoreError) -> Self {
        Failure {
            reason,
            again: false,
        }
    }
}

impl From<Failure> for StoreError {
    fn from(failure: Failure) -> Self {
        failure.reason
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let again = error.code().is_some_and(is_conflict);
        let passing = again
            || error
                .code()
                .map_or_else(|| is_of_the_way(&error), is_passing);
        let reason = match passing {
            true => StoreError::Unavailable(explain(&error)),
            false => StoreError::Corrupt(explain(&error)),
        };
        Failure { reason, again }
    }
}

impl From<PoolError> for Failure {
    fn from(error: PoolError) -> Self {
        match error {
            // No connection could be opened: nothing is known about the data.
            PoolError::Backend(error) => Failure::slow(&explain(&error)),
            PoolError::Closed => Failure::slow("it is closed"),
            PoolError::Timeout(_) => {
                Failure::slow("all connections are busy, or it does not answer")
            }
            other => Failure::slow(&other.to_string()),
        }
    }
}

impl From<Error> for WriteError<Failure> {
    fn from(error: Error) -> Self {
        WriteError::Failed(error.into())
    }
}

impl From<Failure> for WriteError<Failure> {
    fn from(failure: Failure) -> Self {
        WriteError::Failed(failure)
    }
}

/// Whether two transactions were in conflict. A unique violation is such a conflict: another
/// transaction has recorded the same value at the same time.
fn is_conflict(code: &SqlState) -> bool {
    *code == SqlState::T_R_SERIALIZATION_FAILURE
        || *code == SqlState::T_R_DEADLOCK_DETECTED
        || *code == SqlState::UNIQUE_VIOLATION
}

/// Whether an error belongs to a class that concerns the server and not the statement: connections,
/// access, resources, operator intervention, system errors; and writes to a standby.
fn is_passing(code: &SqlState) -> bool {
    const CLASSES: [&str; 7] = ["08", "28", "53", "55", "57", "58", "3D"];
    CLASSES.iter().any(|class| code.code().starts_with(class))
        || *code == SqlState::READ_ONLY_SQL_TRANSACTION
        || *code == SqlState::INSUFFICIENT_PRIVILEGE
}

/// Whether the answer was lost, or there was none.
fn is_of_the_way(error: &Error) -> bool {
    let is_io = |source: &(dyn std::error::Error + 'static)| source.is::<io::Error>();
    error.is_closed() || error.source().is_some_and(is_io)
}

/// The server's message, without the detail, which quotes values; for other errors the error and its
/// causes, without repetitions.
pub(crate) fn explain(error: &Error) -> String {
    if let Some(said) = error.as_db_error() {
        return format!("{} (SQLSTATE {})", said.message(), said.code().code());
    }
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}
