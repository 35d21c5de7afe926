//! Members that can only have one value (`const`).

use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// Reads the one text that is allowed.
///
/// # Errors
/// Where it is anything else.
pub fn text<'de, D: Deserializer<'de>>(
    deserializer: D,
    expected: &'static str,
) -> Result<(), D::Error> {
    let read = std::borrow::Cow::<str>::deserialize(deserializer)?;
    same::<D>(read == expected)
}

/// Reads the one truth value that is allowed.
///
/// # Errors
/// Where it is anything else.
pub fn boolean<'de, D: Deserializer<'de>>(deserializer: D, expected: bool) -> Result<(), D::Error> {
    let read = bool::deserialize(deserializer)?;
    same::<D>(read == expected)
}

/// Reads the one whole number that is allowed.
///
/// # Errors
/// Where it is anything else.
pub fn integer<'de, D: Deserializer<'de>>(deserializer: D, expected: i64) -> Result<(), D::Error> {
    let read = i64::deserialize(deserializer)?;
    same::<D>(read == expected)
}

/// Reads the one number that is allowed.
///
/// # Errors
/// Where it is anything else.
pub fn number<'de, D: Deserializer<'de>>(deserializer: D, expected: f64) -> Result<(), D::Error> {
    let read = f64::deserialize(deserializer)?;
    // The contract's number and the request's went through the same parser.
    same::<D>(read.total_cmp(&expected).is_eq() || read == expected)
}

fn same<'de, D: Deserializer<'de>>(is_same: bool) -> Result<(), D::Error> {
    if is_same {
        Ok(())
    } else {
        Err(D::Error::custom("another value is expected here"))
    }
}
