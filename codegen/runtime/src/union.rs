//! Unions: which variant a JSON value is, and reading it as that.

use serde::de::{DeserializeOwned, Error};
use serde_json::Value;

pub use super::schema::decide;

/// The text of the member that names the variant.
#[must_use]
pub fn tag<'v>(value: &'v Value, member: &str) -> Option<&'v str> {
    value.get(member)?.as_str()
}

/// The first of the variants whose condition `value` meets; `None` where none
/// is or, with `exactly_one`, where several are.
#[must_use]
pub fn choose(value: &Value, variants: &[fn(&Value) -> bool], exactly_one: bool) -> Option<usize> {
    let mut fits = variants
        .iter()
        .enumerate()
        .filter(|(_, meets)| meets(value));
    let (first, _) = fits.next()?;
    (!exactly_one || fits.next().is_none()).then_some(first)
}

/// Reads a value as the variant that was decided on.
///
/// # Errors
/// Whatever `T` refuses.
pub fn variant<T: DeserializeOwned, E: Error>(value: Value) -> Result<T, E> {
    T::deserialize(value).map_err(E::custom)
}

/// The error where no variant fits, or more than one.
#[must_use]
pub fn no_variant<E: Error>() -> E {
    E::custom("no variant, or more than one, fits")
}
