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
use tokio::time::Instant;

use crate::api::Api;
use crate::database::Versions;
use cached_copy::CachedCopy;
use db::DbError;
use edge::http::Metrics;
use edge::periodic::Periodic;
use edge::reloadable::Reloadable;
use pool::PoolReport;

const UP: &str = "database_up";

/// The interval at which the database is polled for changes by other processes: a revoked key is
/// refused within twice this time.
const REFRESH: Duration = Duration::from_millis(400);

/// Whether the database answers, and since when the catalogue is out of date. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct CacheRefresh {
    keys: Reloadable<CopyState>,
    catalogue: Reloadable<CopyState>,
}

/// The state of a copy after the last attempt to refresh it.
#[derive(Debug, Default)]
struct CopyState {
    /// The reason why the database cannot be read, if so.
    lost: Option<String>,
    /// Since when the copy could not be refreshed, if so.
    behind: Option<Instant>,
}

impl CacheRefresh {
    /// Whether the server can serve requests.
    ///
    /// # Errors
    /// When the database cannot be read. A row that cannot be read does not make the server unready,
    /// because every other server reads the same row.
    pub fn readiness(&self) -> Result<(), String> {
        let (keys, catalogue) = (self.keys.get(), self.catalogue.get());
        match keys.lost.as_ref().or(catalogue.lost.as_ref()) {
            None => Ok(()),
            Some(why) => Err(why.clone()),
        }
    }

    /// For how long the catalogue could not be refreshed; 0 while it is up to date.
    pub fn catalogue_age(&self) -> Duration {
        let behind = self.catalogue.get().behind;
        behind.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// Keeps the keys of `api` fresh, without end. A task of its own: a catalogue that takes long to read must not
    /// delay the revocation of a key.
    pub async fn keep_keys(self, api: Arc<Api>, metrics: Arc<Metrics>) {
        let mut copy = metrics.record(|| CachedCopy::of("keys"));
        let up = metrics.record(|| {
            describe_gauge!(
                UP,
                "1 while the database can be read and its file is in place."
            );
            gauge!(UP)
        });
        let pool = api.pool().map(|_| metrics.record(PoolReport::register));
        let mut periodic = Periodic::new(REFRESH);
        loop {
            periodic
                .run(async {
                    let refresh = async |versions| api.refresh_keys(versions).await;
                    self.keys.set(refreshed(&api, &mut copy, refresh).await);
                    up.set(if self.readiness().is_ok() { 1.0 } else { 0.0 });
                    if let Some((report, pool)) = pool.as_ref().zip(api.pool()) {
                        report.record(pool);
                    }
                })
                .await;
        }
    }

    /// Keeps the catalogue of `api` fresh, without end.
    pub async fn keep_catalogue(self, api: Arc<Api>, metrics: Arc<Metrics>) {
        let mut copy = metrics.record(|| CachedCopy::of("catalogue"));
        let mut periodic = Periodic::new(REFRESH);
        loop {
            periodic
                .run(async {
                    let refresh = async |versions| api.refresh_catalogue(versions).await;
                    self.catalogue
                        .set(refreshed(&api, &mut copy, refresh).await);
                })
                .await;
        }
    }
}

/// Refreshes a copy if it is out of date; returns its state.
async fn refreshed(
    api: &Api,
    copy: &mut CachedCopy,
    refresh: impl AsyncFnOnce(Versions) -> Result<(), DbError>,
) -> CopyState {
    let now = Instant::now();
    let lost = match api.versions().await {
        Ok(versions) => copy.take(now, caught(refresh(versions))).await,
        Err(error) => {
            copy.is_behind(now, &error);
            Some(unusable(&error))
        }
    };
    CopyState {
        lost,
        behind: copy.behind_since(),
    }
}

/// The reason why the database cannot be read, unless the error is about one row.
fn silence(error: &DbError) -> Option<String> {
    match error {
        DbError::Corrupt(_) => None,
        error => Some(unusable(error)),
    }
}

fn unusable(error: &DbError) -> String {
    match error {
        DbError::Unavailable(why) => format!("the database does not respond: {why}"),
        error => error.to_string(),
    }
}

/// Turns a panic into an error, so that the next refresh is tried.
async fn caught(taking: impl Future<Output = Result<(), DbError>>) -> Result<(), DbError> {
    let caught = AssertUnwindSafe(taking).catch_unwind().await;
    caught.unwrap_or_else(|_| Err(DbError::Corrupt("reading it caused a panic".to_owned())))
}
