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
    fn system_time_does_not_run_backwards() {
        let clock = SystemClock::start();
        let (first, second) = (clock.now(), clock.now());
        assert!(first.elapsed <= second.elapsed);
    }
}
