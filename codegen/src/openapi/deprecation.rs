//! The dates of an operation's deprecation and end: `x-deprecated-at` and `x-sunset`.
//!
//! OpenAPI's `deprecated` has no dates, but the headers that tell callers need them: `Deprecation` (RFC 9745)
//! and `Sunset` (RFC 8594). Both extensions are dates, `2026-11-24`, and mean the beginning of that day in UTC.

use super::Reader;
use super::node::Node;
use super::operation::IGNORED;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// The member of an operation with the date of its deprecation.
pub(crate) const DEPRECATED_AT: &str = "x-deprecated-at";

/// The member of an operation with the date of its end.
pub(crate) const SUNSET: &str = "x-sunset";

/// The dates that end an operation's life, as far as the document gives them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Deprecation {
    /// The date since which the operation is deprecated.
    pub at: Option<Timestamp>,
    /// The date on which the operation ends.
    pub sunset: Option<Timestamp>,
}

impl<'a> Reader<'a> {
    /// Reads the dates of an operation. Dates of an operation that is not deprecated have no
    /// meaning and are reported.
    pub(super) fn deprecation(&mut self, operation: &Node<'a>, is_deprecated: bool) -> Deprecation {
        let dates = Deprecation {
            at: self.date(operation, DEPRECATED_AT),
            sunset: self.date(operation, SUNSET),
        };
        if dates != Deprecation::default() && !is_deprecated {
            let message = "an operation with dates of its end must be `deprecated`";
            self.invalid(&operation.at, message, IGNORED);
            return Deprecation::default();
        }
        if let (Some(at), Some(sunset)) = (dates.at, dates.sunset)
            && sunset < at
        {
            let place = operation.at.child(SUNSET);
            let message =
                format!("`{SUNSET}` must not be before `{DEPRECATED_AT}` (RFC 9745, section 4)");
            self.invalid(&place, message, "it is left out");
            return Deprecation {
                sunset: None,
                ..dates
            };
        }
        dates
    }

    fn date(&mut self, operation: &Node<'a>, name: &str) -> Option<Timestamp> {
        let member = operation.member(name)?;
        let date = member
            .value
            .as_str()
            .and_then(|text| text.parse::<Date>().ok());
        let begins = date.and_then(|date| date.to_zoned(TimeZone::UTC).ok());
        if begins.is_none() {
            let message = format!("`{name}` must be a date, such as `2026-11-24`");
            self.invalid(&member.at, message, IGNORED);
        }
        begins.map(|begins| begins.timestamp())
    }
}
