//! The log of one subject: when its requests of the last minute were admitted.

use std::collections::VecDeque;
use std::time::Duration;

/// The length of the sliding window.
pub const WINDOW: Duration = Duration::from_secs(60);

/// The answer to one request for admission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// The limit that was applied.
    pub limit: u32,
    /// How many more requests would be admitted at this instant.
    pub remaining: u32,
    /// After what time the oldest counted request leaves the window.
    pub reset_in: Duration,
    /// `None` if the request was admitted and counted. Otherwise the time after which the same
    /// request is admitted, unless another request of the subject takes the place.
    pub retry_in: Option<Duration>,
}

impl Verdict {
    /// Whether the request may go on.
    pub fn is_admitted(&self) -> bool {
        self.retry_in.is_none()
    }
}

/// The instants of the admissions that still count, oldest first, in nanoseconds since the clock's
/// start: exact, half the size of a `Duration`, and good for 584 years.
///
/// Among many windows each access to a log is a wait for memory, so that its ends are kept here too: a
/// refusal needs nothing else.
#[derive(Debug, Default)]
pub(in crate::limits) struct Window {
    admitted: VecDeque<u64>,
    /// The first of them, while there are any.
    oldest: u64,
    /// The last of them, while there are any.
    newest: u64,
    /// How many of them, the last ones, nobody has asked for with [`Window::unsaved`].
    unsaved: u32,
}

impl Window {
    /// Admits a request at `now` if fewer than `limit` count, and counts it.
    pub(super) fn check(&mut self, limit: u32, now: Duration) -> Verdict {
        let now = self.settle(nanos(now));
        let counted = self.counted();
        if counted < limit {
            self.push(now);
            self.unsaved = self.unsaved.saturating_add(1);
        }
        Verdict {
            limit,
            remaining: limit.saturating_sub(self.counted()),
            reset_in: self.leaves_in(0, now),
            // With `limit` or more of them counted, room is made when the last `limit − 1` are left.
            // That is not always the first to leave: the limit may have been lowered.
            retry_in: (counted >= limit).then(|| self.leaves_in(counted - limit, now)),
        }
    }

    /// Counts a request that was admitted at `at`, by whatever rule.
    pub(super) fn record(&mut self, at: Duration) {
        let at = nanos(at);
        if self.settle(at) == at {
            self.push(at);
            return;
        }
        // Somebody who asked earlier was told later.
        let place = self.admitted.partition_point(|earlier| *earlier <= at);
        self.admitted.insert(place, at);
        self.oldest = self.oldest.min(at);
    }

    /// When the requests were admitted that count at `now`, oldest first.
    pub(super) fn counting(&self, now: Duration) -> impl Iterator<Item = Duration> {
        let now = nanos(now);
        let admitted = self.admitted.iter().copied();
        admitted
            .filter(move |at| !has_left(*at, now))
            .map(Duration::from_nanos)
    }

    /// When the requests were admitted that were counted since this was last asked, oldest first.
    pub(super) fn unsaved(&mut self) -> impl Iterator<Item = Duration> {
        let unsaved = std::mem::take(&mut self.unsaved) as usize;
        let saved = self.admitted.len().saturating_sub(unsaved);
        self.admitted
            .iter()
            .skip(saved)
            .copied()
            .map(Duration::from_nanos)
    }

    /// Whether nothing counts any more.
    pub(super) fn is_idle(&self, now: Duration) -> bool {
        self.admitted.is_empty() || has_left(self.newest, nanos(now))
    }

    /// Counts an admission that is not before any other.
    fn push(&mut self, now: u64) {
        if self.admitted.is_empty() {
            self.oldest = now;
        }
        self.newest = now;
        self.admitted.push_back(now);
    }

    /// Drops what has left the window. Two threads may read the clock in one order and arrive here
    /// in the other, so that time is taken to stand still rather than to run backwards.
    fn settle(&mut self, now: u64) -> u64 {
        if self.admitted.is_empty() {
            return now;
        }
        let now = now.max(self.newest);
        while has_left(self.oldest, now) {
            self.admitted.pop_front();
            let Some(next) = self.admitted.front() else {
                break;
            };
            self.oldest = *next;
        }
        now
    }

    fn counted(&self) -> u32 {
        u32::try_from(self.admitted.len()).unwrap_or(u32::MAX)
    }

    fn leaves_in(&self, index: u32, now: u64) -> Duration {
        let admitted = match index {
            0 if !self.admitted.is_empty() => self.oldest,
            _ => self.admitted.get(index as usize).copied().unwrap_or(now),
        };
        Duration::from_nanos(admitted.saturating_add(nanos(WINDOW)).saturating_sub(now))
    }
}

fn has_left(admitted: u64, now: u64) -> bool {
    now.saturating_sub(admitted) >= nanos(WINDOW)
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
