//! Minutes of UTC, by which requests are counted.

use jiff::Timestamp;

/// A minute, as the number of minutes since 1970-01-01T00:00Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Minute(pub i64);

db::column!(Minute as i64, |minute| minute.0, |number| Some(Minute(
    number
)));

const HOUR: i64 = 60;
const DAY: i64 = 24 * HOUR;

impl Minute {
    /// The minute that a time is in.
    pub fn of(at: Timestamp) -> Self {
        Self(at.as_second().div_euclid(60))
    }

    pub fn start(self) -> Timestamp {
        let second = self.0.saturating_mul(60);
        Timestamp::from_second(second).unwrap_or(Timestamp::MAX)
    }

    /// The first minute of its hour.
    pub fn hour(self) -> Self {
        Self(self.0.div_euclid(HOUR) * HOUR)
    }

    /// The first minute of its day in UTC.
    pub fn day(self) -> Self {
        Self(self.0.div_euclid(DAY) * DAY)
    }

    /// So many hours earlier.
    pub fn hours_before(self, hours: i64) -> Self {
        Self(self.0 - hours * HOUR)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_minutes_hours_and_days_also_before_1970() {
        let minute = |text: &str| Minute::of(text.parse().unwrap());
        let at = minute("2026-11-25T13:47:59.999Z");
        assert_eq!(at.start(), "2026-11-25T13:47:00Z".parse().unwrap());
        assert_eq!(at.hour(), minute("2026-11-25T13:00:00Z"));
        assert_eq!(at.day(), minute("2026-11-25T00:00:00Z"));
        assert_eq!(at.hours_before(14).day(), minute("2026-11-24T00:00:00Z"));
        assert_eq!(minute("1969-12-31T23:59:30Z"), Minute(-1));
        assert_eq!(Minute(-1).day(), minute("1969-12-31T00:00:00Z"));
    }
}
