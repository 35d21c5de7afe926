//! The availability of the last days.

use features::domain::day::Day;
use jiff::Timestamp;
use jiff::civil::Date;

use super::minutes::{MINUTES, Minutes, minute_of_day};
use super::{DAYS, DayMinutes, Days};

/// The minutes of days, and when this server last checked itself.
#[derive(Debug, Clone, Default)]
pub(crate) struct History {
    days: Days,
    checked_at: Option<Timestamp>,
}

/// How much of a day was available.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Available {
    pub(crate) date: Date,
    /// The available minutes.
    pub(crate) minutes: u32,
    /// The minutes since the first record, until the last check; 0 if nothing is known of the day.
    pub(crate) of: u32,
}

impl Available {
    /// The minutes of the outages.
    pub(crate) fn missing(&self) -> u32 {
        self.of.saturating_sub(self.minutes)
    }
}

impl History {
    pub(super) fn new(days: Days, checked_at: Timestamp) -> Self {
        Self {
            days,
            checked_at: Some(checked_at),
        }
    }

    pub(crate) fn checked_at(&self) -> Option<Timestamp> {
        self.checked_at
    }

    /// How much of each day a server ran, oldest first; empty before the first check.
    pub(crate) fn running(&self) -> Vec<Available> {
        self.each_day(|day| day.running)
    }

    /// How much of each day a server could read the database, likewise.
    pub(crate) fn reading(&self) -> Vec<Available> {
        self.each_day(|day| day.reading)
    }

    fn each_day(&self, minutes: fn(&DayMinutes) -> Minutes) -> Vec<Available> {
        let Some(checked_at) = self.checked_at else {
            return Vec::new();
        };
        let today = Day::of(checked_at).number();
        let days = (today - DAYS + 1..=today).filter_map(Day::new);
        days.map(|day| Available {
            date: day.date(),
            minutes: self.days.get(&day).map_or(0, |it| minutes(it).count()),
            of: self.known_minutes(day, checked_at),
        })
        .collect()
    }

    /// The minutes of a day from the first record of all until the last check.
    fn known_minutes(&self, day: Day, checked_at: Timestamp) -> u32 {
        let Some((first_day, first)) = self.days.first_key_value() else {
            return 0;
        };
        let start = match day.cmp(first_day) {
            std::cmp::Ordering::Less => return 0,
            std::cmp::Ordering::Equal => first.running.first().unwrap_or(0),
            std::cmp::Ordering::Greater => 0,
        };
        let end = match day == Day::of(checked_at) {
            true => minute_of_day(checked_at) + 1,
            false => MINUTES,
        };
        end.saturating_sub(start)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{merge, minute};
    use super::*;

    fn at(time: &str) -> Timestamp {
        time.parse().unwrap()
    }

    #[test]
    fn minutes_without_a_record_are_outages_since_the_first_one() {
        let mut days = Days::new();
        // Two servers in the same minute, then one that cannot read the database, then one after a night.
        for (time, is_reading) in [
            ("2026-11-27T22:00:00Z", true),
            ("2026-11-27T22:00:30Z", true),
            ("2026-11-27T22:01:00Z", false),
            ("2026-11-29T00:01:00Z", true),
        ] {
            merge(&mut days, &minute(at(time), is_reading));
        }
        let history = History::new(days, at("2026-11-29T00:01:20Z"));
        let numbers = |available: &[Available]| {
            let last = available.iter().skip(86);
            last.map(|it| (it.minutes, it.of)).collect::<Vec<_>>()
        };
        let running = history.running();
        assert_eq!(
            (running.len(), running[89].date),
            (90, "2026-11-29".parse().unwrap())
        );
        assert_eq!(numbers(&running), [(0, 0), (2, 120), (0, 1440), (1, 2)]);
        assert_eq!(
            numbers(&history.reading()),
            [(0, 0), (1, 120), (0, 1440), (1, 2)]
        );
        assert_eq!(running[87].missing(), 118);
        assert!(History::default().running().is_empty());
    }

    #[test]
    fn days_are_bounded() {
        let mut days = Days::new();
        for hours in 0..24 * 200 {
            let time = Timestamp::from_second(hours * 3600).unwrap();
            merge(&mut days, &minute(time, true));
        }
        assert_eq!(days.len(), 90);
    }
}
