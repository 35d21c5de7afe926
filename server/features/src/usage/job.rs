//! The task that stores the counts of a server, folds them into hours and days, and deletes old ones.

use std::sync::Arc;
use std::time::Duration;

use edge::periodic::Periodic;
use jiff::Timestamp;
use metrics::{Counter, Gauge, counter, describe_counter, describe_gauge, gauge};
use tokio::time::timeout;

use super::recorder::Backlog;
use super::{Minute, Recorder, Retention};
use db::{Db, DbError};
use edge::clock::Clock;

/// The interval of storing: a server that is killed loses the counts of this time and of the transaction
/// that it was writing, together at most a second.
const STORE_INTERVAL: Duration = Duration::from_millis(800);

/// Counts are folded once in this many intervals: once in a minute.
const FOLD_EVERY: u32 = 75;

/// The age at which a minute is folded, in minutes: by then all servers have stored their counts of it.
const FOLD_AGE: i64 = 2;

/// How long a server that stops tries to store its last counts.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

/// The pause between these attempts.
const PAUSE: Duration = Duration::from_millis(100);

const UNSTORED: &str = "usage_counts_unstored";
const LOST: &str = "usage_requests_lost_total";

pub struct UsageMetrics {
    unstored: Gauge,
    lost: Counter,
}

impl UsageMetrics {
    /// Registers the metrics with the global recorder of `metrics`.
    pub fn register() -> Self {
        describe_gauge!(UNSTORED, "Usage counts waiting for the database.");
        describe_counter!(
            LOST,
            "Requests missing from usage because the database was unavailable for too long."
        );
        Self {
            unstored: gauge!(UNSTORED),
            lost: counter!(LOST),
        }
    }

    fn record(&self, backlog: Backlog) {
        self.unstored.set(backlog.unstored as f64);
        self.lost.absolute(backlog.lost);
    }
}

/// Stores the counts of `recorder`, and folds and deletes stored ones, until the future is dropped.
pub async fn run(recorder: Arc<Recorder>, store: Db, clock: Arc<dyn Clock>, metrics: UsageMetrics) {
    let mut periodic = Periodic::new(STORE_INTERVAL);
    let mut is_failing = false;
    for tick in 0_u32.. {
        let round = async {
            let stored = recorder.store(&store, clock.now().wall).await;
            metrics.record(recorder.backlog());
            report(&mut is_failing, stored.err());
            if tick.is_multiple_of(FOLD_EVERY) {
                let now = clock.now().wall;
                recorder.forget(now);
                if let Err(error) = maintain(&store, now).await {
                    tracing::warn!(%error, "cannot aggregate usage into hours and days");
                }
            }
        };
        periodic.run(round).await;
    }
}

/// Logs the first failure to store counts, and the end of failures.
fn report(is_failing: &mut bool, error: Option<DbError>) {
    match &error {
        Some(error) if !*is_failing => tracing::warn!(%error, "cannot store usage; retrying"),
        None if *is_failing => tracing::info!("storing usage again"),
        _ => {}
    }
    *is_failing = error.is_some();
}

/// Folds the minutes that are over, and deletes the counts that are too old.
pub async fn maintain(store: &Db, now: Timestamp) -> Result<(), DbError> {
    let now = Minute::of(now);
    while crate::usage::store::fold_usage(store, Minute(now.0 - FOLD_AGE)).await? {}
    crate::usage::store::forget_usage(store, now, Retention::default()).await
}

/// Stores the last counts of a server that stops.
pub async fn close(recorder: &Recorder, store: &Db, now: Timestamp) {
    let storing = async {
        while let Err(error) = recorder.store(store, now).await {
            tracing::warn!(%error, "cannot store usage; retrying");
            tokio::time::sleep(PAUSE).await;
        }
    };
    if timeout(CLOSE_TIMEOUT, storing).await.is_err() {
        let Backlog { unstored, .. } = recorder.backlog();
        tracing::error!(unstored, "usage counts are lost");
    }
}
