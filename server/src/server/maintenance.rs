//! Background tasks of a server.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::time::{Interval, MissedTickBehavior, interval};

use super::occupancy::OccupancyReport;
use crate::api::Api;
use crate::http::Metrics;

/// The interval of the limiter's maintenance: a killed process loses the counts of at most this time, and
/// the recovery of Redis is noticed within it.
const LIMITS: Duration = Duration::from_millis(500);

/// The interval at which samples are folded into histograms.
const METRICS: Duration = Duration::from_secs(5);

/// Maintains the limiter, and reports how full it is, until the future is dropped.
pub(super) async fn maintain_limits(api: Arc<Api>, report: OccupancyReport) {
    let mut ticks = ticks(LIMITS);
    loop {
        ticks.tick().await;
        // A panic in one round, which the log shows, must not end the maintenance.
        let _ = AssertUnwindSafe(api.maintain()).catch_unwind().await;
        if let Some(occupancy) = api.occupancy() {
            report.record(occupancy);
        }
    }
}

/// Maintains the metrics until the future is dropped.
pub(super) async fn maintain_metrics(metrics: Arc<Metrics>) {
    let mut ticks = ticks(METRICS);
    loop {
        ticks.tick().await;
        metrics.run_upkeep();
    }
}

/// Ticks that skip those which a busy machine has missed.
fn ticks(period: Duration) -> Interval {
    let mut ticks = interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}
