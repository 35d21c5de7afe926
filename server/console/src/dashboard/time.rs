//! Times in pages, as HTML for people and programs, with their zone.

use std::fmt;

use askama::filters::HtmlSafe;
use jiff::Timestamp;

/// A time and how far it is from now, as HTML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Time {
    pub(super) at: Timestamp,
    pub(super) now: Timestamp,
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let distance = self.distance();
        let date = self.at.strftime("%-d %b %Y, %H:%M UTC");
        write!(
            f,
            r#"<time datetime="{:.0}">{distance} <small class="under quiet">{date}</small></time>"#,
            self.at,
        )
    }
}

/// A time where room is short: the hour is in the title.
pub(super) struct ShortTime(Time);

impl fmt::Display for ShortTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(time) = self;
        let (distance, at) = (time.distance(), time.at);
        let (date, hour) = (at.strftime("%-d %b %Y"), at.strftime("%H:%M UTC"));
        write!(
            f,
            r#"<time datetime="{at:.0}" title="{date}, {hour}">{distance} <small class="under quiet">{date}</small></time>"#,
        )
    }
}

/// A day on one line: the hour is in the title.
pub(super) struct DateOnly(Timestamp);

impl fmt::Display for DateOnly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(at) = self;
        let (date, hour) = (at.strftime("%-d %b %Y"), at.strftime("%H:%M UTC"));
        write!(
            f,
            r#"<time datetime="{at:.0}" title="{date}, {hour}">{date}</time>"#
        )
    }
}

/// A time after words such as "since" and "until": the date and hour alone.
pub(super) struct AbsoluteTime(Timestamp);

impl fmt::Display for AbsoluteTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(at) = self;
        let date = at.strftime("%-d %b %Y, %H:%M UTC");
        write!(f, r#"<time datetime="{at:.0}" data-date>{date}</time>"#)
    }
}

/// They are made of digits and words of our own.
impl HtmlSafe for Time {}
impl HtmlSafe for ShortTime {}
impl HtmlSafe for DateOnly {}
impl HtmlSafe for AbsoluteTime {}

impl Time {
    pub(super) fn new(at: Timestamp, now: Timestamp) -> Self {
        Self { at, now }
    }

    /// The same in less room.
    pub(super) fn short(self) -> ShortTime {
        ShortTime(self)
    }

    /// The day alone.
    pub(super) fn day(self) -> DateOnly {
        DateOnly(self.at)
    }

    /// The date and hour, without the distance from now.
    pub(super) fn absolute(self) -> AbsoluteTime {
        AbsoluteTime(self.at)
    }

    /// Whether it is not to come.
    pub(super) fn is_past(self) -> bool {
        self.at <= self.now
    }

    /// `in 90 days`, `3 minutes ago`: the nearest day, or the whole minutes and hours that have passed.
    fn distance(self) -> String {
        let seconds = self.at.as_second() - self.now.as_second();
        // What is to come is told in whole minutes: a day, of which a second has passed, is one still.
        let distance = match seconds {
            60.. => (seconds.unsigned_abs()).next_multiple_of(60),
            _ => seconds.unsigned_abs(),
        };
        let (count, unit) = match distance {
            0..60 => return "now".to_owned(),
            past @ 60..3_600 => (past / 60, "minute"),
            past @ 3_600..86_400 => (past / 3_600, "hour"),
            past => ((past + 43_200) / 86_400, "day"),
        };
        let plural = if count == 1 { "" } else { "s" };
        match seconds > 0 {
            true => format!("in {count} {unit}{plural}"),
            false => format!("{count} {unit}{plural} ago"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn are_read_by_people_and_programs() {
        let now: Timestamp = "2026-11-24T17:00:00Z".parse().unwrap();
        let check = |at: &str, distance: &str| {
            let at = at.parse().unwrap();
            assert_eq!(Time { at, now }.distance(), distance);
        };
        check("2026-11-24T17:00:30Z", "now");
        check("2026-11-24T16:57:00Z", "3 minutes ago");
        check("2026-11-24T18:30:00Z", "in 1 hour");
        check("2026-11-24T17:59:59Z", "in 1 hour");
        check("2026-11-25T16:59:59Z", "in 1 day");
        check("2026-11-24T16:00:01Z", "59 minutes ago");
        check("2027-02-22T16:59:59Z", "in 90 days");
        check("2026-11-25T18:00:00Z", "in 1 day");
        let shown = Time { at: now, now }.to_string();
        assert!(
            shown.contains(r#"datetime="2026-11-24T17:00:00Z""#),
            "{shown}"
        );
        assert!(shown.contains("24 Nov 2026, 17:00 UTC"), "{shown}");
        let since = Time { at: now, now }.absolute().to_string();
        assert!(since.ends_with(">24 Nov 2026, 17:00 UTC</time>"), "{since}");
    }
}
