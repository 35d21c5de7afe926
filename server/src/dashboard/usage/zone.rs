//! The time zone of a page.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;

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

/// A time zone that exists; UTC in the place of another text.
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
