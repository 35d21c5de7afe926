//! The timeouts of database operations.

use std::time::Duration;

/// The time limits of a transaction.
#[derive(Debug, Clone, Copy)]
pub(crate) enum TimeoutClass {
    /// For a request, whose caller waits for the answer.
    Request,
    /// For much data, as in an import.
    Bulk,
    /// For a verification of the whole database.
    Endless,
}

impl TimeoutClass {
    /// The time after which a statement is cancelled, if it ever is. In PostgreSQL waiting for locks
    /// counts; in SQLite, where reads have it, waiting for a thread.
    pub(crate) fn statement(self) -> Option<Duration> {
        match self {
            TimeoutClass::Request => Some(Duration::from_secs(3)),
            TimeoutClass::Bulk => Some(Duration::from_secs(60)),
            TimeoutClass::Endless => None,
        }
    }

    /// The time after which the whole transaction is given up and its connection closed, because the
    /// server does not answer.
    pub(crate) fn total(self) -> Duration {
        match self {
            TimeoutClass::Request => Duration::from_secs(4),
            TimeoutClass::Bulk => Duration::from_secs(120),
            TimeoutClass::Endless => Duration::from_secs(24 * 3600),
        }
    }
}
