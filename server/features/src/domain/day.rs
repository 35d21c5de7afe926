//! Days of the UTC calendar, the grain that statistics are kept in.

use std::time::Duration;

use jiff::civil::{Date, DateTime, date};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};

/// The duration of a day in UTC.
pub const DAY: Duration = Duration::from_secs(24 * 3600);

const EPOCH: Date = date(1970, 1, 1);
const MILLISECONDS: i64 = 86_400_000;
const HOUR: i64 = 3_600_000;

/// A day in UTC, counted from 1970-01-01.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Day(i64);

db::column!(Day as i64, |day| day.number(), Day::new);

impl Day {
    /// The day with this number; `None` outside the years −9999 to 9999.
    pub fn new(number: i64) -> Option<Day> {
        let hours = number.checked_mul(24)?;
        EPOCH
            .checked_add(SignedDuration::try_from_hours(hours)?)
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

/// An hour in UTC, counted from 1970-01-01T00:00Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hour(i64);

// Big-endian bytes of the hours of a day sort by time.
db::column!(Hour as [u8; 8], |hour| hour.0.to_be_bytes(), |bytes| {
    Hour::new(i64::from_be_bytes(bytes))
});

impl Hour {
    /// The hour with this number; `None` outside the years −9999 to 9999.
    pub fn new(number: i64) -> Option<Hour> {
        Day::new(number.div_euclid(24)).map(|_| Hour(number))
    }

    /// The number of hours since 1970-01-01T00:00Z.
    pub fn number(self) -> i64 {
        self.0
    }

    /// The hour that an instant falls in.
    pub fn of(instant: Timestamp) -> Hour {
        Hour(instant.as_millisecond().div_euclid(HOUR))
    }

    /// The hour's first millisecond and the next hour's, since 1970-01-01T00:00Z.
    pub fn milliseconds(self) -> (i64, i64) {
        let start = self.0 * HOUR;
        (start, start + HOUR)
    }

    /// The start in UTC.
    pub fn start(self) -> DateTime {
        DateTime::from(EPOCH).saturating_add(SignedDuration::from_hours(self.0))
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

    /// The days of the range from one day to another; `None` if there are none.
    pub fn within(self, first: Day, last: Day) -> Option<DayRange> {
        let (first, last) = (self.first.max(first), self.last.min(last));
        (first <= last).then_some(DayRange { first, last })
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
        assert_eq!(Day::new(i64::MAX / 24), None);
    }

    #[test]
    fn hours_begin_on_the_hour() {
        let hour_of = |text: &str| Hour::of(text.parse().unwrap());
        let hour = hour_of("2026-02-28T23:59:59.999Z");
        assert_eq!(hour.start(), date(2026, 2, 28).at(23, 0, 0, 0));
        assert_eq!(hour_of("2026-02-28T23:00:00Z"), hour);
        assert_eq!(
            hour.milliseconds().1,
            day_of("2026-03-01T00:00:00Z").milliseconds().0
        );
        assert_eq!(Hour::new(hour.number()), Some(hour));
        assert_eq!(Hour::new(i64::MAX), None);
    }

    #[test]
    fn a_range_is_cut_to_days_that_it_has() {
        let range = DayRange::new(date(2026, 1, 2), date(2026, 1, 9)).unwrap();
        let day = |day| Day::from(date(2026, 1, day));
        assert_eq!(range.within(day(1), day(31)), Some(range));
        let cut = DayRange::new(date(2026, 1, 3), date(2026, 1, 4));
        assert_eq!(range.within(day(3), day(4)), cut);
        assert_eq!(range.within(day(10), day(12)), None);
    }

    #[test]
    fn a_range_holds_a_day_at_least() {
        assert!(DayRange::new(date(2026, 1, 2), date(2026, 1, 1)).is_none());
        assert!(DayRange::new(date(2026, 1, 2), date(2026, 1, 2)).is_some());
    }
}
