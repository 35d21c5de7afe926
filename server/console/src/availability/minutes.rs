//! Minutes of a day as a bit map.

use std::fmt;
use std::ops::BitOrAssign;

use jiff::Timestamp;

/// The bytes of a day's 1440 minutes.
const BYTES: usize = 180;

/// The minutes of a day.
pub(crate) const MINUTES: u32 = 1440;

/// Some minutes of a day in UTC.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Minutes([u8; BYTES]);

db::column!(Minutes as [u8; BYTES], |minutes| minutes.0, |bytes| Some(
    Minutes(bytes)
));

impl Default for Minutes {
    fn default() -> Self {
        Self([0; BYTES])
    }
}

impl fmt::Debug for Minutes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} minutes", self.count())
    }
}

impl BitOrAssign for Minutes {
    fn bitor_assign(&mut self, other: Self) {
        for (byte, other) in self.0.iter_mut().zip(other.0) {
            *byte |= other;
        }
    }
}

impl Minutes {
    /// The minute of an instant.
    pub(crate) fn of(at: Timestamp) -> Self {
        let mut minutes = Self::default();
        let number = minute_of_day(at) as usize;
        if let Some(byte) = minutes.0.get_mut(number / 8) {
            *byte |= 1 << (number % 8);
        }
        minutes
    }

    pub(crate) fn count(&self) -> u32 {
        self.0.iter().map(|byte| byte.count_ones()).sum()
    }

    /// The first of the minutes.
    pub(crate) fn first(&self) -> Option<u32> {
        let bytes = (0..).zip(&self.0);
        let mut used = bytes.filter(|(_, byte)| **byte != 0);
        used.next().map(|(at, byte)| at * 8 + byte.trailing_zeros())
    }
}

/// The number of an instant's minute in its day.
pub(crate) fn minute_of_day(at: Timestamp) -> u32 {
    let minutes = at.as_second().div_euclid(60);
    u32::try_from(minutes.rem_euclid(i64::from(MINUTES))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_are_a_set() {
        let minute = |at: &str| Minutes::of(at.parse().unwrap());
        let mut minutes = minute("2026-11-29T23:59:59Z");
        assert_eq!((minutes.count(), minutes.first()), (1, Some(1439)));
        for at in ["2026-11-29T08:07:00Z", "2026-11-29T08:07:40Z"] {
            minutes |= minute(at);
        }
        assert_eq!((minutes.count(), minutes.first()), (2, Some(487)));
        assert_eq!(Minutes::default().first(), None);
        assert_eq!(minute("1969-12-31T23:58:00Z").first(), Some(1438));
    }
}
