//! Refreshing the copies of keys and catalogue in memory from the database, and their age.
//!
//! Keys and catalogue are refreshed independently, so that an error in one does not hold back the
//! other. A copy that cannot be refreshed stays: an old catalogue is better than none.

mod cached_copy;
mod pool;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use metrics::{describe_gauge, gauge};
use tokio::time::{Instant, MissedTickBehavior, interval};

use crate::api::Api;
use cached_copy::CachedCopy;
use db::{Db, DbError};
use edge::http::Metrics;
use edge::reloadable::Reloadable;
use pool::PoolReport;

const UP: &str = "database_up";

/// The interval at which the database is polled for changes by other processes: a revoked key is
/// refused within twice this time.
const REFRESH: Duration = Duration::from_millis(400);

/// How often old entries of the change log are deleted.
const PRUNE: Duration = Duration::from_secs(600);

/// Whether the database answers, and since when the catalogue is out of date. Clones share it.
#[derive(Debug, Clone)]
pub struct CacheRefresh(Reloadable<State>);

#[derive(Debug, Default)]
struct State {
    /// The reason why the database does not answer, if so.
    lost: Option<String>,
    /// Since when the catalogue could not be refreshed, if so.
    catalogue_behind: Option<Instant>,
}

impl CacheRefresh {
    /// The state of a server that has just read everything.
    pub fn fresh() -> Self {
        Self(Reloadable::new(State::default()))
    }

    /// Whether the server can serve requests.
    ///
    /// # Errors
    /// When the database does not answer. A row that cannot be read does not make the server unready,
    /// because every other server reads the same row.
    pub fn readiness(&self) -> Result<(), String> {
        match &self.0.get().lost {
            None => Ok(()),
            Some(why) => Err(format!("the database does not answer: {why}")),
        }
    }

    /// For how long the catalogue could not be refreshed; 0 while it is up to date.
    pub fn catalogue_age(&self) -> Duration {
        let behind = self.0.get().catalogue_behind;
        behind.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// Keeps the keys and the catalogue of `api` fresh, without end.
    pub async fn keep(self, api: Arc<Api>, metrics: Arc<Metrics>) {
        let mut keys = metrics.record(|| CachedCopy::of("keys"));
        let mut catalogue = metrics.record(|| CachedCopy::of("catalogue"));
        let up = metrics.record(|| {
            describe_gauge!(UP, "1 while the database answers.");
            gauge!(UP)
        });
        let pool = api.pool().map(|_| metrics.record(PoolReport::register));
        let mut ticks = interval(REFRESH);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let now = ticks.tick().await;
            let lost = refresh(&api, now, &mut keys, &mut catalogue).await;
            up.set(if lost.is_some() { 0.0 } else { 1.0 });
            self.0.set(State {
                lost,
                catalogue_behind: catalogue.behind_since(),
            });
            if let Some((report, pool)) = pool.as_ref().zip(api.pool()) {
                report.record(pool);
            }
        }
    }
}

/// Deletes old entries of the change log now and then, without end.
pub async fn prune_changes(db: Db) {
    let mut ticks = interval(PRUNE);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let pruned = AssertUnwindSafe(db.prune_changes()).catch_unwind().await;
        if let Ok(Err(error)) = pruned {
            tracing::warn!(%error, "old entries of the change log are not deleted");
        }
    }
}

/// Refreshes the copies that are out of date; returns the reason why the database does not answer, if
/// so.
async fn refresh(
    api: &Api,
    now: Instant,
    keys: &mut CachedCopy,
    catalogue: &mut CachedCopy,
) -> Option<String> {
    match api.versions().await {
        Ok(versions) => {
            let keys = keys.take(now, caught(api.refresh_keys(versions))).await;
            let taking = caught(api.refresh_catalogue(versions));
            catalogue.take(now, taking).await.or(keys)
        }
        Err(error) => {
            keys.is_behind(now, &error);
            catalogue.is_behind(now, &error);
            silence(&error)
        }
    }
}

/// The reason why the database does not answer, if the error says so.
fn silence(error: &DbError) -> Option<String> {
    match error {
        DbError::Unavailable(why) => Some(why.clone()),
        _ => None,
    }
}

/// Turns a panic into an error, so that the next refresh is tried.
async fn caught(taking: impl Future<Output = Result<(), DbError>>) -> Result<(), DbError> {
    let caught = AssertUnwindSafe(taking).catch_unwind().await;
    caught.unwrap_or_else(|_| Err(DbError::Corrupt("reading it caused a panic".to_owned())))
}
