//! Values that are made up where a request needs one and the contract has none: a required parameter or
//! field, and a body, which would be sent empty. They have no optional members.

use crate::ir::{Api, Param};
use json_schema::reference::key_of_reference;
use sample::Samples;
use serde_json::{Map, Value};

/// The source of such values.
pub(super) struct MadeUp<'a> {
    api: &'a Api,
}

impl<'a> MadeUp<'a> {
    pub(super) fn new(api: &'a Api) -> MadeUp<'a> {
        MadeUp { api }
    }

    /// The contract's value for a parameter, or a made-up one if it is required.
    pub(super) fn param(&self, param: &Param) -> Option<Value> {
        let known = self.api.example_of_param(param);
        let made_up = || {
            let required = param.field.required.then_some(&param.schema);
            required.and_then(|key| self.value(key))
        };
        known.or_else(made_up)
    }

    /// The contract's value of a schema, or a made-up one.
    pub(super) fn schema(&self, key: &str) -> Option<Value> {
        let known = self.api.example_of_schema(key);
        known.or_else(|| self.value(key))
    }

    /// The schemas that a value depends on are compiled alone: all of a large document take long.
    fn value(&self, key: &str) -> Option<Value> {
        Samples::new(reachable(&self.api.schemas, key)).plainest(key)
    }
}

/// A schema, and those that it refers to.
fn reachable(schemas: &Map<String, Value>, key: &str) -> Map<String, Value> {
    let (mut found, mut open) = (Map::new(), vec![key.to_owned()]);
    while let Some(key) = open.pop() {
        let Some(schema) = schemas.get(&key).filter(|_| !found.contains_key(&key)) else {
            continue;
        };
        references(schema, &mut open);
        found.insert(key, schema.clone());
    }
    found
}

/// Whatever may be a reference: a text that is none names no schema.
fn references(value: &Value, keys: &mut Vec<String>) {
    match value {
        Value::String(text) => keys.extend(key_of_reference(text)),
        Value::Array(items) => items.iter().for_each(|item| references(item, keys)),
        Value::Object(members) => members.values().for_each(|one| references(one, keys)),
        _ => {}
    }
}
