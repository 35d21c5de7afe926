//! Time series: the periods of a range of days, and their sums.

use jiff::ToSpan;
use jiff::civil::Date;

use crate::domain::amount::UsdE6;
use crate::domain::day::{Day, DayRange};

/// The length of a series's periods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interval {
    /// A day.
    Day,
    /// A week, from Monday (ISO 8601).
    Week,
    /// A calendar month.
    Month,
}

impl Interval {
    /// The first day of the period that `date` lies in.
    pub fn start(self, date: Date) -> Date {
        match self {
            Interval::Day => date,
            Interval::Week => {
                date.saturating_sub(i64::from(date.weekday().to_monday_zero_offset()).days())
            }
            Interval::Month => date.first_of_month(),
        }
    }

    /// The starts of all periods that the range touches, in order.
    pub fn periods(self, range: DayRange) -> impl Iterator<Item = Date> {
        let last = range.last().date();
        let first = self.start(range.first().date());
        std::iter::successors(Some(first), move |start| {
            // Stepping by a whole period from a start gives the next start.
            start
                .checked_add(self.span())
                .ok()
                .filter(|next| *next <= last)
        })
    }

    fn span(self) -> jiff::Span {
        match self {
            Interval::Day => 1.day(),
            Interval::Week => 1.week(),
            Interval::Month => 1.month(),
        }
    }
}

/// The sum of the donations of one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayTotal {
    /// The day.
    pub day: Day,
    /// The sum of the day's donations.
    pub usd: UsdE6,
    /// The number of donations.
    pub donations: u64,
}

/// One period of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// The period's first day; in the first period of a series it may precede the range.
    pub start: Date,
    /// The sum of the donations in the part of the period that is in the range.
    pub usd: UsdE6,
    /// The number of donations.
    pub donations: u64,
}

/// Sums daily totals, ordered by day, into one point for every period that the range touches;
/// periods without donations are zero.
///
/// The totals belong to one project, whose grand total fits `UsdE6`, so that no sum saturates.
pub fn fill(interval: Interval, range: DayRange, totals: &[DayTotal]) -> Vec<Point> {
    let mut totals = totals.iter().peekable();
    let mut points = Vec::new();
    for start in interval.periods(range) {
        let mut point = Point {
            start,
            usd: UsdE6(0),
            donations: 0,
        };
        let in_period = |total: &&DayTotal| interval.start(total.day.date()) <= start;
        while let Some(total) = totals.next_if(in_period) {
            point.usd.0 = point.usd.0.saturating_add(total.usd.0);
            point.donations = point.donations.saturating_add(total.donations);
        }
        points.push(point);
    }
    points
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn starts(interval: Interval, first: Date, last: Date) -> Vec<String> {
        let range = DayRange::new(first, last).unwrap();
        interval
            .periods(range)
            .map(|start| start.to_string())
            .collect()
    }

    #[test]
    fn periods_cover_the_range() {
        let (first, last) = (date(2025, 12, 31), date(2026, 2, 1));
        assert_eq!(starts(Interval::Day, first, last).len(), 33);
        assert_eq!(
            starts(Interval::Month, first, last),
            ["2025-12-01", "2026-01-01", "2026-02-01"]
        );
        // 2025-12-29 is a Monday.
        let weeks = starts(Interval::Week, first, last);
        assert_eq!(
            weeks,
            [
                "2025-12-29",
                "2026-01-05",
                "2026-01-12",
                "2026-01-19",
                "2026-01-26"
            ]
        );
        assert_eq!(
            starts(Interval::Week, date(2026, 1, 4), date(2026, 1, 5)).len(),
            2
        );
    }

    #[test]
    fn ends_with_the_calendar() {
        assert_eq!(
            starts(Interval::Month, date(9999, 11, 30), date(9999, 12, 31)).len(),
            2
        );
        assert_eq!(
            starts(Interval::Day, date(9999, 12, 31), date(9999, 12, 31)).len(),
            1
        );
    }

    #[test]
    fn gaps_are_zero_and_no_donation_is_lost() {
        let total = |on, usd| DayTotal {
            day: Day::from(on),
            usd: UsdE6(usd),
            donations: 1,
        };
        let totals = [
            total(date(2026, 1, 1), 1),
            total(date(2026, 1, 31), 2),
            total(date(2026, 3, 15), 4),
        ];
        let range = DayRange::new(date(2026, 1, 1), date(2026, 3, 31)).unwrap();
        let months: Vec<_> = fill(Interval::Month, range, &totals)
            .iter()
            .map(|point| (point.usd.0, point.donations))
            .collect();
        assert_eq!(months, [(3, 2), (0, 0), (4, 1)]);
        for interval in [Interval::Day, Interval::Week] {
            let sum: i64 = fill(interval, range, &totals)
                .iter()
                .map(|point| point.usd.0)
                .sum();
            assert_eq!(sum, 7, "{interval:?}");
        }
    }
}
