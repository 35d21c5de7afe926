//! The clock: the one source of "now" for limits and expiry dates, given as an argument.
//!
//! The shipped binary always runs on [`SystemClock`]; no flag or variable changes that. A test hands
//! its own [`Clock`] to the library instead, and so owns time without sleeping.

use std::time::{Duration, Instant};

use jiff::{Timestamp, TimestampRound, Unit};

/// One reading of the clock, in the two forms that the server needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// Time since an arbitrary start. It never runs backwards, so windows are measured with it.
    pub elapsed: Duration,
    /// The wall clock, which may be stepped. Expiry dates and headers use it.
    pub wall: Timestamp,
}

/// A source of time.
pub trait Clock: Send + Sync + 'static {
    /// Reads both clocks.
    fn now(&self) -> Moment;
}

/// The machine's clocks.
#[derive(Debug, Clone, Copy)]
pub struct SystemClock {
    start: Instant,
}

impl SystemClock {
    /// A clock whose elapsed time begins an hour before now.
    pub fn start() -> Self {
        Self {
            start: Instant::now(),
        }
    }
}

/// The elapsed time at the start, so that admissions of an earlier process have times before it.
const BEFORE: Duration = Duration::from_secs(3600);

impl Clock for SystemClock {
    fn now(&self) -> Moment {
        Moment {
            elapsed: BEFORE + self.start.elapsed(),
            wall: Timestamp::now(),
        }
    }
}

/// The time so long after another; the latest time if there is none.
pub fn after(at: Timestamp, time: Duration) -> Timestamp {
    at.saturating_add(time).unwrap_or(Timestamp::MAX)
}

/// The time so long before another; the earliest time if there is none.
pub fn before(at: Timestamp, time: Duration) -> Timestamp {
    at.saturating_sub(time).unwrap_or(Timestamp::MIN)
}

/// How far a stored time may be ahead of this server's clock, because the clocks of servers differ.
const SKEW: Duration = Duration::from_secs(60);

/// The latest stored time that counts. A later one was stored by a clock that was ahead.
pub fn latest(now: Timestamp) -> Timestamp {
    after(now, SKEW)
}

/// Whether `now` is within a duration that began at a stored time.
pub fn is_within(since: Timestamp, duration: Duration, now: Timestamp) -> bool {
    since <= latest(now) && now < after(since, duration)
}

/// Whether a stored deadline, which was at most so far ahead when it was stored, is in the future.
pub fn is_before(deadline: Timestamp, most: Duration, now: Timestamp) -> bool {
    now < deadline && deadline <= after(latest(now), most)
}

/// The time in the precision of the contract, so that the stored and the shown time are equal.
pub fn to_milliseconds(at: Timestamp) -> Timestamp {
    let round = TimestampRound::new()
        .smallest(Unit::Millisecond)
        .mode(jiff::RoundMode::Trunc);
    at.round(round).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_that_a_clock_stored_that_was_ahead_do_not_count() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let hour = Duration::from_secs(3600);
        for (now, since, expected) in [
            (1000, 1000, true),
            (1000, 1060, true),
            (1000, 1061, false),
            (4599, 1000, true),
            (4600, 1000, false),
        ] {
            assert_eq!(is_within(at(since), hour, at(now)), expected, "{since}");
        }
        for (now, deadline, expected) in
            [(1000, 1000, false), (1000, 4660, true), (1000, 4661, false)]
        {
            assert_eq!(
                is_before(at(deadline), hour, at(now)),
                expected,
                "{deadline}"
            );
        }
    }

    #[test]
    fn system_time_does_not_run_backwards() {
        let clock = SystemClock::start();
        let (first, second) = (clock.now(), clock.now());
        assert!(first.elapsed <= second.elapsed);
    }
}
