//! How large a request may be, and how long the rest of one may take.

use std::time::Duration;

use crate::http::operation::Operation;

/// Limits on the memory and time that a request may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The longest request body that is held in memory, in bytes.
    pub body: u64,
    /// The longest request body that passes as a stream, in bytes.
    pub stream: u64,
    /// How much is read of a body that no handler has read, in bytes.
    pub drain: u64,
    /// For how long.
    pub drain_deadline: Duration,
}

impl Limits {
    /// The same bounds for an operation that may have its own.
    #[must_use]
    pub(crate) fn of(self, operation: &Operation) -> Self {
        match operation.body_limit {
            None => self,
            Some(limit) => Self {
                body: limit,
                stream: limit,
                ..self
            },
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: 64 << 10,
            stream: 1 << 30,
            drain: 8 << 20,
            drain_deadline: Duration::from_secs(5),
        }
    }
}
