//! Counters and histograms of the edge, in the Prometheus text format.
//!
//! Labels are operation ids, known methods, statuses and tiers, never texts of a client, so that the
//! number of series is bounded. Each server owns its recorder; nothing is global.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use ::metrics::{
    Counter, Histogram, counter, describe_counter, describe_gauge, describe_histogram, gauge,
    histogram,
};
use arc_swap::ArcSwap;
use foldhash::quality::RandomState;
use http::StatusCode;
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusRecorder};

use super::in_flight::InFlight;
use super::logging::dropped_log_lines;

const REQUESTS: &str = "http_requests_total";
const DURATION: &str = "http_request_duration_seconds";
const EDGE_ERRORS: &str = "http_edge_errors_total";
const REJECTIONS: &str = "rate_limit_rejections_total";
const REFUSED: &str = "http_connections_refused_total";
const CLOSED: &str = "http_connections_closed_total";
const DROPPED: &str = "log_lines_dropped_total";
const IN_FLIGHT: &str = "http_requests_in_flight";

/// From half a millisecond, where the catalogue in memory answers, to the request timeout.
const BUCKETS: [f64; 12] = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.5, 10.0,
];

const EDGE_ERROR_REASONS: [&str; 4] = ["overloaded", "overloaded caller", "timed out", "panicked"];

const CLOSING_REASONS: [&str; 3] = ["longest idle", "slow reader", "rate limited"];

/// The tiers of projects, and callers without a key.
const LIMITED_TIERS: [&str; 4] = ["anonymous", "free", "pro", "enterprise"];

/// The status label of a request whose client hung up before it was answered.
const ABORTED: &str = "aborted";

/// The recorder of one server.
pub struct Metrics {
    recorder: PrometheusRecorder,
    /// The series of requests so far: the recorder would allocate all labels to find them.
    requests: ArcSwap<HashMap<RequestLabels, RequestSeries, RandomState>>,
    in_flight: Arc<InFlight>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct RequestLabels {
    pub(super) operation: &'static str,
    pub(super) method: &'static str,
    /// `None` if the request was not answered.
    pub(super) status: Option<StatusCode>,
}

/// The series that a request is recorded in.
#[derive(Clone)]
struct RequestSeries {
    count: Counter,
    duration: Histogram,
}

impl RequestLabels {
    /// The status label.
    pub(super) fn status(&self) -> &str {
        self.status.as_ref().map_or(ABORTED, StatusCode::as_str)
    }
}

/// The recorder could not be set up.
#[derive(Debug, thiserror::Error)]
#[error("cannot set up the metrics")]
pub struct MetricsError(#[from] BuildError);

impl Metrics {
    /// A recorder without measurements.
    ///
    /// # Errors
    /// When the recorder rejects the histogram's buckets.
    pub fn new() -> Result<Self, MetricsError> {
        let recorder = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Full(DURATION.to_owned()), &BUCKETS)?
            .build_recorder();
        let metrics = Self {
            recorder,
            requests: ArcSwap::default(),
            in_flight: Arc::default(),
        };
        metrics.record(|| {
            describe_counter!(REQUESTS, "Requests by operation, method and status.");
            describe_histogram!(
                DURATION,
                "Time from a request's head to the response's head."
            );
            describe_counter!(
                EDGE_ERRORS,
                "Requests that did not reach the API, by reason."
            );
            describe_counter!(REJECTIONS, "Responses 429, by tier.");
            describe_counter!(REFUSED, "Rejected connections.");
            describe_counter!(CLOSED, "Connections closed by the server, by reason.");
            describe_counter!(
                DROPPED,
                "Log lines dropped because standard error was not read."
            );
            describe_gauge!(IN_FLIGHT, "Requests in flight.");
            // From the start, so that `increase()` notices the first one.
            let _ = counter!(REFUSED);
            for reason in EDGE_ERROR_REASONS {
                let _ = counter!(EDGE_ERRORS, "reason" => reason);
            }
            for reason in CLOSING_REASONS {
                let _ = counter!(CLOSED, "reason" => reason);
            }
            for tier in LIMITED_TIERS {
                let _ = counter!(REJECTIONS, "tier" => tier);
            }
        });
        Ok(metrics)
    }

    /// All series in the Prometheus text format 0.0.4.
    pub fn render(&self) -> String {
        self.record(|| {
            counter!(DROPPED).absolute(dropped_log_lines());
            gauge!(IN_FLIGHT).set(self.in_flight.all() as f64);
        });
        self.recorder.handle().render()
    }

    /// Folds recent samples into the histograms. To be called every few seconds, as samples pile up
    /// in memory until then.
    pub fn run_upkeep(&self) {
        self.recorder.handle().run_upkeep();
    }

    /// Records with the macros of the `metrics` crate, on this recorder.
    pub fn record<T>(&self, recording: impl FnOnce() -> T) -> T {
        ::metrics::with_local_recorder(&self.recorder, recording)
    }

    /// The requests that are being answered by the servers with this recorder.
    pub(super) fn in_flight(&self) -> &Arc<InFlight> {
        &self.in_flight
    }

    pub(super) fn request_ended(&self, labels: RequestLabels, took: Duration) {
        let known = self.requests.load();
        match known.get(&labels) {
            Some(series) => series.add(took),
            None => self.begin(labels).add(took),
        }
    }

    /// The series of requests with labels that are new.
    fn begin(&self, labels: RequestLabels) -> RequestSeries {
        let RequestLabels {
            operation, method, ..
        } = labels;
        let status = labels.status().to_owned();
        let series = self.record(|| RequestSeries {
            count: counter!(REQUESTS, "operation" => operation, "method" => method, "status" => status),
            duration: histogram!(DURATION, "operation" => operation, "method" => method),
        });
        self.requests.rcu(|known| {
            let mut known = HashMap::clone(known);
            known.insert(labels, series.clone());
            known
        });
        series
    }

    pub(super) fn edge_error(&self, reason: &'static str) {
        self.record(|| counter!(EDGE_ERRORS, "reason" => reason).increment(1));
    }

    pub(super) fn connection_refused(&self) {
        self.record(|| counter!(REFUSED).increment(1));
    }

    pub(super) fn connection_closed(&self, reason: &'static str) {
        self.record(|| counter!(CLOSED, "reason" => reason).increment(1));
    }

    pub(super) fn rate_limited(&self, tier: &'static str) {
        self.record(|| counter!(REJECTIONS, "tier" => tier).increment(1));
    }
}

impl RequestSeries {
    /// Adds a request that took that long.
    fn add(&self, took: Duration) {
        self.count.increment(1);
        self.duration.record(took);
    }
}
