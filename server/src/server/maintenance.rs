//! Background tasks of a server.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::time::{Interval, MissedTickBehavior, interval};

use crate::api::Api;
use crate::http::Metrics;

/// How often the limiter is maintained: the time that a killed process forgets, and that passes until
/// a Redis that is back is noticed.
const LIMITS: Duration = Duration::from_millis(500);

/// How often samples are folded into histograms.
const METRICS: Duration = Duration::from_secs(5);

/// Maintains the limiter until the future is dropped.
pub(super) async fn maintain_limits(api: Arc<Api>) {
    let mut ticks = ticks(LIMITS);
    loop {
        ticks.tick().await;
        // A defect in one turn, which the log shows, is no reason never to take another.
        let _ = AssertUnwindSafe(api.maintain()).catch_unwind().await;
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

/// Ticks of which those that a busy machine missed are not made up for.
fn ticks(period: Duration) -> Interval {
    let mut ticks = interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}
