//! The clock by which hyper closes connections whose peers are slow to ask.
//!
//! Hyper sets a timer when it begins to wait for a request's head and drops it when the head is there:
//! with Tokio's timers that is a way into the runtime's wheel and out again for every request. Here a
//! connection has one timer for all its life, which is set anew only when it has run out, about once in
//! the time that a head may take; what it runs out for has often come long before.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use hyper::rt;
use tokio::time::Sleep;

/// The timers of one connection, of which one is waited for at a time, and each is set later than
/// those before it.
#[derive(Clone)]
pub(super) struct HeadTimer(Arc<Mutex<Pin<Box<Sleep>>>>);

impl HeadTimer {
    /// Must run on a Tokio runtime with time enabled.
    pub(super) fn new() -> Self {
        let over = tokio::time::sleep(Duration::ZERO);
        Self(Arc::new(Mutex::new(Box::pin(over))))
    }
}

impl rt::Timer for HeadTimer {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn rt::Sleep>> {
        self.sleep_until(self.now() + duration)
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn rt::Sleep>> {
        Box::pin(Waiting {
            timer: self.clone(),
            deadline,
        })
    }

    /// Tokio's, which tests may stop.
    fn now(&self) -> Instant {
        tokio::time::Instant::now().into()
    }
}

/// One of the timers.
struct Waiting {
    timer: HeadTimer,
    deadline: Instant,
}

impl rt::Sleep for Waiting {}

impl Future for Waiting {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        // A timer is whole between any two statements, so a panic elsewhere cannot spoil it.
        let lock = self.timer.0.lock();
        let mut sleep = lock.unwrap_or_else(PoisonError::into_inner);
        // It may have been set for an earlier one.
        while sleep.as_mut().poll(cx).is_ready() {
            let deadline = self.deadline.into();
            if sleep.deadline() >= deadline {
                return Poll::Ready(());
            }
            sleep.as_mut().reset(deadline);
        }
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use hyper::rt::Timer;
    use tokio::time::{Instant, advance, timeout};

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn each_runs_out_at_its_time_whatever_was_set_before() {
        let timer = HeadTimer::new();
        for _ in 0..3 {
            // Given up early, as when a head has come.
            assert!(timeout(SECOND, timer.sleep(10 * SECOND)).await.is_err());
        }
        advance(5 * SECOND).await;
        let began = Instant::now();
        timer.sleep(10 * SECOND).await;
        let took = began.elapsed();
        assert!(took >= 10 * SECOND && took < 11 * SECOND, "{took:?}");
        let began = Instant::now();
        timer.sleep(SECOND).await;
        assert!(began.elapsed() < 2 * SECOND);
    }
}
