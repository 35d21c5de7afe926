//! The minutes in which a server ran and could read its database, for the status page.
//!
//! Each server checks itself three times a minute and records the minute, not a count: a minute is available if any
//! server recorded it, so that replicas neither add up nor hide each other's outages. A minute that no server recorded is
//! an outage, whether every server was stopped or the database was away. Minutes that cannot be written are kept and
//! written once the database is back, so that an outage of the database is no outage of the servers.

mod history;
mod minutes;
mod sql;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use db::{Db, DbError, Timeouts, Writer};
use edge::clock::Clock;
use edge::periodic::Periodic;
use edge::reloadable::Reloadable;
use features::cache_refresh::CacheRefresh;
use features::domain::day::Day;
use jiff::Timestamp;

pub(crate) use history::{Available, History};
use minutes::Minutes;

/// The days that are stored and shown, today included.
pub const DAYS: i64 = 90;

/// The interval of checks.
const CHECK: Duration = Duration::from_secs(20);

/// The history of all servers, as this one knows it. Clones share it.
#[derive(Clone, Default)]
pub struct Availability(Reloadable<History>);

/// The available minutes of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DayMinutes {
    /// Those in which a server ran.
    running: Minutes,
    /// Those in which a server could read the database.
    reading: Minutes,
}

/// The minutes of days.
pub type Days = BTreeMap<Day, DayMinutes>;

impl Availability {
    pub(crate) fn history(&self) -> History {
        self.0.get().as_ref().clone()
    }

    /// Checks this server without end.
    pub(crate) async fn record(self, db: Db, refresh: CacheRefresh, clock: Arc<dyn Clock>) {
        let mut pending = Days::new();
        let (mut days, mut stored) = (Days::new(), None);
        let mut periodic = Periodic::new(CHECK);
        loop {
            periodic
                .run(async {
                    let now = clock.now().wall;
                    let check = minute(now, refresh.readiness().is_ok());
                    if stored.as_ref() != Some(&check) {
                        merge(&mut pending, &check);
                        match store(&db, pending.clone(), now).await {
                            Ok(all) => {
                                days = all;
                                pending.clear();
                                stored = Some(check);
                            }
                            Err(error) => tracing::debug!(%error, "this minute is stored later"),
                        }
                        merge(&mut days, &pending);
                    }
                    self.0.set(History::new(days.clone(), now));
                })
                .await;
        }
    }
}

/// A minute in which a server ran, and in which it could read the database if `is_reading`.
pub fn minute(at: Timestamp, is_reading: bool) -> Days {
    let running = Minutes::of(at);
    let reading = match is_reading {
        true => running,
        false => Minutes::default(),
    };
    Days::from([(Day::of(at), DayMinutes { running, reading })])
}

/// Adds the minutes of some days; the oldest days are dropped.
fn merge(days: &mut Days, others: &Days) {
    for (day, minutes) in others {
        let merged = days.entry(*day).or_default();
        merged.running |= minutes.running;
        merged.reading |= minutes.reading;
    }
    while days.len() > DAYS as usize {
        days.pop_first();
    }
}

/// Adds minutes to those in the database, deletes days that are not shown any more, and returns the others.
///
/// # Errors
/// When the database fails.
pub async fn store(db: &Db, days: Days, now: Timestamp) -> Result<Days, DbError> {
    let write = move |tx: &db::Tx<'_>| {
        sql::add(tx, &days)?;
        sql::delete_before(tx, Day::of(now).number() - DAYS + 1)?;
        sql::all(tx)
    };
    db.write(Writer::Unlimited, Timeouts::Request, write).await
}
