//! Days of the UTC calendar, the grain that statistics are kept in.

use std::time::Duration;

use jiff::civil::{Date, date};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};

/// The duration of a day in UTC.
pub const DAY: Duration = Duration::from_secs(24 * 3600);

const EPOCH: Date = date(1970, 1, 1);
const MILLISECONDS: i64 = 86_400_000;

/// A day in UTC, counted from 1970-01-01.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Day(i64);

db::column!(Day as i64, |day| day.number(), Day::new);

impl Day {
    /// The day with this number; `None` outside the years −9999 to 9999.
    pub fn new(number: i64) -> Option<Day> {
        EPOCH
            .checked_add(number.checked_mul(24).map(SignedDuration::from_hours)?)
            .ok()?;
        Some(Day(number))
    }

    /// The number of days since 1970-01-01.
    pub fn number(self) -> i64 {
        self.0
    }

    /// The day that an instant falls on.
    pub fn of(instant: Timestamp) -> Day {
        Day(instant.as_millisecond().div_euclid(MILLISECONDS))
    }

    pub fn date(self) -> Date {
        EPOCH.saturating_add(self.0.days())
    }

    /// The day's first millisecond and the next day's, since 1970-01-01T00:00Z.
    pub fn milliseconds(self) -> (i64, i64) {
        let start = self.0 * MILLISECONDS;
        (start, start + MILLISECONDS)
    }
}

impl From<Date> for Day {
    fn from(date: Date) -> Self {
        Day(date.duration_since(EPOCH).as_hours() / 24)
    }
}

/// Today's date in UTC, as the default end of a range.
pub fn today(now: Timestamp) -> Date {
    now.to_zoned(TimeZone::UTC).date()
}

/// The days from a first to a last one, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayRange {
    first: Day,
    last: Day,
}

impl DayRange {
    /// The range between two dates; `None` when the last precedes the first.
    pub fn new(first: Date, last: Date) -> Option<DayRange> {
        (first <= last).then(|| DayRange {
            first: first.into(),
            last: last.into(),
        })
    }

    pub fn first(self) -> Day {
        self.first
    }

    /// The last day, which belongs to the range.
    pub fn last(self) -> Day {
        self.last
    }

    pub fn days(self) -> i64 {
        self.last.0 - self.first.0 + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day_of(text: &str) -> Day {
        Day::of(text.parse().unwrap())
    }

    #[test]
    fn days_begin_at_midnight_utc() {
        assert_eq!(day_of("1970-01-01T00:00:00Z").number(), 0);
        assert_eq!(day_of("1969-12-31T23:59:59.999Z").number(), -1);
        assert_eq!(day_of("2026-03-01T00:00:00Z").date(), date(2026, 3, 1));
        assert_eq!(day_of("2026-02-28T23:59:59.999Z").date(), date(2026, 2, 28));
    }

    #[test]
    fn dates_and_days_agree() {
        for date in [
            date(1600, 2, 29),
            EPOCH,
            date(2024, 2, 29),
            date(9999, 12, 31),
        ] {
            assert_eq!(Day::from(date).date(), date);
            assert_eq!(Day::new(Day::from(date).number()), Some(Day::from(date)));
        }
        assert_eq!(Day::new(Day::from(Date::MAX).number() + 1), None);
        assert_eq!(Day::new(i64::MAX), None);
    }

    #[test]
    fn a_range_holds_a_day_at_least() {
        assert!(DayRange::new(date(2026, 1, 2), date(2026, 1, 1)).is_none());
        assert!(DayRange::new(date(2026, 1, 2), date(2026, 1, 2)).is_some());
    }
}
