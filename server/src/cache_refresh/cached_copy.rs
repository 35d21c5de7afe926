//! A copy in memory of data in the database: keys, or the catalogue.

use std::time::Duration;

use metrics::{Gauge, describe_gauge, gauge};
use tokio::time::Instant;

use crate::database::StoreError;

const STALE: &str = "database_stale_seconds";

/// How long to let something be that cannot be read; it may be large, and reading it is work.
const PAUSE: Duration = Duration::from_secs(2);

/// The interval at which the log repeats that the copy is out of date, for the same reason.
const REMINDER: Duration = Duration::from_secs(60);

/// A copy, and how old it is.
pub(super) struct CachedCopy {
    of: &'static str,
    age: Gauge,
    lapse: Option<Lapse>,
}

/// Why a copy is behind.
struct Lapse {
    since: Instant,
    error: StoreError,
    said: Instant,
    next: Instant,
}

impl CachedCopy {
    /// A copy that is fresh. Its age is recorded where the caller records.
    pub(super) fn of(of: &'static str) -> Self {
        describe_gauge!(
            STALE,
            "How long what is in memory has been behind the database."
        );
        let age = gauge!(STALE, "of" => of);
        age.set(0);
        Self {
            of,
            age,
            lapse: None,
        }
    }

    /// Tries to take the original over, if it is time; why the database does not answer, if so.
    pub(super) async fn take(
        &mut self,
        now: Instant,
        taking: impl Future<Output = Result<(), StoreError>>,
    ) -> Option<String> {
        match &self.lapse {
            Some(lapse) if now < lapse.next => {
                self.age.set(now.duration_since(lapse.since));
                return None;
            }
            _ => {}
        }
        match taking.await {
            Ok(()) => {
                if self.lapse.take().is_some() {
                    self.age.set(0);
                    tracing::info!(of = self.of, "up to date again");
                }
                None
            }
            Err(error) => {
                self.is_behind(now, &error);
                super::silence(&error)
            }
        }
    }

    /// Notes that it could not be taken over.
    pub(super) fn is_behind(&mut self, now: Instant, error: &StoreError) {
        let known = self.lapse.take();
        let since = known.as_ref().map_or(now, |lapse| lapse.since);
        let said = known.filter(|lapse| lapse.error == *error && now < lapse.said + REMINDER);
        if said.is_none() {
            tracing::error!(of = self.of, %error, "what is in memory stays as it was");
        }
        let unreadable = !matches!(error, StoreError::Unavailable(_));
        self.age.set(now.duration_since(since));
        self.lapse = Some(Lapse {
            since,
            error: error.clone(),
            said: said.map_or(now, |lapse| lapse.said),
            next: if unreadable { now + PAUSE } else { now },
        });
    }
}
