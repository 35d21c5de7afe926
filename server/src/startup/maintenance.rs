//! Background tasks of a server.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::sync::Notify;
use tokio::time::{Interval, MissedTickBehavior, interval, sleep};

use super::occupancy::OccupancyReport;
use crate::accounts::AccountRules;
use crate::api::Api;
use crate::domain::service_identity::ServiceIdentity;
use crate::keys::expiry;
use crate::site::PageLimit;
use db::Db;
use edge::clock::Clock;
use edge::http::Metrics;

/// The interval of the limiter's maintenance: a killed process loses the counts of at most this time, and
/// the recovery of Redis is noticed within it.
const LIMITS: Duration = Duration::from_millis(500);

/// The interval at which samples are folded into histograms.
const METRICS: Duration = Duration::from_secs(5);

/// The interval at which keys are looked for whose owners are to be told of their end.
const EXPIRY: Duration = Duration::from_secs(60);

/// The interval at which sign-ins, sessions and invitations that have expired are deleted.
const FORGETTING: Duration = Duration::from_secs(600);

/// How long after the start they are deleted first.
const FIRST_FORGETTING: Duration = Duration::from_secs(60);

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
pub(super) async fn announce_ends_of_keys(
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

/// Deletes personal data that is kept for a time only, until the future is dropped.
pub(super) async fn forget_expired(store: Db, rules: AccountRules, clock: Arc<dyn Clock>) {
    // The first requests after a start find the database free.
    sleep(FIRST_FORGETTING).await;
    let mut ticks = ticks(FORGETTING);
    loop {
        ticks.tick().await;
        let forgotten =
            crate::personal_data::store::forget_expired(&store, rules, clock.now().wall);
        if let Ok(Err(error)) = AssertUnwindSafe(forgotten).catch_unwind().await {
            tracing::warn!(%error, "sign-ins that have expired are not deleted");
        }
    }
}

/// Forgets the idle networks of the limit of pages, until the future is dropped.
pub(super) async fn maintain_page_limit(limit: Arc<PageLimit>) {
    let mut ticks = ticks(LIMITS);
    loop {
        ticks.tick().await;
        limit.maintain().await;
    }
}

/// Ticks that skip those which a busy machine has missed.
fn ticks(period: Duration) -> Interval {
    let mut ticks = interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}
