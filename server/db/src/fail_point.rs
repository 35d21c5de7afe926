//! A statement that fails: for tests in which each statement of an operation fails in turn.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::DbError;

/// Fails the n-th statement of the handle that it is set on, and no other.
#[derive(Debug, Clone)]
pub struct FailPoint(Arc<AtomicU64>);

impl FailPoint {
    /// Fails the statement of this number; the first is 1.
    pub fn at(number: u64) -> Self {
        Self(Arc::new(AtomicU64::new(number)))
    }

    /// Whether a statement has failed.
    pub fn was_reached(&self) -> bool {
        self.0.load(Relaxed) == 0
    }

    /// Counts a statement; fails if it is the one.
    pub(crate) fn pass(&self) -> Result<(), DbError> {
        let next = |left: u64| left.checked_sub(1);
        match self.0.fetch_update(Relaxed, Relaxed, next) {
            Ok(1) => Err(DbError::unavailable("the fail point was reached")),
            _ => Ok(()),
        }
    }
}
