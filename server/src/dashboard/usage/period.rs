//! The period that a usage page shows, and its steps of time.

use jiff::civil::Date;
use jiff::{Timestamp, ToSpan, Zoned};
use serde::Deserialize;

use super::zone::Zone;
use crate::usage::{Minute, Step};

/// The width of a bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Width {
    Minute,
    #[default]
    Hour,
    Day,
}

/// A period of consecutive steps of time.
#[derive(Debug)]
pub(super) struct Period {
    pub(super) width: Width,
    pub(super) zone: Zone,
    /// The step of the rows that are queried.
    pub(super) step: Step,
    pub(super) buckets: Vec<Bucket>,
    /// The end of the period before, and of the one after, if there is one.
    pub(super) earlier: Minute,
    pub(super) later: Option<Minute>,
    now: Minute,
}

/// One step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bucket {
    pub(super) start: Minute,
    /// The minute after its last.
    pub(super) end: Minute,
    /// Whether it is not over.
    pub(super) is_unfinished: bool,
}

impl Width {
    pub(super) const ALL: [Self; 3] = [Self::Minute, Self::Hour, Self::Day];

    /// Its name in a query.
    pub(super) fn value(self) -> &'static str {
        match self {
            Self::Minute => "minute",
            Self::Hour => "hour",
            Self::Day => "day",
        }
    }

    /// The heading of a column of such steps.
    pub(super) fn heading(self) -> &'static str {
        match self {
            Self::Minute => "Minute",
            Self::Hour => "Hour",
            Self::Day => "Day",
        }
    }

    /// The time that is shown with such bars.
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Minute => "1 hour",
            Self::Hour => "2 days",
            Self::Day => "30 days",
        }
    }

    /// How many bars there are.
    fn bars(self) -> i64 {
        match self {
            Self::Minute => 60,
            Self::Hour => 48,
            Self::Day => 30,
        }
    }
}

impl Period {
    /// The bars that end with the one before `until`, or with the one that goes on now.
    pub(super) fn new(width: Width, zone: &Zone, until: Option<Minute>, now: Minute) -> Self {
        // Times beyond the years of calendars are shown as now.
        let past = until.filter(|until| *until <= now && until.0 > 0);
        let last = past.map_or(now, |until| Minute(until.0 - 1));
        let starts = match width {
            Width::Minute => steps(last, width.bars(), 1),
            Width::Hour => steps(last.hour(), width.bars(), 60),
            Width::Day => days(last, zone, width.bars()),
        };
        let bucket = |pair: &[Minute]| match *pair {
            [start, end] => Some(Bucket {
                start,
                end,
                is_unfinished: end > now,
            }),
            _ => None,
        };
        let buckets: Vec<_> = starts.windows(2).filter_map(bucket).collect();
        let first = starts.first().copied().unwrap_or(last);
        let end = starts.last().copied().unwrap_or(last);
        let span = end.0 - first.0;
        // Within the last step, though days differ in length.
        let later = end.0 + span - span / width.bars() / 2;
        Self {
            width,
            zone: zone.clone(),
            step: match width {
                Width::Minute => Step::Minute,
                Width::Hour => Step::Hour,
                Width::Day if zone.is_utc() => Step::Day,
                Width::Day => Step::Hour,
            },
            buckets,
            earlier: first,
            later: (end <= now).then_some(Minute(later)),
            now,
        }
    }

    /// The first minute.
    pub(super) fn from(&self) -> Minute {
        self.buckets.first().map_or(self.now, |bucket| bucket.start)
    }

    /// The minute after the last.
    pub(super) fn to(&self) -> Minute {
        self.buckets.last().map_or(self.now, |bucket| bucket.end)
    }

    /// The bucket that a minute is in.
    pub(super) fn place(&self, minute: Minute) -> Option<usize> {
        let after = self.buckets.partition_point(|it| it.start <= minute);
        let place = after.checked_sub(1)?;
        self.buckets
            .get(place)
            .filter(|it| minute < it.end)
            .map(|_| place)
    }

    /// Whether hours of UTC are split between days here.
    pub(super) fn splits_hours(&self) -> bool {
        self.width != Width::Minute && !self.zone.has_whole_hours(self.to().start())
    }

    /// The time that a minute begins, in the zone.
    pub(super) fn at(&self, minute: Minute) -> Zoned {
        minute.start().to_zoned(self.zone.rules().clone())
    }

    /// A step as a table names it.
    pub(super) fn name(&self, bucket: &Bucket) -> String {
        let at = self.at(bucket.start);
        let format = match self.width {
            Width::Minute => "%-d %b, %H:%M",
            Width::Hour => "%a %-d %b, %H:%M",
            Width::Day => "%a %-d %b",
        };
        at.strftime(format).to_string()
    }

    /// A step as an axis names it.
    pub(super) fn tick(&self, bucket: &Bucket) -> String {
        let at = self.at(bucket.start);
        let format = match self.width {
            Width::Minute => "%H:%M",
            Width::Hour => "%-d %b, %H:%M",
            Width::Day => "%-d %b",
        };
        at.strftime(format).to_string()
    }

    /// The first and the last step, for a sentence.
    pub(super) fn span(&self) -> String {
        let name = |bucket: Option<&Bucket>| bucket.map(|it| self.name(it)).unwrap_or_default();
        let (first, last) = (self.buckets.first(), self.buckets.last());
        format!("{} to {}", name(first), name(last))
    }
}

/// The starts of so many steps that end with `last`, and the end of the last one.
fn steps(last: Minute, count: i64, minutes: i64) -> Vec<Minute> {
    let start = |step| Minute(last.0 - (count - 1 - step) * minutes);
    (0..=count).map(start).collect()
}

/// The same for the days of a zone. Days begin with the first whole hour of UTC in them.
fn days(last: Minute, zone: &Zone, count: i64) -> Vec<Minute> {
    // The day of the whole hour, as days are made of these.
    let date = last.hour().start().to_zoned(zone.rules().clone()).date();
    let start = |step: i64| {
        let day = date.checked_add((step + 1 - count).days()).unwrap_or(date);
        day_start(day, zone)
    };
    (0..=count).map(start).collect()
}

fn day_start(date: Date, zone: &Zone) -> Minute {
    let start = date.to_zoned(zone.rules().clone());
    let at = start.map_or(Timestamp::UNIX_EPOCH, |start| start.timestamp());
    let minute = Minute::of(at);
    match minute == minute.hour() {
        true => minute,
        false => Minute(minute.hour().0 + 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minute(text: &str) -> Minute {
        Minute::of(text.parse().unwrap())
    }

    fn period(width: Width, zone: &str, now: &str) -> Period {
        Period::new(width, &Zone::from(zone.to_owned()), None, minute(now))
    }

    #[test]
    fn the_last_step_is_unfinished_until_it_is_over_and_periods_join() {
        let zones = ["UTC", "Asia/Kolkata", "Europe/Berlin", "Pacific/Auckland"];
        let times = [
            "2026-11-25T13:47:20Z",
            "2026-11-24T18:40:00Z",
            "2026-11-24T18:30:00Z",
        ];
        let cases = Width::ALL
            .into_iter()
            .flat_map(|width| zones.map(|zone| times.map(|time| (width, zone, time))))
            .flatten();
        for (width, zone, now) in cases {
            let period = period(width, zone, now);
            let unfinished = period.buckets.iter().filter(|it| it.is_unfinished);
            assert_eq!(unfinished.count(), 1, "{width:?}");
            assert!(period.buckets.last().unwrap().is_unfinished);
            assert_eq!(period.later, None);
            let before = Period::new(width, &period.zone, Some(period.earlier), period.now);
            assert!(before.buckets.iter().all(|it| !it.is_unfinished));
            assert_eq!(before.to(), period.from());
            let after = Period::new(width, &period.zone, before.later, period.now);
            assert_eq!(after.buckets, period.buckets);
        }
    }

    #[test]
    fn days_are_those_of_the_zone_through_changes_of_its_clock() {
        // Berlin's clocks went back on 25 October 2026.
        let period = period(Width::Day, "Europe/Berlin", "2026-10-27T12:00:00Z");
        let long = minute("2026-10-24T22:00:00Z");
        let place = period.place(long).unwrap();
        let day = period.buckets[place];
        assert_eq!((day.start, day.end), (long, minute("2026-10-25T23:00:00Z")));
        assert_eq!(period.name(&day), "Sun 25 Oct");
        assert_eq!(period.place(Minute(day.end.0 - 1)), Some(place));
        assert_eq!(period.place(day.end), Some(place + 1));
        assert_eq!((period.step, period.buckets.len()), (Step::Hour, 30));
        assert!(!period.splits_hours());
    }

    #[test]
    fn a_zone_that_splits_hours_says_so() {
        let period = period(Width::Day, "Asia/Kolkata", "2026-11-25T13:47:20Z");
        assert!(period.splits_hours());
        assert!(period.buckets.iter().all(|it| it.start == it.start.hour()));
    }

    #[test]
    fn no_time_is_too_far() {
        let now = minute("2026-11-25T13:47:20Z");
        for until in [i64::MIN, -1, 0, 1, i64::MAX] {
            for width in Width::ALL {
                let period = Period::new(width, &Zone::default(), Some(Minute(until)), now);
                assert!(!period.buckets.is_empty(), "{until} {width:?}");
                assert_eq!(period.place(Minute(i64::MAX)), None);
                let _ = period.span();
            }
        }
    }
}
