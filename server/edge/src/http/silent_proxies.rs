//! Reports requests that a trusted proxy passes on without their client's address.
//!
//! They are taken for the proxy's own, so that all its callers without a key share one limit. Nothing
//! else shows that: the server cannot tell such a request from one that the proxy makes itself, such as
//! a probe.

use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use ::metrics::{Counter, counter, describe_counter};

use super::metrics::Metrics;

const WITHOUT_CLIENT: &str = "http_requests_without_client_total";

/// The minimum interval of warnings.
const REPEAT: Duration = Duration::from_secs(60);

/// The report of one server.
pub(super) struct SilentProxies {
    counter: Counter,
    warned: Mutex<Option<Instant>>,
}

impl SilentProxies {
    pub(super) fn new(metrics: &Metrics) -> Self {
        let counter = metrics.record(|| {
            describe_counter!(
                WITHOUT_CLIENT,
                "Requests of trusted proxies without the address of a client."
            );
            counter!(WITHOUT_CLIENT)
        });
        Self {
            counter,
            warned: Mutex::default(),
        }
    }

    /// Counts a request; logs it at most once a minute.
    pub(super) fn report(&self, proxy: IpAddr) {
        self.counter.increment(1);
        let mut warned = self.warned.lock().unwrap_or_else(PoisonError::into_inner);
        if warned.is_none_or(|at| at.elapsed() >= REPEAT) {
            *warned = Some(Instant::now());
            tracing::warn!(
                %proxy,
                "a trusted proxy sends no X-Forwarded-For: its callers share one limit"
            );
        }
    }
}
