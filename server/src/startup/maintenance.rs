//! Background tasks of a server. They run until they are dropped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use db::Db;
use edge::clock::Clock;
use edge::http::Metrics;
use edge::periodic::Periodic;
use features::api::Api;
use features::domain::service_identity::ServiceIdentity;
use features::keys::expiry;
use metrics::{describe_gauge, gauge};
use tokio::sync::Notify;

use super::occupancy::OccupancyReport;
use super::process_metrics::ProcessMetrics;

/// The interval of the limiter's maintenance: a killed process loses the counts of at most this time, and
/// the recovery of Redis is noticed within it.
const LIMITS: Duration = Duration::from_millis(500);

/// The interval at which samples are folded into histograms.
const METRICS: Duration = Duration::from_secs(5);

const READ_ONLY: &str = "database_read_only";

/// How often PostgreSQL is asked whether it takes writes.
const WRITABLE: Duration = Duration::from_secs(2);

/// The interval of looking for keys that expire soon.
const EXPIRY: Duration = Duration::from_secs(60);

/// How often old entries of the change log are deleted.
const CHANGES: Duration = Duration::from_secs(600);

/// Maintains the limiter, and reports how full it is.
pub(super) async fn maintain_limits(api: Arc<Api>, report: OccupancyReport) {
    let mut periodic = Periodic::new(LIMITS);
    loop {
        periodic
            .run(async {
                api.maintain().await;
                if let Some(occupancy) = api.occupancy() {
                    report.record(occupancy);
                }
            })
            .await;
    }
}

pub(super) async fn maintain_metrics(metrics: Arc<Metrics>, process: ProcessMetrics) {
    let mut periodic = Periodic::new(METRICS);
    loop {
        periodic
            .run(async {
                metrics.run_upkeep();
                process.record();
            })
            .await;
    }
}

/// Sends owners notices of keys that expire.
pub(super) async fn announce_expiring_keys(
    store: Db,
    service: ServiceIdentity,
    clock: Arc<dyn Clock>,
    new_mail: Arc<Notify>,
) {
    let mut periodic = Periodic::new(EXPIRY);
    loop {
        periodic
            .run(async {
                match expiry::announce(&store, &service, clock.now().wall).await {
                    Ok(1..) => new_mail.notify_one(),
                    Ok(0) => {}
                    Err(error) => {
                        tracing::warn!(%error, "cannot notify owners of expiring keys")
                    }
                }
            })
            .await;
    }
}

/// Deletes old entries of the change log.
pub(super) async fn prune_changes(store: Db) {
    let mut periodic = Periodic::new(CHANGES);
    loop {
        periodic
            .run(async {
                if let Err(error) = store.prune_changes().await {
                    tracing::warn!(%error, "cannot delete old entries of the change log");
                }
            })
            .await;
    }
}

/// Watches whether PostgreSQL takes writes.
pub(super) async fn watch_read_only(
    store: Db,
    metrics: Arc<Metrics>,
    is_read_only: Arc<AtomicBool>,
) {
    let Some(_) = store.pool() else {
        return;
    };
    let gauge = metrics.record(|| {
        describe_gauge!(READ_ONLY, "1 while the database is read-only.");
        gauge!(READ_ONLY)
    });
    let mut periodic = Periodic::new(WRITABLE);
    loop {
        periodic
            .run(async {
                // While the database does not answer, that is reported.
                let Ok(Some(found)) = store.is_read_only().await else {
                    return;
                };
                gauge.set(if found { 1.0 } else { 0.0 });
                if is_read_only.swap(found, Ordering::Relaxed) != found {
                    tracing::warn!(
                        read_only = found,
                        "the database became read-only or writable"
                    );
                }
            })
            .await;
    }
}
