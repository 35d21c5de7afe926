//! The task that stores what a server counts, and keeps the stored counts in order.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use metrics::{Counter, Gauge, counter, describe_counter, describe_gauge, gauge};
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::recorder::Backlog;
use super::{Kept, Minute, Recorder};
use crate::clock::Clock;
use crate::database::{Database, Store, StoreError};

/// The interval of storing: a server that is killed loses what it has counted in at most this time.
const STORING: Duration = Duration::from_millis(500);

/// After how many of these minutes are folded.
const FOLDING: u32 = 120;

/// How long ago a minute must be to be folded, in minutes, so that servers are done with it.
const GRACE: i64 = 2;

/// How long a server that stops tries to store what it has counted.
const CLOSING: Duration = Duration::from_secs(5);

/// The pause between these attempts.
const PAUSE: Duration = Duration::from_millis(100);

const UNSTORED: &str = "usage_counts_unstored";
const LOST: &str = "usage_requests_lost_total";

/// The metrics of usage.
pub struct Instruments {
    unstored: Gauge,
    lost: Counter,
}

impl Instruments {
    /// Registers with the recorder that is current.
    pub fn register() -> Self {
        describe_gauge!(UNSTORED, "Counts of usage that wait for the database.");
        describe_counter!(
            LOST,
            "Requests that usage does not count, because the database was away for too long."
        );
        Self {
            unstored: gauge!(UNSTORED),
            lost: counter!(LOST),
        }
    }

    fn show(&self, backlog: Backlog) {
        self.unstored.set(backlog.unstored as f64);
        self.lost.absolute(backlog.lost);
    }
}

/// Stores what `recorder` counts, and folds and deletes stored counts, until the future is dropped.
pub async fn keep(
    recorder: Arc<Recorder>,
    store: Store,
    clock: Arc<dyn Clock>,
    instruments: Instruments,
) {
    let mut ticks = interval(STORING);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut fails = false;
    for tick in 0_u32.. {
        ticks.tick().await;
        let stored = recorder.store(store.as_ref(), clock.now().wall).await;
        instruments.show(recorder.backlog());
        report(&mut fails, stored.err());
        if tick.is_multiple_of(FOLDING) {
            let now = clock.now().wall;
            recorder.forget(now);
            if let Err(error) = maintain(store.as_ref(), now).await {
                tracing::warn!(%error, "usage is not folded into hours and days");
            }
        }
    }
}

/// Logs that counts cannot be stored, and that they can again.
fn report(fails: &mut bool, error: Option<StoreError>) {
    match &error {
        Some(error) if !*fails => tracing::warn!(%error, "usage waits for the database"),
        None if *fails => tracing::info!("usage is stored again"),
        _ => {}
    }
    *fails = error.is_some();
}

/// Folds the minutes that are over, and deletes what is kept no longer.
///
/// # Errors
/// When the database fails.
pub(crate) async fn maintain(store: &dyn Database, now: Timestamp) -> Result<(), StoreError> {
    let now = Minute::of(now);
    while store.fold_usage(Minute(now.0 - GRACE)).await? {}
    store.forget_usage(now, Kept::default()).await
}

/// Stores the last counts of a server that stops.
pub async fn close(recorder: &Recorder, store: &Store, now: Timestamp) {
    let storing = async {
        while let Err(error) = recorder.store(store.as_ref(), now).await {
            tracing::warn!(%error, "usage waits for the database");
            tokio::time::sleep(PAUSE).await;
        }
    };
    if timeout(CLOSING, storing).await.is_err() {
        let Backlog { unstored, .. } = recorder.backlog();
        tracing::error!(unstored, "counts of usage are lost");
    }
}
