//! The number of replicas.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::limits::WINDOW;

/// How long a larger count is believed: a memory that was lost counts from one again, and a
/// disconnected replica still has its share.
const BELIEVED: Duration = WINDOW.saturating_mul(10);

/// The largest number of replicas that was counted recently.
#[derive(Debug)]
pub(super) struct ReplicaCount {
    /// The minimum number.
    least: u32,
    /// The largest count, and when it was last confirmed.
    counted: Mutex<(u32, Duration)>,
}

impl ReplicaCount {
    pub(super) fn new(least: u32) -> Self {
        Self {
            least: least.max(1),
            counted: Mutex::default(),
        }
    }

    /// Records a reported count.
    pub(super) fn counted(&self, replicas: u32, now: Duration) {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        let (most, at) = *counted;
        if replicas >= most || now.saturating_sub(at) > BELIEVED {
            *counted = (replicas, now);
        }
    }

    /// This replica's part of a limit.
    pub(super) fn share(&self, limit: u32) -> u32 {
        let counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        (limit / counted.0.max(self.least)).max(1)
    }
}
