//! The log of one subject: when its requests of the last minute were admitted.

use std::time::Duration;

use super::stamps::Stamps;

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

/// The instants of the admissions that still count, oldest first, in whole microseconds since the
/// clock's start.
///
/// An instant is kept as its last 32 bits, which is exact: all that count lie within a minute before the
/// last of them, and 2³² µs are 71 minutes.
#[derive(Debug, Default)]
#[repr(C)]
pub(in crate::limits) struct Window {
    /// The last of them, while there are any.
    newest: u64,
    admitted: Stamps,
    /// How many of them, the last ones, nobody has asked for with [`Window::unsaved`].
    unsaved: u32,
}

impl Window {
    /// Admits a request at `now` if fewer than `limit` count, and counts it.
    pub(super) fn check(&mut self, limit: u32, now: Duration) -> Verdict {
        let now = self.settle(micros(now));
        let counted = self.admitted.len();
        if counted < limit {
            self.push(now);
            self.unsaved = self.unsaved.saturating_add(1);
        }
        Verdict {
            limit,
            remaining: limit.saturating_sub(self.admitted.len()),
            reset_in: self.leaves_in(0, now),
            // With `limit` or more of them counted, room is made when the last `limit − 1` are left.
            // That is not always the first to leave: the limit may have been lowered.
            retry_in: (counted >= limit).then(|| self.leaves_in(counted - limit, now)),
        }
    }

    /// Counts a request that was admitted at `at`, by whatever rule.
    pub(super) fn record(&mut self, at: Duration) {
        let at = micros(at);
        if self.settle(at) == at {
            self.push(at);
            return;
        }
        // Somebody who asked earlier was told later.
        if has_left(at, self.newest) {
            return;
        }
        let place = self.instants().take_while(|earlier| *earlier <= at).count();
        self.admitted.insert(place as u32, at as u32);
    }

    /// When the requests were admitted that count at `now`, oldest first.
    pub(super) fn counting(&self, now: Duration) -> impl Iterator<Item = Duration> {
        let now = micros(now);
        self.instants()
            .filter(move |at| !has_left(*at, now))
            .map(Duration::from_micros)
    }

    /// When the requests were admitted that were counted since this was last asked, oldest first.
    pub(super) fn unsaved(&mut self) -> impl Iterator<Item = Duration> {
        let unsaved = std::mem::take(&mut self.unsaved);
        let saved = self.admitted.len().saturating_sub(unsaved);
        self.instants()
            .skip(saved as usize)
            .map(Duration::from_micros)
    }

    /// Whether nothing counts any more.
    pub(super) fn is_idle(&self, now: Duration) -> bool {
        self.admitted.is_empty() || has_left(self.newest, micros(now))
    }

    fn instants(&self) -> impl Iterator<Item = u64> {
        let newest = self.newest;
        self.admitted.iter().map(move |at| instant(at, newest))
    }

    /// Counts an admission that is not before any other.
    fn push(&mut self, now: u64) {
        self.newest = now;
        self.admitted.push(now as u32);
    }

    /// Drops what has left the window. Two threads may read the clock in one order and arrive here
    /// in the other, so that time is taken to stand still rather than to run backwards.
    fn settle(&mut self, now: u64) -> u64 {
        if self.admitted.is_empty() {
            return now;
        }
        let now = now.max(self.newest);
        while let Some(oldest) = self.admitted.get(0)
            && has_left(instant(oldest, self.newest), now)
        {
            self.admitted.pop();
        }
        now
    }

    /// After what time the admission at `index` leaves, or one at `now` if there is none.
    fn leaves_in(&self, index: u32, now: u64) -> Duration {
        let admitted = self.admitted.get(index);
        let admitted = admitted.map_or(now, |at| instant(at, self.newest));
        Duration::from_micros(admitted.saturating_add(MICROS).saturating_sub(now))
    }
}

/// The length of the window in microseconds.
const MICROS: u64 = WINDOW.as_micros() as u64;

/// The instant that ends in these bits, at `newest` or within 71 minutes before it.
fn instant(bits: u32, newest: u64) -> u64 {
    newest.saturating_sub((newest as u32).wrapping_sub(bits).into())
}

fn has_left(admitted: u64, now: u64) -> bool {
    now.saturating_sub(admitted) >= MICROS
}

/// Good for 584 000 years.
fn micros(time: Duration) -> u64 {
    let seconds = time.as_secs().saturating_mul(1_000_000);
    seconds.saturating_add(time.subsec_micros().into())
}
