//! Members of objects whose absence, `null` and value are three different
//! things, and `serde` takes some of them for the same.
//!
//! Derived code reads a missing `Option` and `null` alike. Generated members
//! therefore read through one of these: [`required`] refuses a missing member,
//! [`present`] takes `null` only where the member's own type does.

use serde::{Deserialize, Deserializer};

/// Reads a member that must be there and may be `null`.
///
/// # Errors
/// Whatever `T` refuses.
pub fn required<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer)
}

/// Reads a member that may be absent, when it is not; for use together with
/// `#[serde(default)]`. With `T` an `Option` itself, `None` is an absent
/// member, `Some(None)` is `null` and `Some(Some(value))` is a value.
///
/// # Errors
/// Whatever `T` refuses.
pub fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}
