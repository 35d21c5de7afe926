//! The time limit of the request heads of one connection.
//!
//! hyper sets a deadline when it begins to wait for a head, and drops it when the head is there. The
//! deadlines of a connection share one timer of the runtime here. It stays set while they come and go,
//! and is moved when it fires before the deadline of the moment, which is at most once in `head-timeout`.
//! hyper-util's `TokioTimer` adds a timer to the runtime and removes it again for every request.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use hyper::rt::{Sleep, Timer};
use tokio::time::{self, Instant};

/// The timer of one connection. No deadline may be earlier than the one before.
pub(super) struct HeadTimer(SharedTimer);

type SharedTimer = Arc<Mutex<Pin<Box<time::Sleep>>>>;

/// The deadline of one head.
struct HeadDeadline {
    at: Instant,
    timer: SharedTimer,
}

impl HeadTimer {
    /// A timer that is not set yet. Must be called on a Tokio runtime with time enabled.
    pub(super) fn new() -> Self {
        let fired = time::sleep(Duration::ZERO);
        Self(Arc::new(Mutex::new(Box::pin(fired))))
    }
}

impl Timer for HeadTimer {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Sleep>> {
        self.sleep_until(self.now() + duration)
    }

    fn sleep_until(&self, deadline: std::time::Instant) -> Pin<Box<dyn Sleep>> {
        Box::pin(HeadDeadline {
            at: deadline.into(),
            timer: Arc::clone(&self.0),
        })
    }

    fn now(&self) -> std::time::Instant {
        Instant::now().into()
    }
}

impl Future for HeadDeadline {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut timer = self.timer.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            ready!(timer.as_mut().poll(cx));
            if timer.deadline() >= self.at {
                return Poll::Ready(());
            }
            timer.as_mut().reset(self.at);
        }
    }
}

impl Sleep for HeadDeadline {}

#[cfg(test)]
mod tests {
    use tokio::time::timeout;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn a_deadline_passes_at_its_time_whatever_came_before() {
        let timer = HeadTimer::new();
        let began = Instant::now();
        for met in 1..=25 {
            let head = timeout(SECOND, timer.sleep(10 * SECOND));
            assert!(head.await.is_err(), "head {met} came in time");
        }
        timer.sleep(10 * SECOND).await;
        assert_eq!(began.elapsed(), 35 * SECOND);
    }
}
