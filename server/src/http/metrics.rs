//! Counters and histograms of the edge, in the Prometheus text format.
//!
//! Labels are operation ids, known methods, statuses and tiers, never texts of a client, so that the
//! number of series is bounded. Each server owns its recorder; nothing is global.

use std::time::Duration;

use ::metrics::{counter, describe_counter, describe_histogram, histogram};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusRecorder};

use super::logging::dropped_log_lines;

const REQUESTS: &str = "http_requests_total";
const DURATION: &str = "http_request_duration_seconds";
const EDGE_ERRORS: &str = "http_faults_total";
const REJECTIONS: &str = "rate_limit_rejections_total";
const REFUSED: &str = "http_connections_refused_total";
const CLOSED: &str = "http_connections_closed_total";
const DROPPED: &str = "log_lines_dropped_total";

/// From half a millisecond, where the catalogue in memory answers, to the request timeout.
const BUCKETS: [f64; 12] = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.5, 10.0,
];

/// The recorder of one server.
pub struct Metrics(PrometheusRecorder);

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
        let metrics = Self(recorder);
        metrics.record(|| {
            describe_counter!(REQUESTS, "Requests by operation, method and status.");
            describe_histogram!(DURATION, "Time from a request's head to its answer's head.");
            describe_counter!(
                EDGE_ERRORS,
                "Requests that the API did not answer, by reason."
            );
            describe_counter!(REJECTIONS, "Requests above their limit, by tier.");
            describe_counter!(
                REFUSED,
                "Connections from where too many were open already."
            );
            describe_counter!(CLOSED, "Connections that the server closed, by reason.");
            describe_counter!(DROPPED, "Log lines for which there was no room.");
        });
        Ok(metrics)
    }

    /// All series in the Prometheus text format 0.0.4.
    pub fn render(&self) -> String {
        self.record(|| counter!(DROPPED).absolute(dropped_log_lines()));
        self.0.handle().render()
    }

    /// Folds recent samples into the histograms. To be called every few seconds, as samples pile up
    /// in memory until then.
    pub fn run_upkeep(&self) {
        self.0.handle().run_upkeep();
    }

    /// Records with the macros of the `metrics` crate, on this recorder.
    pub fn record<T>(&self, recording: impl FnOnce() -> T) -> T {
        ::metrics::with_local_recorder(&self.0, recording)
    }

    pub(super) fn request_ended(
        &self,
        operation: &'static str,
        method: &'static str,
        status: &str,
        took: Duration,
    ) {
        let status = status.to_owned();
        self.record(|| {
            counter!(REQUESTS, "operation" => operation, "method" => method, "status" => status)
                .increment(1);
            histogram!(DURATION, "operation" => operation, "method" => method).record(took);
        });
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
