//! A copy in memory of data in the database: keys, or the catalogue.

use std::time::Duration;

use metrics::{Gauge, describe_gauge, gauge};
use tokio::time::Instant;

use db::DbError;

const STALE: &str = "database_stale_seconds";

/// The pause after a copy could not be read: it may be large, and reading it is work.
const PAUSE: Duration = Duration::from_secs(2);

/// The interval at which the log repeats that the copy is out of date, for the same reason.
const REMINDER: Duration = Duration::from_secs(60);

/// The state of a copy of the database's data in memory.
pub(super) struct CachedCopy {
    of: &'static str,
    age: Gauge,
    staleness: Option<Staleness>,
}

/// Since when and why a copy is out of date, and the times of the last log entry and the next attempt.
struct Staleness {
    since: Instant,
    error: DbError,
    logged_at: Instant,
    next: Instant,
}

impl CachedCopy {
    /// A copy that is up to date. Its age is recorded with the current recorder.
    pub(super) fn of(of: &'static str) -> Self {
        describe_gauge!(STALE, "How long the cached copy has been out of date.");
        let age = gauge!(STALE, "of" => of);
        age.set(0);
        Self {
            of,
            age,
            staleness: None,
        }
    }

    /// Refreshes the copy with `taking`, if it is time; returns the reason why the database does not
    /// answer, if so.
    pub(super) async fn take(
        &mut self,
        now: Instant,
        taking: impl Future<Output = Result<(), DbError>>,
    ) -> Option<String> {
        match &self.staleness {
            Some(staleness) if now < staleness.next => {
                self.age.set(now.duration_since(staleness.since));
                return None;
            }
            _ => {}
        }
        match taking.await {
            Ok(()) => {
                if self.staleness.take().is_some() {
                    self.age.set(0);
                    tracing::info!(of = self.of, "the cached copy is up to date again");
                }
                None
            }
            Err(error) => {
                self.is_behind(now, &error);
                super::silence(&error)
            }
        }
    }

    /// Since when it could not be refreshed, if so.
    pub(super) fn behind_since(&self) -> Option<Instant> {
        self.staleness.as_ref().map(|staleness| staleness.since)
    }

    /// Notes that a refresh has failed.
    pub(super) fn is_behind(&mut self, now: Instant, error: &DbError) {
        let known = self.staleness.take();
        let since = known.as_ref().map_or(now, |staleness| staleness.since);
        let logged = known
            .filter(|staleness| staleness.error == *error && now < staleness.logged_at + REMINDER);
        if logged.is_none() {
            tracing::error!(of = self.of, %error, "cannot refresh the cached copy");
        }
        let unreadable = !matches!(error, DbError::Unavailable(_));
        self.age.set(now.duration_since(since));
        self.staleness = Some(Staleness {
            since,
            error: error.clone(),
            logged_at: logged.map_or(now, |staleness| staleness.logged_at),
            next: if unreadable { now + PAUSE } else { now },
        });
    }
}
