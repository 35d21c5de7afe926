//! What the edge counts and measures, in the Prometheus text format.
//!
//! Labels are operation ids, known methods, statuses and tiers, never anything a client makes up, so
//! that the number of series is bounded. Each server owns its recorder; nothing is global.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use ::metrics::{
    Gauge, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram,
};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusRecorder};

use super::series::{Handles, Series, SeriesTable};

const REQUESTS: &str = "http_requests_total";
const DURATION: &str = "http_request_duration_seconds";
const IN_FLIGHT: &str = "http_requests_in_flight";
const FAULTS: &str = "http_faults_total";
const REJECTIONS: &str = "rate_limit_rejections_total";
const REFUSED: &str = "http_connections_refused_total";

/// From half a millisecond, where snapshots answer, to the request timeout.
const BUCKETS: [f64; 12] = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.5, 10.0,
];

/// The recorder of one server.
pub struct Metrics {
    recorder: PrometheusRecorder,
    in_flight: AtomicUsize,
    shown_in_flight: Gauge,
    requests: SeriesTable,
}

/// The recorder could not be set up.
#[derive(Debug, thiserror::Error)]
#[error("cannot set up the metrics")]
pub struct MetricsError(#[from] BuildError);

impl Metrics {
    /// A recorder that has seen nothing.
    ///
    /// # Errors
    /// When the recorder rejects the histogram's buckets.
    pub fn new() -> Result<Self, MetricsError> {
        let recorder = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Full(DURATION.to_owned()), &BUCKETS)?
            .build_recorder();
        let shown_in_flight = ::metrics::with_local_recorder(&recorder, || {
            describe_counter!(REQUESTS, "Requests by operation, method and status.");
            describe_histogram!(DURATION, "Time from a request's head to its answer's head.");
            describe_gauge!(IN_FLIGHT, "Requests that are being answered.");
            describe_counter!(FAULTS, "Requests that the API did not answer, by reason.");
            describe_counter!(REJECTIONS, "Requests above their limit, by tier.");
            describe_counter!(
                REFUSED,
                "Connections from where too many were open already."
            );
            gauge!(IN_FLIGHT)
        });
        Ok(Self {
            recorder,
            in_flight: AtomicUsize::new(0),
            shown_in_flight,
            requests: SeriesTable::default(),
        })
    }

    /// All series in the Prometheus text format 0.0.4.
    pub fn render(&self) -> String {
        let in_flight = self.in_flight.load(Ordering::Relaxed);
        self.shown_in_flight.set(in_flight as f64);
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

    /// Counts a request in flight; how many there are now.
    pub(super) fn request_began(&self) -> usize {
        self.in_flight.fetch_add(1, Ordering::Relaxed) + 1
    }

    pub(super) fn request_ended(&self, series: Series, took: Duration) {
        self.in_flight.fetch_sub(1, Ordering::Relaxed);
        let add = |Handles { count, duration }: &Handles| {
            count.increment(1);
            duration.record(took);
        };
        self.requests.add(series, || self.register(series), add);
    }

    fn register(&self, series: Series) -> Handles {
        let Series {
            operation, method, ..
        } = series;
        let status = series.status_text().to_owned();
        self.record(|| Handles {
            count: counter!(
                REQUESTS, "operation" => operation, "method" => method, "status" => status
            ),
            duration: histogram!(DURATION, "operation" => operation, "method" => method),
        })
    }

    pub(super) fn fault(&self, reason: &'static str) {
        self.record(|| counter!(FAULTS, "reason" => reason).increment(1));
    }

    pub(super) fn connection_refused(&self) {
        self.record(|| counter!(REFUSED).increment(1));
    }

    pub(super) fn rate_limited(&self, tier: &'static str) {
        self.record(|| counter!(REJECTIONS, "tier" => tier).increment(1));
    }
}
