//! The period that a usage page shows, the buckets of time that it is divided into, and its time zone.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan, Zoned};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;

use features::usage::{Minute, Step};

/// The length of a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Resolution {
    Minute,
    #[default]
    Hour,
    Day,
}

/// A period of consecutive buckets.
#[derive(Debug)]
pub(super) struct Period {
    pub(super) resolution: Resolution,
    pub(super) zone: Zone,
    /// The step of the rows that are queried.
    pub(super) step: Step,
    pub(super) buckets: Vec<Bucket>,
    /// The end of the period before, and of the one after, if there is one.
    pub(super) earlier: Minute,
    pub(super) later: Option<Minute>,
    now: Minute,
}

/// A minute, an hour or a day, whose requests are counted together: a bar of the chart, a row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bucket {
    pub(super) start: Minute,
    /// The minute after its last.
    pub(super) end: Minute,
    /// Whether it is not over.
    pub(super) is_unfinished: bool,
}

impl Resolution {
    pub(super) const ALL: [Self; 3] = [Self::Minute, Self::Hour, Self::Day];

    /// Its name in a query.
    pub(super) fn value(self) -> &'static str {
        match self {
            Self::Minute => "minute",
            Self::Hour => "hour",
            Self::Day => "day",
        }
    }

    /// The heading of a column of such buckets.
    pub(super) fn heading(self) -> &'static str {
        match self {
            Self::Minute => "Minute",
            Self::Hour => "Hour",
            Self::Day => "Day",
        }
    }

    /// The length of the period that is shown with such buckets.
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Minute => "1 hour",
            Self::Hour => "2 days",
            Self::Day => "30 days",
        }
    }

    /// How many buckets are shown.
    fn buckets(self) -> i64 {
        match self {
            Self::Minute => 60,
            Self::Hour => 48,
            Self::Day => 30,
        }
    }
}

impl Period {
    /// The buckets that end with the one before `until`, or with the one of now.
    pub(super) fn new(
        resolution: Resolution,
        zone: &Zone,
        until: Option<Minute>,
        now: Minute,
    ) -> Self {
        // Times beyond the years of calendars are shown as now.
        let past = until.filter(|until| *until <= now && until.0 > 0);
        let last = past.map_or(now, |until| Minute(until.0 - 1));
        let starts = match resolution {
            Resolution::Minute => spans(last, resolution.buckets(), 1),
            Resolution::Hour => spans(last.hour(), resolution.buckets(), 60),
            Resolution::Day => days(last, zone, resolution.buckets()),
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
        // Within the last bucket, though days differ in length.
        let later = end.0 + span - span / resolution.buckets() / 2;
        Self {
            resolution,
            zone: zone.clone(),
            step: match resolution {
                Resolution::Minute => Step::Minute,
                Resolution::Hour => Step::Hour,
                Resolution::Day if zone.is_utc() => Step::Day,
                Resolution::Day => Step::Hour,
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

    /// The index of the bucket that a minute is in.
    pub(super) fn index(&self, minute: Minute) -> Option<usize> {
        let after = self.buckets.partition_point(|it| it.start <= minute);
        let index = after.checked_sub(1)?;
        self.buckets
            .get(index)
            .filter(|it| minute < it.end)
            .map(|_| index)
    }

    /// Whether hours of UTC are split between days here.
    pub(super) fn splits_hours(&self) -> bool {
        self.resolution != Resolution::Minute && !self.zone.has_whole_hours(self.to().start())
    }

    /// The time that a minute begins, in the zone.
    pub(super) fn at(&self, minute: Minute) -> Zoned {
        minute.start().to_zoned(self.zone.rules().clone())
    }

    /// A bucket as a table names it.
    pub(super) fn name(&self, bucket: &Bucket) -> String {
        let at = self.at(bucket.start);
        let format = match self.resolution {
            Resolution::Minute => "%-d %b, %H:%M",
            Resolution::Hour => "%a %-d %b, %H:%M",
            Resolution::Day => "%a %-d %b",
        };
        at.strftime(format).to_string()
    }

    /// A bucket as an axis names it.
    pub(super) fn tick(&self, bucket: &Bucket) -> String {
        let at = self.at(bucket.start);
        let format = match self.resolution {
            Resolution::Minute => "%H:%M",
            Resolution::Hour => "%-d %b, %H:%M",
            Resolution::Day => "%-d %b",
        };
        at.strftime(format).to_string()
    }

    /// The first and the last bucket, for a sentence.
    pub(super) fn span(&self) -> String {
        let name = |bucket: Option<&Bucket>| bucket.map(|it| self.name(it)).unwrap_or_default();
        let (first, last) = (self.buckets.first(), self.buckets.last());
        format!("{} to {}", name(first), name(last))
    }
}

/// The starts of so many buckets that end with `last`, and the end of the last one.
fn spans(last: Minute, count: i64, minutes: i64) -> Vec<Minute> {
    let start = |index| Minute(last.0 - (count - 1 - index) * minutes);
    (0..=count).map(start).collect()
}

/// The same for the days of a zone. Days begin with the first whole hour of UTC in them.
fn days(last: Minute, zone: &Zone, count: i64) -> Vec<Minute> {
    // The day of the whole hour, as days are made of these.
    let date = last.hour().start().to_zoned(zone.rules().clone()).date();
    let start = |index: i64| {
        let day = date.checked_add((index + 1 - count).days()).unwrap_or(date);
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

/// The zones that the form offers, one or more for each offset. Any other name of the IANA time zone
/// database is taken as well, such as that of the browser, which a script adds.
const OFFERED: [&str; 38] = [
    "UTC",
    "Pacific/Honolulu",
    "America/Anchorage",
    "America/Los_Angeles",
    "America/Denver",
    "America/Phoenix",
    "America/Chicago",
    "America/Mexico_City",
    "America/New_York",
    "America/Bogota",
    "America/Halifax",
    "America/Santiago",
    "America/St_Johns",
    "America/Sao_Paulo",
    "America/Argentina/Buenos_Aires",
    "Atlantic/Azores",
    "Europe/London",
    "Africa/Lagos",
    "Europe/Berlin",
    "Africa/Johannesburg",
    "Africa/Cairo",
    "Europe/Athens",
    "Africa/Nairobi",
    "Europe/Istanbul",
    "Asia/Tehran",
    "Asia/Dubai",
    "Asia/Kabul",
    "Asia/Karachi",
    "Asia/Kolkata",
    "Asia/Kathmandu",
    "Asia/Dhaka",
    "Asia/Bangkok",
    "Asia/Singapore",
    "Asia/Shanghai",
    "Asia/Tokyo",
    "Australia/Adelaide",
    "Australia/Sydney",
    "Pacific/Auckland",
];

/// The longest name of a zone.
const MAX_LENGTH: usize = 64;

/// The time zone of this name; UTC if there is none.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub(super) struct Zone {
    name: String,
    rules: TimeZone,
}

impl Default for Zone {
    fn default() -> Self {
        Self {
            name: "UTC".to_owned(),
            rules: TimeZone::UTC,
        }
    }
}

impl From<String> for Zone {
    fn from(text: String) -> Self {
        let known = Some(&text).filter(|text| text.len() <= MAX_LENGTH);
        let rules = known.and_then(|name| TimeZone::get(name).ok());
        let name = rules.as_ref().and_then(TimeZone::iana_name);
        match name.map(str::to_owned).zip(rules) {
            Some((name, rules)) => Self { name, rules },
            None => Self::default(),
        }
    }
}

impl Zone {
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Its name in a query.
    pub(super) fn value(&self) -> String {
        utf8_percent_encode(&self.name, NON_ALPHANUMERIC).to_string()
    }

    pub(super) fn rules(&self) -> &TimeZone {
        &self.rules
    }

    pub(super) fn is_utc(&self) -> bool {
        self.name == "UTC"
    }

    /// Whether hours of UTC are hours here at a time.
    pub(super) fn has_whole_hours(&self, at: Timestamp) -> bool {
        self.rules.to_offset(at).seconds() % 3_600 == 0
    }

    /// The names that the form offers, this zone's among them.
    pub(super) fn offered(&self) -> Vec<&str> {
        let own = Some(self.name()).filter(|name| !OFFERED.contains(name));
        own.into_iter().chain(OFFERED).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minute(text: &str) -> Minute {
        Minute::of(text.parse().unwrap())
    }

    fn period(resolution: Resolution, zone: &str, now: &str) -> Period {
        Period::new(resolution, &Zone::from(zone.to_owned()), None, minute(now))
    }

    #[test]
    fn the_last_bucket_is_unfinished_until_it_is_over_and_periods_join() {
        let zones = ["UTC", "Asia/Kolkata", "Europe/Berlin", "Pacific/Auckland"];
        let times = [
            "2026-11-25T13:47:20Z",
            "2026-11-24T18:40:00Z",
            "2026-11-24T18:30:00Z",
        ];
        let cases = Resolution::ALL
            .into_iter()
            .flat_map(|resolution| zones.map(|zone| times.map(|time| (resolution, zone, time))))
            .flatten();
        for (resolution, zone, now) in cases {
            let period = period(resolution, zone, now);
            let unfinished = period.buckets.iter().filter(|it| it.is_unfinished);
            assert_eq!(unfinished.count(), 1, "{resolution:?}");
            assert!(period.buckets.last().unwrap().is_unfinished);
            assert_eq!(period.later, None);
            let before = Period::new(resolution, &period.zone, Some(period.earlier), period.now);
            assert!(before.buckets.iter().all(|it| !it.is_unfinished));
            assert_eq!(before.to(), period.from());
            let after = Period::new(resolution, &period.zone, before.later, period.now);
            assert_eq!(after.buckets, period.buckets);
        }
    }

    #[test]
    fn days_are_those_of_the_zone_through_changes_of_its_clock() {
        // Berlin's clocks went back on 25 October 2026.
        let period = period(Resolution::Day, "Europe/Berlin", "2026-10-27T12:00:00Z");
        let long = minute("2026-10-24T22:00:00Z");
        let index = period.index(long).unwrap();
        let day = period.buckets[index];
        assert_eq!((day.start, day.end), (long, minute("2026-10-25T23:00:00Z")));
        assert_eq!(period.name(&day), "Sun 25 Oct");
        assert_eq!(period.index(Minute(day.end.0 - 1)), Some(index));
        assert_eq!(period.index(day.end), Some(index + 1));
        assert_eq!((period.step, period.buckets.len()), (Step::Hour, 30));
        assert!(!period.splits_hours());
    }

    #[test]
    fn a_zone_that_splits_hours_says_so() {
        let period = period(Resolution::Day, "Asia/Kolkata", "2026-11-25T13:47:20Z");
        assert!(period.splits_hours());
        assert!(period.buckets.iter().all(|it| it.start == it.start.hour()));
    }

    #[test]
    fn no_time_is_too_far() {
        let now = minute("2026-11-25T13:47:20Z");
        for until in [i64::MIN, -1, 0, 1, i64::MAX] {
            for resolution in Resolution::ALL {
                let period = Period::new(resolution, &Zone::default(), Some(Minute(until)), now);
                assert!(!period.buckets.is_empty(), "{until} {resolution:?}");
                assert_eq!(period.index(Minute(i64::MAX)), None);
                let _ = period.span();
            }
        }
    }

    #[test]
    fn zones_that_are_offered_exist() {
        for name in OFFERED {
            assert_eq!(Zone::from(name.to_owned()).name(), name);
        }
    }

    #[test]
    fn what_is_no_zone_is_utc() {
        let long = "x".repeat(1_000_000);
        for text in ["", "Mars/Olympus", "../etc/passwd", "<script>", &long] {
            let zone = Zone::from(text.to_owned());
            assert!(zone.is_utc(), "{text}");
        }
        let other = Zone::from("Europe/Lisbon".to_owned());
        assert_eq!(other.offered()[0], "Europe/Lisbon");
        assert_eq!(other.value(), "Europe%2FLisbon");
    }
}
