//! A member that may be absent, null or a value: `Option<Option<T>>`.
//!
//! For use as `#[serde(default, skip_serializing_if = "Option::is_none",
//! with = "…::nullable")]`: `None` is an absent member, `Some(None)` is
//! `null`, `Some(Some(value))` is a value.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Reads a member that is present: null or a value.
///
/// # Errors
/// Whatever `T` refuses.
pub fn deserialize<'de, D, T>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer).map(Some)
}

/// Writes null or the value. An absent member is skipped before this is
/// called; where it is not, it is written as null.
///
/// # Errors
/// Whatever the serializer refuses.
pub fn serialize<S, T>(member: &Option<Option<T>>, serializer: S) -> Result<S::Ok, S::Error>
where
    S: Serializer,
    T: Serialize,
{
    member
        .as_ref()
        .and_then(Option::as_ref)
        .serialize(serializer)
}
