//! Limits the number of requests in flight.
//!
//! The limit is `--max-in-flight`, 1024 by default; a changed one applies from the next request on. A
//! request beyond it gets 503 before any work is done, and is counted in
//! `http_faults_total{reason="overloaded"}`. A request whose body has not come has no place among them,
//! so that slow clients take none. `http_requests_in_flight` is the number of all requests that are
//! being answered.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ::metrics::{Gauge, describe_gauge, gauge};

use super::metrics::Metrics;

const IN_FLIGHT: &str = "http_requests_in_flight";

/// The requests that are being answered.
pub(super) struct InFlight {
    /// How many of them do not wait for their bodies.
    places: AtomicUsize,
    gauge: Gauge,
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
    pub(super) fn new(metrics: &Metrics) -> Self {
        let gauge = metrics.record(|| {
            describe_gauge!(IN_FLIGHT, "Requests that are being answered.");
            gauge!(IN_FLIGHT)
        });
        Self {
            places: AtomicUsize::new(0),
            gauge,
        }
    }

    /// Counts one more.
    pub(super) fn enter(&self) -> CountedRequest<'_> {
        self.gauge.increment(1);
        CountedRequest {
            requests: self,
            count: self.places.fetch_add(1, Ordering::Relaxed) + 1,
        }
    }
}

impl Drop for CountedRequest<'_> {
    fn drop(&mut self) {
        self.requests.places.fetch_sub(1, Ordering::Relaxed);
        self.requests.gauge.decrement(1);
    }
}

impl BodyWait {
    /// Frees the place of a request.
    pub(super) fn begin(in_flight: &Arc<InFlight>) -> Self {
        in_flight.places.fetch_sub(1, Ordering::Relaxed);
        Self(Arc::clone(in_flight))
    }
}

impl Drop for BodyWait {
    fn drop(&mut self) {
        self.0.places.fetch_add(1, Ordering::Relaxed);
    }
}
