//! The bars and axes of a chart, in percent of its width and height.

use std::fmt;

use jiff::civil::Date;

use super::period::{Bucket, Period, Resolution};
use crate::public_pages::money;
use features::usage::StatusClass;

/// A number with its digits in groups of three.
pub(in crate::dashboard) fn grouped(number: u64) -> String {
    money::grouped(&number.to_string())
}

/// The vertical axis, from zero to a round number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scale {
    pub(super) top: u64,
}

/// A part of the width or height of a chart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Percent(pub(super) f64);

/// The bar of a bucket: its requests, one segment for each series.
#[derive(Debug)]
pub(super) struct Bar {
    pub(super) title: String,
    pub(super) is_unfinished: bool,
    pub(super) segments: Vec<Segment>,
}

/// A part of a bar.
#[derive(Debug)]
pub(super) struct Segment {
    pub(super) class: &'static str,
    pub(super) x: Percent,
    pub(super) y: Percent,
    pub(super) width: Percent,
    pub(super) height: Percent,
}

/// A label of the horizontal axis.
#[derive(Debug)]
pub(super) struct Tick {
    pub(super) text: String,
    pub(super) x: Percent,
    /// Its `text-anchor`: which part of the text is at `x`.
    pub(super) anchor: &'static str,
    /// Whether narrow screens have no room for it.
    pub(super) is_minor: bool,
}

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2}%", self.0)
    }
}

impl Scale {
    /// The scale up to a round number of at least `most`, half of which is a whole number.
    pub(super) fn of(most: u64) -> Self {
        let mut step: u64 = 1;
        loop {
            let tops = [10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100];
            let mut tops = tops
                .into_iter()
                .map(|tenths| step.saturating_mul(tenths) / 10);
            if let Some(top) = tops.find(|top| *top >= most.max(2) && top % 2 == 0) {
                return Self { top };
            }
            step = step.saturating_mul(10);
        }
    }

    /// The labels of the axis, from above.
    pub(super) fn labels(self) -> [String; 3] {
        [self.top, self.top / 2, 0].map(grouped)
    }

    fn percent(self, number: u64) -> f64 {
        number as f64 * 100.0 / self.top as f64
    }
}

/// The CSS class that gives a bar its color.
pub(super) fn css_class(class: StatusClass) -> &'static str {
    match class {
        StatusClass::Success => "success",
        StatusClass::NotModified => "not-modified",
        StatusClass::ClientError => "client-error",
        StatusClass::ServerError => "server-error",
        StatusClass::HungUp => "hung-up",
        StatusClass::Refused => "refused",
    }
}

/// The bars, one for each bucket. A series is a CSS class and a number for each bucket; the first is at the bottom.
pub(super) fn bars(period: &Period, series: &[(&'static str, &[u64])], scale: Scale) -> Vec<Bar> {
    let slot = 100.0 / period.buckets.len().max(1) as f64;
    let bar = |(index, bucket)| {
        let mut below = 0;
        let numbers = series.iter().map(|(class, numbers)| {
            let number = numbers.get(index).copied().unwrap_or(0);
            below += number;
            Segment {
                class,
                x: Percent((index as f64 + 0.12) * slot),
                y: Percent(100.0 - scale.percent(below)),
                width: Percent(0.76 * slot),
                height: Percent(scale.percent(number)),
            }
        });
        let segments: Vec<_> = numbers.filter(|it| it.height.0 > 0.0).collect();
        Bar {
            title: title(period, bucket, below),
            is_unfinished: bucket.is_unfinished,
            segments,
        }
    };
    let bars = period.buckets.iter().enumerate().map(bar);
    bars.filter(|bar| !bar.segments.is_empty()).collect()
}

fn title(period: &Period, bucket: &Bucket, requests: u64) -> String {
    let so_far = if bucket.is_unfinished { " so far" } else { "" };
    format!("{}: {}{so_far}", period.name(bucket), grouped(requests))
}

/// The number of weeks from a fixed Monday to a date. Numbers of weeks in a year would not alternate between odd and even
/// where a year of 53 weeks ends.
fn weeks(date: Date) -> i64 {
    const MONDAY: Date = jiff::civil::date(1970, 1, 5);
    date.duration_since(MONDAY).as_hours().div_euclid(24 * 7)
}

/// The labels of the horizontal axis: quarters of hours, halves of days, or Mondays.
pub(super) fn ticks(period: &Period) -> Vec<Tick> {
    let slot = 100.0 / period.buckets.len().max(1) as f64;
    let tick = |(index, bucket): (usize, &Bucket)| {
        let at = period.at(bucket.start);
        let (is_tick, is_minor) = match period.resolution {
            Resolution::Minute => (at.minute() % 15 == 0, at.minute() % 30 != 0),
            Resolution::Hour => (at.hour() % 12 == 0, at.hour() != 0),
            Resolution::Day => {
                let days = at.weekday().to_monday_zero_offset();
                (days == 0, weeks(at.date()) % 2 == 1)
            }
        };
        let text = match period.resolution {
            Resolution::Hour if is_minor => at.strftime("%H:%M").to_string(),
            Resolution::Hour => at.strftime("%-d %b").to_string(),
            Resolution::Minute | Resolution::Day => period.tick(bucket),
        };
        let x = (index as f64 + 0.5) * slot;
        let anchor = match x {
            ..6.0 => "start",
            94.0.. => "end",
            _ => "middle",
        };
        is_tick.then_some(Tick {
            text,
            x: Percent(x),
            anchor,
            is_minor,
        })
    };
    let ticks = period.buckets.iter().enumerate().filter_map(tick);
    ticks.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dashboard::usage::period::Zone;
    use features::usage::Minute;

    #[test]
    fn thousands_are_separated() {
        let shown = [0, 999, 1_000, 1_234_567].map(grouped);
        assert_eq!(shown, ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn the_axis_ends_at_a_round_number_not_below_any() {
        let tops = [0, 1, 2, 3, 7, 10, 11, 99, 101, 70_001].map(|most| Scale::of(most).top);
        assert_eq!(tops, [2, 2, 2, 4, 8, 10, 12, 100, 120, 80_000]);
        assert!(Scale::of(u64::MAX).top > 0);
        assert_eq!(Scale::of(23_900).labels(), ["25,000", "12,500", "0"]);
    }

    #[test]
    fn series_are_stacked_and_the_last_bar_is_unfinished() {
        let now = Minute(29_000_000);
        let period = Period::new(Resolution::Minute, &Zone::default(), None, now);
        let mut low = vec![0; 60];
        let mut high = low.clone();
        (low[0], high[0], low[59]) = (1, 3, 2);
        let bars = bars(&period, &[("a", &low), ("b", &high)], Scale::of(4));
        let shape = |bar: &Bar| {
            let heights = bar.segments.iter().map(|it| (it.y.0, it.height.0));
            (heights.collect::<Vec<_>>(), bar.is_unfinished)
        };
        let shapes: Vec<_> = bars.iter().map(shape).collect();
        assert_eq!(
            shapes,
            [
                (vec![(75.0, 25.0), (0.0, 75.0)], false),
                (vec![(50.0, 50.0)], true),
            ]
        );
        assert!(bars[1].title.ends_with(": 2 so far"), "{}", bars[1].title);
        let right = bars[1].segments[0].x.0 + bars[1].segments[0].width.0;
        assert!(right < 100.0);
    }

    #[test]
    fn every_period_has_labels_on_its_axis() {
        for resolution in Resolution::ALL {
            for now in 29_000_000..29_000_200 {
                let period = Period::new(resolution, &Zone::default(), None, Minute(now));
                let ticks = ticks(&period);
                assert!((4..=5).contains(&ticks.len()), "{resolution:?} {ticks:?}");
                assert!(ticks.iter().any(|tick| !tick.is_minor), "{resolution:?}");
            }
        }
    }

    #[test]
    fn every_other_monday_is_minor_through_a_year_of_53_weeks() {
        let now = Minute::of("2027-01-20T00:00:00Z".parse().unwrap());
        let period = Period::new(Resolution::Day, &Zone::default(), None, now);
        let ticks = ticks(&period);
        let texts: Vec<_> = ticks.iter().map(|tick| &*tick.text).collect();
        assert_eq!(texts, ["28 Dec", "4 Jan", "11 Jan", "18 Jan"]);
        let is_alternating = ticks
            .windows(2)
            .all(|pair| pair[0].is_minor != pair[1].is_minor);
        assert!(is_alternating, "{ticks:?}");
    }
}
