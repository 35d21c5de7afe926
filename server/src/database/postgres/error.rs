//! What PostgreSQL's errors mean.

use std::error::Error as _;
use std::io;

use deadpool_postgres::PoolError;
use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

use crate::database::StoreError;
use crate::database::error::WriteError;

/// Why a transaction did not do what was asked.
#[derive(Debug)]
pub(crate) struct Failure {
    reason: StoreError,
    /// Whether another transaction was in the way, so that the same again may well succeed.
    pub(crate) again: bool,
}

impl Failure {
    /// The server or the way to it is too slow, for now.
    pub(crate) fn slow(what: &str) -> Failure {
        StoreError::Unavailable(what.to_owned()).into()
    }
}

impl Failure {
    /// The same; of what cannot be read it says where that is.
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
            // No connection was to be had, for whatever reason: nothing is known of the data.
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

/// Two transactions were in each other's way. A value that has just been taken is of them: another
/// transaction has recorded the same at the same time.
fn is_conflict(code: &SqlState) -> bool {
    *code == SqlState::T_R_SERIALIZATION_FAILURE
        || *code == SqlState::T_R_DEADLOCK_DETECTED
        || *code == SqlState::UNIQUE_VIOLATION
}

/// Classes of states that are the server's, not those of what is asked of it: connections, access,
/// resources, an operator at work, the system; and a standby, which takes no writes.
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

/// What the server said, without the values that it quotes in the detail; else the error with its
/// causes, each of which says something that the one before does not.
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
