//! Limits the number of requests in flight.
//!
//! The limit is `--max-in-flight`, 1024 by default; a changed one applies from the next request on. A
//! request beyond it gets 503 before any work is done, and is counted in
//! `http_edge_errors_total{reason="overloaded"}`. A request whose body has not come has no place among them,
//! so that slow clients take none. `http_requests_in_flight` is the number of all requests that are
//! being answered.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The requests that are being answered.
#[derive(Debug, Default)]
pub(super) struct InFlight {
    all: AtomicUsize,
    /// How many of them wait for their bodies.
    waiting: AtomicUsize,
}

/// A request that is counted until this is dropped.
pub(super) struct CountedRequest<'a> {
    requests: &'a InFlight,
    /// The number of requests with a place when this one came, itself included.
    pub(super) count: usize,
}

/// The time in which a request waits for its body: until this is dropped, it has no place.
pub(super) struct BodyWait(Arc<InFlight>);

impl InFlight {
    /// Counts one more.
    pub(super) fn enter(&self) -> CountedRequest<'_> {
        let all = self.all.fetch_add(1, Ordering::Relaxed) + 1;
        CountedRequest {
            requests: self,
            count: all.saturating_sub(self.waiting.load(Ordering::Relaxed)),
        }
    }

    /// How many requests are being answered, with a place or without.
    pub(super) fn all(&self) -> usize {
        self.all.load(Ordering::Relaxed)
    }
}

impl Drop for CountedRequest<'_> {
    fn drop(&mut self) {
        self.requests.all.fetch_sub(1, Ordering::Relaxed);
    }
}

impl BodyWait {
    /// Frees the place of a request.
    pub(super) fn begin(in_flight: &Arc<InFlight>) -> Self {
        in_flight.waiting.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(in_flight))
    }
}

impl Drop for BodyWait {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}
