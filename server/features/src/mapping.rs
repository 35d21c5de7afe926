//! Maps values that several features share to the contract's models.

use generated::{formats, models};
use jiff::Timestamp;

/// A time in RFC 3339, UTC, with milliseconds.
pub fn timestamp(at: Timestamp) -> models::Timestamp {
    formats::DateTime(at).into()
}
