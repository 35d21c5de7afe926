//! Tasks that run again and again.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::time::{Interval, MissedTickBehavior, interval};

/// A task that runs once in each period, for the first time at once.
#[derive(Debug)]
pub struct Periodic(Interval);

impl Periodic {
    pub fn new(period: Duration) -> Self {
        let mut ticks = interval(period);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self(ticks)
    }

    /// Waits for the next period and runs `round`. A panic in it, which the log shows, does not end the task.
    pub async fn run(&mut self, round: impl Future<Output = ()>) {
        self.0.tick().await;
        let _ = AssertUnwindSafe(round).catch_unwind().await;
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use tokio::time::timeout;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_panic_ends_one_round_alone() {
        let rounds = Cell::new(0);
        let repeated = async {
            let mut periodic = Periodic::new(Duration::from_secs(1));
            loop {
                let round = async {
                    rounds.set(rounds.get() + 1);
                    assert!(rounds.get() != 2, "the second round");
                };
                periodic.run(round).await;
            }
        };
        let ended: Result<(), _> = timeout(Duration::from_millis(3500), repeated).await;
        assert!(ended.is_err());
        assert_eq!(rounds.get(), 4);
    }
}
