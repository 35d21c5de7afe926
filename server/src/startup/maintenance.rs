//! Background tasks of a server.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::sync::Notify;
use tokio::time::{Interval, MissedTickBehavior, interval};

use super::occupancy::OccupancyReport;
use db::Db;
use edge::clock::Clock;
use edge::http::Metrics;
use features::api::Api;
use features::domain::service_identity::ServiceIdentity;
use features::keys::expiry;

/// The interval of the limiter's maintenance: a killed process loses the counts of at most this time, and
/// the recovery of Redis is noticed within it.
const LIMITS: Duration = Duration::from_millis(500);

/// The interval at which samples are folded into histograms.
const METRICS: Duration = Duration::from_secs(5);

/// The interval of looking for keys that expire soon.
const EXPIRY: Duration = Duration::from_secs(60);

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

/// Tells owners of the end of their keys, until the future is dropped.
pub(super) async fn announce_expiring_keys(
    store: Db,
    service: ServiceIdentity,
    clock: Arc<dyn Clock>,
    new_mail: Arc<Notify>,
) {
    let mut ticks = ticks(EXPIRY);
    loop {
        ticks.tick().await;
        let now = clock.now().wall;
        let announced = expiry::announce(&store, &service, now);
        match AssertUnwindSafe(announced).catch_unwind().await {
            Ok(Ok(1..)) => new_mail.notify_one(),
            Ok(Err(error)) => tracing::warn!(%error, "owners are not told of the end of keys"),
            Ok(Ok(0)) | Err(_) => {}
        }
    }
}

/// Ticks that skip those which a busy machine has missed.
fn ticks(period: Duration) -> Interval {
    let mut ticks = interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}
