//! The donations of the last 30 days as a chart.

use jiff::civil::Date;
use jiff::{Timestamp, ToSpan as _};

use crate::chart::{Bar, Percent, Scale, Segment, Tick, grouped};
use crate::money;
use features::analytics::series::{Interval, Point, fill};
use features::domain::amount::UsdE6;
use features::domain::day::{DayRange, today};

/// The days of a chart, today included.
const DAYS: i64 = 30;

/// Micro-dollars of a dollar.
const DOLLAR: i64 = 1_000_000;

/// A bar for each day, with the table of the same numbers.
pub(crate) struct DonationChart {
    pub(crate) bars: Vec<Bar>,
    pub(crate) ticks: Vec<Tick>,
    /// The labels of the vertical axis, from above.
    pub(crate) axis: [String; 3],
    /// The days with donations, latest first: the day, the sum and the number.
    pub(crate) rows: Vec<(String, String, String)>,
    pub(crate) sum: String,
    pub(crate) donations: String,
    /// A sentence about the chart.
    pub(crate) description: String,
}

impl DonationChart {
    /// The days of a chart that is drawn now.
    pub(crate) fn range(now: Timestamp) -> Option<DayRange> {
        let last = today(now);
        DayRange::new(last.saturating_sub((DAYS - 1).days()), last)
    }

    /// The chart of the sums of a range's days, in order; days without donations may be left out.
    pub(crate) fn new(range: DayRange, days: &[Point]) -> Self {
        let points = fill(Interval::Day, range, days);
        let most = points.iter().map(|point| point.usd.0).max().unwrap_or(0);
        let scale = Scale::of(dollars_rounded_up(most));
        let usd = points.iter().map(|point| point.usd.0);
        let sum = money::whole_dollars(UsdE6(usd.fold(0, i64::saturating_add)));
        let donations: u64 = points.iter().map(|point| point.donations).sum();
        let slot = 100.0 / points.len().max(1) as f64;
        let bars = points
            .iter()
            .enumerate()
            .filter(|(_, point)| point.usd.0 > 0);
        let bars = bars.map(|(index, point)| bar(point, index, slot, scale, range));
        let with_donations = points.iter().rev().filter(|point| point.donations > 0);
        let row = |point: &Point| {
            let (day, usd) = (day(point.start.date()), money::dollars(point.usd));
            (day, usd, grouped(point.donations))
        };
        Self {
            bars: bars.collect(),
            ticks: ticks(&points, slot),
            axis: scale.labels().map(|label| format!("${label}")),
            rows: with_donations.map(row).collect(),
            description: description(&points, &sum),
            sum,
            donations: grouped(donations),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

fn dollars_rounded_up(usd: i64) -> u64 {
    let dollars = usd.max(0) / DOLLAR + i64::from(usd % DOLLAR > 0);
    dollars.unsigned_abs()
}

fn bar(point: &Point, index: usize, slot: f64, scale: Scale, range: DayRange) -> Bar {
    let dollars = point.usd.0 as f64 / DOLLAR as f64;
    // A bar of the smallest donation can be seen.
    let height = (dollars * 100.0 / scale.top as f64).max(0.7);
    let is_unfinished = point.start.date() == range.last().date();
    let so_far = if is_unfinished { " so far" } else { "" };
    let (day, usd) = (day(point.start.date()), money::dollars(point.usd));
    let plural = if point.donations == 1 { "" } else { "s" };
    Bar {
        title: format!(
            "{day}: {usd} in {} donation{plural}{so_far}",
            grouped(point.donations)
        ),
        is_unfinished,
        segments: vec![Segment {
            class: "donated",
            x: Percent((index as f64 + 0.12) * slot),
            y: Percent(100.0 - height),
            width: Percent(0.76 * slot),
            height: Percent(height),
        }],
    }
}

/// A label for each week, counted back from the last day.
fn ticks(points: &[Point], slot: f64) -> Vec<Tick> {
    let labelled = points.iter().enumerate().rev().step_by(7).enumerate();
    let tick = |(week, (index, point)): (usize, (usize, &Point))| {
        let x = (index as f64 + 0.5) * slot;
        Tick {
            text: point.start.date().strftime("%-d %b").to_string(),
            x: Percent(x),
            anchor: match x {
                ..6.0 => "start",
                94.0.. => "end",
                _ => "middle",
            },
            is_minor: week % 2 == 1,
        }
    };
    labelled.map(tick).collect()
}

fn day(date: Date) -> String {
    date.strftime("%-d %b %Y").to_string()
}

fn description(points: &[Point], sum: &str) -> String {
    let most = points.iter().max_by_key(|point| point.usd);
    match most.filter(|point| point.usd.0 > 0) {
        Some(most) => {
            let (on, usd) = (day(most.start.date()), money::dollars(most.usd));
            format!("{sum} in 30 days. The most was {usd} on {on}.")
        }
        None => "No donations in 30 days.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn a_chart_has_a_bar_and_a_row_for_each_day_with_donations() {
        let now = "2026-11-29T08:00:00Z".parse().unwrap();
        let range = DonationChart::range(now).unwrap();
        assert_eq!(
            (range.days(), range.first().date()),
            (30, date(2026, 10, 31))
        );
        let point = |on: Date, usd, donations| Point {
            start: on.into(),
            usd: UsdE6(usd),
            donations,
        };
        let days = [
            point(date(2026, 10, 31), 1, 1),
            point(date(2026, 11, 29), 7_500_000, 3),
        ];
        let chart = DonationChart::new(range, &days);
        assert_eq!(chart.axis, ["$8", "$4", "$0"]);
        assert_eq!((&*chart.sum, &*chart.donations), ("$7.50", "4"));
        let shapes = chart
            .bars
            .iter()
            .map(|bar| (bar.segments[0].height.0, bar.is_unfinished));
        assert_eq!(shapes.collect::<Vec<_>>(), [(0.7, false), (93.75, true)]);
        assert_eq!(
            chart.bars[1].title,
            "29 Nov 2026: $7.50 in 3 donations so far"
        );
        let days: Vec<_> = chart.rows.iter().map(|(day, ..)| &**day).collect();
        assert_eq!(days, ["29 Nov 2026", "31 Oct 2026"]);
        let last = chart.ticks.first().unwrap();
        assert_eq!((&*last.text, last.anchor), ("29 Nov", "end"));
        assert!(DonationChart::new(range, &[]).is_empty());
    }
}
