//! Background tasks of the console.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use db::Db;
use edge::clock::Clock;
use features::console_config::AccountRules;
use futures_util::FutureExt as _;
use tokio::time::{Interval, MissedTickBehavior, interval, sleep};

use crate::personal_data;
use crate::site::PageLimit;

/// The interval of the page limit's maintenance.
const LIMITS: Duration = Duration::from_millis(500);

/// The interval at which expired sign-ins, sessions and invitations are deleted.
const EXPIRY: Duration = Duration::from_secs(600);

/// The delay of the first deletion, so that the first requests after a start find the database free.
const FIRST_EXPIRY: Duration = Duration::from_secs(60);

/// Deletes expired personal data until the future is dropped.
pub(super) async fn forget_expired(db: Db, rules: AccountRules, clock: Arc<dyn Clock>) {
    sleep(FIRST_EXPIRY).await;
    let mut ticks = ticks(EXPIRY);
    loop {
        ticks.tick().await;
        let forgotten = personal_data::store::forget_expired(&db, rules, clock.now().wall);
        // A panic in one round, which the log shows, must not end the task.
        if let Ok(Err(error)) = AssertUnwindSafe(forgotten).catch_unwind().await {
            tracing::warn!(%error, "sign-ins that have expired are not deleted");
        }
    }
}

/// Forgets the idle networks of the page limit until the future is dropped.
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
