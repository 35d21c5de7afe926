//! Members that can only have one value (`const`), or one of a few (`enum`).

use std::fmt;

use serde::de::{Error, Visitor};
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

/// Reads one of the texts that are allowed, as what it stands for.
///
/// # Errors
/// Where it is anything else.
pub fn one_of<'de, D: Deserializer<'de>, T: Copy>(
    deserializer: D,
    allowed: &[(&'static str, T)],
) -> Result<T, D::Error> {
    deserializer.deserialize_str(OneOf(allowed))
}

struct OneOf<'a, T>(&'a [(&'static str, T)]);

impl<T: Copy> Visitor<'_> for OneOf<'_, T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("one of the texts that are allowed")
    }

    fn visit_str<E: Error>(self, read: &str) -> Result<T, E> {
        let mut allowed = self.0.iter();
        let found = allowed.find(|(text, _)| *text == read);
        found.map_or_else(|| other(), |(_, meant)| Ok(*meant))
    }
}

fn other<T, E: Error>() -> Result<T, E> {
    Err(E::custom("another value is expected here"))
}

fn same<'de, D: Deserializer<'de>>(is_same: bool) -> Result<(), D::Error> {
    if is_same { Ok(()) } else { other() }
}
