//! Time series: the periods of a range of days, and their sums.

use jiff::ToSpan;
use jiff::civil::DateTime;

use crate::domain::amount::UsdE6;
use crate::domain::day::DayRange;

/// The length of a series's periods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interval {
    Hour,
    Day,
    /// A week, from Monday (ISO 8601).
    Week,
    /// A calendar month.
    Month,
}

impl Interval {
    /// The start of the period that a time in UTC lies in.
    pub fn start(self, at: DateTime) -> DateTime {
        let date = at.date();
        match self {
            Interval::Hour => date.at(at.hour(), 0, 0, 0),
            Interval::Day => date.into(),
            Interval::Week => {
                let days = i64::from(date.weekday().to_monday_zero_offset());
                date.saturating_sub(days.days()).into()
            }
            Interval::Month => date.first_of_month().into(),
        }
    }

    /// The starts of all periods that the range touches, in order.
    pub fn periods(self, range: DayRange) -> impl Iterator<Item = DateTime> {
        let last = range.last().date().at(23, 0, 0, 0);
        let first = self.start(range.first().date().into());
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
            Interval::Hour => 1.hour(),
            Interval::Day => 1.day(),
            Interval::Week => 1.week(),
            Interval::Month => 1.month(),
        }
    }
}

/// One period of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// The period's start in UTC; in the first period of a series it may precede the range.
    pub start: DateTime,
    /// The sum of the donations in the part of the period that is in the range.
    pub usd: UsdE6,
    pub donations: u64,
}

/// Sums totals of shorter periods, in order, into one point for every period that the range touches;
/// periods without donations are zero.
///
/// The totals belong to one project, whose grand total fits `UsdE6`, so that no sum saturates.
pub fn fill(interval: Interval, range: DayRange, totals: &[Point]) -> Vec<Point> {
    let mut totals = totals.iter().peekable();
    let mut points = Vec::new();
    for start in interval.periods(range) {
        let mut point = Point {
            start,
            usd: UsdE6(0),
            donations: 0,
        };
        let in_period = |total: &&Point| interval.start(total.start) <= start;
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
    use jiff::civil::{Date, date};

    use super::*;

    fn starts(interval: Interval, first: Date, last: Date) -> Vec<String> {
        let range = DayRange::new(first, last).unwrap();
        interval
            .periods(range)
            .map(|start| start.date().to_string())
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
    fn hours_fill_whole_days() {
        let range = DayRange::new(date(2025, 12, 31), date(2026, 1, 1)).unwrap();
        let hours: Vec<_> = Interval::Hour.periods(range).collect();
        assert_eq!(hours.len(), 48);
        assert_eq!(hours[24], date(2026, 1, 1).into());
        assert_eq!(hours[47], date(2026, 1, 1).at(23, 0, 0, 0));
        let late = date(2026, 1, 1).at(23, 59, 59, 999_999_999);
        assert_eq!(Interval::Hour.start(late), hours[47]);
        let last = DayRange::new(date(9999, 12, 31), date(9999, 12, 31)).unwrap();
        assert_eq!(Interval::Hour.periods(last).count(), 24);
    }

    #[test]
    fn gaps_are_zero_and_no_donation_is_lost() {
        let total = |on, usd| {
            let on: Date = on;
            Point {
                start: on.into(),
                usd: UsdE6(usd),
                donations: 1,
            }
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
        for interval in [Interval::Hour, Interval::Day, Interval::Week] {
            let sum: i64 = fill(interval, range, &totals)
                .iter()
                .map(|point| point.usd.0)
                .sum();
            assert_eq!(sum, 7, "{interval:?}");
        }
    }
}
