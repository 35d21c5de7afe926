//! The bars and axes of the charts of usage.

use jiff::civil::Date;

use super::period::{Bucket, Period, Resolution};
use crate::chart::{Bar, Percent, Scale, Segment, Tick, grouped};
use features::usage::StatusClass;

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
