//! Housekeeping that is done over and over.

use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};

/// Calls `task` every `period`, without end: drop or abort the future to stop it. Calls that were
/// missed on a busy machine are not made up for.
pub async fn every(period: Duration, mut task: impl FnMut()) {
    let mut ticks = interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        task();
    }
}
