//! The sliding window of one subject: when its requests of the last minute were admitted.

use std::collections::VecDeque;
use std::time::Duration;

/// The length of the sliding window.
pub const WINDOW: Duration = Duration::from_secs(60);

/// The answer to one request for admission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// The limit that was applied.
    pub limit: u32,
    /// The number of further requests that would be admitted at this instant.
    pub remaining: u32,
    /// The time until the oldest counted request leaves the window.
    pub reset_in: Duration,
    /// `None` if the request was admitted and counted. Otherwise the time after which it is admitted,
    /// unless another request of the subject takes the place.
    pub retry_in: Option<Duration>,
}

/// How much of a limit is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WindowUse {
    /// The number of requests that count.
    pub used: usize,
    /// `None` if one more is admitted at once. Otherwise the time after which it is, unless another request
    /// takes the place.
    pub free_in: Option<Duration>,
}

impl Verdict {
    pub fn is_admitted(&self) -> bool {
        self.retry_in.is_none()
    }
}

/// The instants of the admissions that still count, oldest first.
#[derive(Debug, Default)]
pub(in crate::limits) struct Window {
    admitted: VecDeque<Duration>,
    /// Copies of the first and the last of them. The queue's memory is seldom in the processor's caches: reading its
    /// ends there costs 2 % of a request.
    ends: Option<(Duration, Duration)>,
    /// The number of the last admissions that [`Window::take_unsaved`] has not returned yet.
    unsaved: usize,
}

impl Window {
    /// Admits a request at `now` if fewer than `limit` count, and counts it.
    pub(super) fn check(&mut self, limit: u32, now: Duration) -> Verdict {
        let now = self.expire(now);
        // With `limit` or more counted, a place is free once only the last `limit − 1` are left. That
        // is not always when the first one leaves: the limit may have been lowered.
        let blocking = self.admitted.len().checked_sub(limit as usize);
        if blocking.is_none() {
            self.admitted.push_back(now);
            self.ends = Some((self.first().unwrap_or(now), now));
            self.unsaved += 1;
        }
        let counted = u32::try_from(self.admitted.len()).unwrap_or(u32::MAX);
        Verdict {
            limit,
            remaining: limit.saturating_sub(counted),
            reset_in: leaves_in(self.first(), now),
            retry_in: blocking.map(|index| leaves_in(self.admitted.get(index).copied(), now)),
        }
    }

    /// Counts a request that another limiter admitted at `at`.
    pub(super) fn record(&mut self, at: Duration) {
        let now = self.expire(at);
        if !has_left(at, now) {
            let index = self.admitted.partition_point(|earlier| *earlier <= at);
            self.admitted.insert(index, at);
            self.read_ends();
        }
    }

    /// When the requests were admitted that count at `now`, oldest first.
    pub(super) fn counting(&self, now: Duration) -> impl Iterator<Item = Duration> {
        let admitted = self.admitted.iter().copied();
        admitted.filter(move |at| !has_left(*at, now))
    }

    /// How much of `limit` is used at `now`.
    pub(super) fn used(&self, limit: u32, now: Duration) -> WindowUse {
        let counting: Vec<_> = self.counting(now).collect();
        let blocking = counting.len().checked_sub(limit as usize);
        let blocking = blocking.and_then(|index| counting.get(index));
        WindowUse {
            used: counting.len(),
            free_in: blocking.map(|at| (*at + WINDOW).saturating_sub(now)),
        }
    }

    /// When the requests were admitted that were counted since the last call, oldest first.
    pub(super) fn take_unsaved(&mut self) -> impl Iterator<Item = Duration> {
        let unsaved = std::mem::take(&mut self.unsaved);
        let saved = self.admitted.len().saturating_sub(unsaved);
        self.admitted.iter().skip(saved).copied()
    }

    /// Whether no admission counts any more.
    pub(super) fn is_idle(&self, now: Duration) -> bool {
        self.ends.is_none_or(|(_, last)| has_left(last, now))
    }

    /// Drops the admissions that have left the window at `now`, and returns the effective time: two
    /// threads may read the clock in one order and arrive here in the other, so that time stands still
    /// here rather than run backwards.
    fn expire(&mut self, now: Duration) -> Duration {
        let Some((first, last)) = self.ends else {
            return now;
        };
        let now = now.max(last);
        if has_left(first, now) {
            while self.admitted.front().is_some_and(|at| has_left(*at, now)) {
                self.admitted.pop_front();
            }
            self.read_ends();
        }
        now
    }

    fn first(&self) -> Option<Duration> {
        self.ends.map(|(first, _)| first)
    }

    /// Notes the ends of the queue after a change.
    fn read_ends(&mut self) {
        let ends = self.admitted.front().zip(self.admitted.back());
        self.ends = ends.map(|(first, last)| (*first, *last));
    }
}

/// The time until an admission leaves the window, or one at `now` if there is none.
fn leaves_in(admitted: Option<Duration>, now: Duration) -> Duration {
    (admitted.unwrap_or(now) + WINDOW).saturating_sub(now)
}

fn has_left(admitted: Duration, now: Duration) -> bool {
    now.saturating_sub(admitted) >= WINDOW
}
