//! How many requests are being answered.

use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of requests in flight. Its bound is an argument, as it may change while they are.
#[derive(Debug, Default)]
pub(super) struct InFlight(AtomicUsize);

/// The place of one request, which it leaves when this is dropped.
pub(super) struct Slot<'a>(&'a AtomicUsize);

impl InFlight {
    /// A place for one more, if fewer than `most` are taken.
    pub(super) fn enter(&self, most: usize) -> Option<Slot<'_>> {
        let one_more = |taken| (taken < most).then_some(taken + 1);
        let entered = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more);
        entered.is_ok().then(|| Slot(&self.0))
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lowered_bound_lets_nobody_in_before_enough_have_left() {
        let in_flight = InFlight::default();
        let first = in_flight.enter(2).unwrap();
        let second = in_flight.enter(2).unwrap();
        assert!(in_flight.enter(2).is_none());
        drop(first);
        assert!(in_flight.enter(1).is_none());
        drop(second);
        assert!(in_flight.enter(1).is_some());
    }
}
