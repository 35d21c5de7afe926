//! Discriminators of variants whose keys have changed.

use super::DEFAULT_MAPPING;
use crate::openapi::bundle::Key;
use json_schema::reference::key_in;
use serde_json::{Map, Value, json};

/// The discriminator `operand` for the variants `beside` it, of which `new_key` gives some a new key.
/// A variant that is selected by its own name keeps this name.
pub(crate) fn renamed(
    operand: &Value,
    beside: &Map<String, Value>,
    mut new_key: impl FnMut(&str) -> Option<Key>,
) -> Value {
    let mut operand = operand.clone();
    let Some(members) = operand.as_object_mut() else {
        return operand;
    };
    let mapping = members.entry("mapping").or_insert_with(|| json!({}));
    let Some(mapping) = mapping.as_object_mut() else {
        return operand;
    };
    for keyword in ["oneOf", "anyOf"] {
        let variants = beside.get(keyword).and_then(Value::as_array);
        for variant in variants.into_iter().flatten() {
            let Some(key) = key_in(variant).filter(|key| new_key(key).is_some()) else {
                continue;
            };
            if !key.contains('/') && !mapping.values().any(|target| *target == *key) {
                mapping.insert(key.clone(), key.into());
            }
        }
    }
    for target in mapping.values_mut() {
        if let Some(key) = target.as_str().and_then(&mut new_key) {
            *target = key.into();
        }
    }
    if mapping.is_empty() {
        members.shift_remove("mapping");
    }
    let default = members.get(DEFAULT_MAPPING).and_then(Value::as_str);
    if let Some(default) = default.and_then(new_key) {
        members.insert(DEFAULT_MAPPING.into(), default.into());
    }
    operand
}
