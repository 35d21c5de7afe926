//! Keeping what is in memory as fresh as the database, and telling how far it is behind.
//!
//! Keys and catalogue are taken over apart from each other, so that one that cannot be read does not
//! keep the other from being fresh. What cannot be taken over stays as it was: a catalogue of a while
//! ago is better than none.

mod mirror;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::FutureExt;
use tokio::time::{Instant, MissedTickBehavior, interval};

use crate::api::Api;
use crate::http::Metrics;
use crate::store::StoreError;
use mirror::Mirror;

/// How often the database is asked whether another process has changed something: a revoked key is
/// refused within twice this time.
const REFRESH: Duration = Duration::from_millis(400);

/// Whether the database answers. Clones tell the same.
#[derive(Debug, Clone)]
pub struct Freshness(Arc<AtomicBool>);

impl Freshness {
    /// That of a server which has just read everything.
    pub fn fresh() -> Self {
        Self(Arc::new(AtomicBool::new(true)))
    }

    /// Whether the server can answer everything.
    ///
    /// # Errors
    /// When the database does not answer. One that answers, with something that cannot be read, is
    /// no reason to get no requests: every other server would have to say the same.
    pub fn readiness(&self) -> Result<(), String> {
        if self.0.load(Ordering::Acquire) {
            Ok(())
        } else {
            Err("the database does not answer".to_owned())
        }
    }

    /// Keeps the keys and the catalogue of `api` fresh, without end.
    pub async fn keep(self, api: Arc<Api>, metrics: Arc<Metrics>) {
        let mut keys = metrics.record(|| Mirror::of("keys"));
        let mut catalogue = metrics.record(|| Mirror::of("catalogue"));
        let mut ticks = interval(REFRESH);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let now = ticks.tick().await;
            let answers = refresh(&api, now, &mut keys, &mut catalogue).await;
            self.0.store(answers, Ordering::Release);
        }
    }
}

/// Takes over what has changed; whether the database answers.
async fn refresh(api: &Api, now: Instant, keys: &mut Mirror, catalogue: &mut Mirror) -> bool {
    match api.versions().await {
        Ok(versions) => {
            let keys = keys.take(now, caught(api.take_keys(versions))).await;
            let taking = caught(api.take_catalogue(versions));
            catalogue.take(now, taking).await && keys
        }
        Err(error) => {
            keys.is_behind(now, &error);
            catalogue.is_behind(now, &error);
            !matches!(error, StoreError::Unavailable(_))
        }
    }
}

/// A panic is a failure of what was tried, not the end of all trying.
async fn caught(taking: impl Future<Output = Result<(), StoreError>>) -> Result<(), StoreError> {
    let caught = AssertUnwindSafe(taking).catch_unwind().await;
    caught.unwrap_or_else(|_| {
        Err(StoreError::Corrupt(
            "what is in it made us panic".to_owned(),
        ))
    })
}
