//! The timeouts of database operations.

use std::time::Duration;

/// The time limits of a transaction.
#[derive(Debug, Clone, Copy)]
pub enum Timeouts {
    /// For a request, whose caller waits for the response.
    Request,
    /// For much data, as in an import.
    Bulk,
    /// For a verification of the whole database.
    Endless,
}

impl Timeouts {
    /// The time after which a statement is cancelled, if it ever is. In PostgreSQL waiting for locks
    /// counts; in SQLite, where reads have it, waiting for a thread.
    pub(crate) fn statement(self) -> Option<Duration> {
        match self {
            Timeouts::Request => Some(Duration::from_secs(3)),
            Timeouts::Bulk => Some(Duration::from_secs(60)),
            Timeouts::Endless => None,
        }
    }

    /// The time after which the whole transaction is given up and its connection closed, because the
    /// server does not answer.
    pub(crate) fn total(self) -> Duration {
        match self {
            Timeouts::Request => Duration::from_secs(4),
            Timeouts::Bulk => Duration::from_secs(120),
            Timeouts::Endless => Duration::from_secs(24 * 3600),
        }
    }
}
