//! What a list's schema says of its items together: `x-order` and `x-unique`.
//!
//! Both are this generator's own. Validators do not know them, and need not: a list that keeps them is
//! valid without them too.

use serde::Deserialize;
use serde_json::{Map, Value};

/// The extension that names what items are ordered by.
pub(crate) const ORDER: &str = "x-order";

/// The extension that names what no two items share.
pub(crate) const UNIQUE: &str = "x-unique";

/// Something that items are ordered by; where they agree in it, the next key decides.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Key {
    /// Where in an item the value is, as a JSON Pointer. Numbers are compared as numbers, texts by
    /// their characters' codes.
    pub(crate) by: String,
    /// Whether the greatest is first.
    #[serde(default)]
    pub(crate) descending: bool,
    /// Whether it is a text that holds a number.
    #[serde(default)]
    pub(crate) numeric: bool,
}

/// The keys that the items are ordered by; none if the schema does not say.
///
/// # Errors
/// What is wrong with the extension.
pub(crate) fn order(members: &Map<String, Value>) -> Result<Vec<Key>, String> {
    let keys: Vec<Key> = listed(members, ORDER)?;
    keys.iter().try_for_each(|key| is_pointer(&key.by))?;
    Ok(keys)
}

/// The places in items whose values together are those of one item only; none if the schema does not
/// say.
///
/// # Errors
/// What is wrong with the extension.
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
        Ok(found) if found.is_empty() => Err(format!("`{name}` names nothing")),
        Ok(found) => Ok(found),
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
