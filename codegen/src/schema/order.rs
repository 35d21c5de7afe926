//! `x-order` and `x-unique`: the order and the uniqueness of a list's items.
//!
//! Both are extensions of this generator. Validators ignore them: a list that violates one is valid
//! for its schema all the same.

use serde::Deserialize;
use serde_json::{Map, Value};

/// The extension with the keys by which items are ordered.
pub(crate) const ORDER: &str = "x-order";

/// The extension with the values that no two items share.
pub(crate) const UNIQUE: &str = "x-unique";

/// A key by which items are ordered; among items with the same key, the next key decides.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Key {
    /// The place of the value in an item, as a JSON Pointer. Numbers are compared as numbers, texts
    /// by their characters' codes.
    pub(crate) by: String,
    /// Whether the greatest comes first.
    #[serde(default)]
    pub(crate) descending: bool,
    /// Whether the value is a text that holds a number.
    #[serde(default)]
    pub(crate) numeric: bool,
}

/// The keys that the items are ordered by; empty if there is no `x-order`.
///
/// # Errors
/// An error in the extension.
pub(crate) fn order(members: &Map<String, Value>) -> Result<Vec<Key>, String> {
    let keys: Vec<Key> = listed(members, ORDER)?;
    keys.iter().try_for_each(|key| is_pointer(&key.by))?;
    Ok(keys)
}

/// The places in items whose values together are unique; empty if there is no `x-unique`.
///
/// # Errors
/// An error in the extension.
pub(crate) fn unique(members: &Map<String, Value>) -> Result<Vec<String>, String> {
    let places: Vec<String> = listed(members, UNIQUE)?;
    places.iter().try_for_each(|place| is_pointer(place))?;
    Ok(places)
}

fn listed<T: for<'de> Deserialize<'de>>(
    members: &Map<String, Value>,
    name: &str,
) -> Result<Vec<T>, String> {
    let Some(value) = members.get(name) else {
        return Ok(Vec::new());
    };
    match Vec::<T>::deserialize(value) {
        Ok(all) if all.is_empty() => Err(format!("`{name}` names nothing")),
        Ok(all) => Ok(all),
        Err(error) => Err(format!("`{name}` cannot be read: {error}")),
    }
}

fn is_pointer(text: &str) -> Result<(), String> {
    if text.starts_with('/') {
        Ok(())
    } else {
        Err(format!("`{text}` is no JSON Pointer into an item"))
    }
}
