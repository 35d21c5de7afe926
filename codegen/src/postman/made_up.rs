//! Values that are made up where a request needs one and the contract has none: a required parameter or
//! field, and a body, which would be sent empty. They have no optional properties.

use crate::ir::{Api, Param, ParamLocation, ParamShape, Style};
use json_schema::reference::key_of_reference;
use sample::Samples;
use serde_json::{Map, Value, json};
use std::cell::{Cell, OnceCell};

/// Once so many times all schemas have been compiled for single values, all are compiled together.
const ALL_INSTEAD: usize = 4;

/// The key of a schema with a further keyword, which no document has.
const MORE: &str = "/more";

/// The source of such values.
pub(super) struct MadeUp<'a> {
    api: &'a Api,
    /// All schemas, where they are compiled together.
    all: OnceCell<Samples>,
    /// How many schemas have been compiled for single values.
    compiled: Cell<usize>,
}

impl<'a> MadeUp<'a> {
    pub(super) fn new(api: &'a Api) -> MadeUp<'a> {
        MadeUp {
            api,
            all: OnceCell::new(),
            compiled: Cell::new(0),
        }
    }

    /// The contract's value for a parameter, or a made-up one if it is required.
    pub(super) fn param(&self, param: &Param) -> Option<Value> {
        let known = self.api.example_of_param(param);
        let made_up = || {
            let required = param.field.required.then_some(&param.schema);
            let value = required.and_then(|key| self.value(key));
            match &value {
                // An empty list has no text.
                Some(Value::Array(items)) if items.is_empty() => self
                    .value_with(&param.schema, "minItems", 1.into())
                    .or(value),
                Some(Value::Object(members)) if !members.is_empty() => value,
                // Each property has a row of its own, for the reader to enable.
                None | Some(Value::Object(_)) => self.all_members(param).or(value),
                Some(_) => value,
            }
        };
        known.or_else(made_up)
    }

    /// An object with all properties that it declares, where each is a pair of the query.
    fn all_members(&self, param: &Param) -> Option<Value> {
        let ParamShape::Object(members) = &param.shape else {
            return None;
        };
        let is_spread = param.explode || param.style == Style::DeepObject;
        if members.is_empty() || !is_spread || param.place != ParamLocation::Query {
            return None;
        }
        let names = members.iter().map(String::as_str).collect::<Vec<_>>();
        let mut value = self.value_with(&param.schema, "required", names.into())?;
        let schema = self.api.schemas.get(&param.schema);
        for (name, value) in value.as_object_mut().into_iter().flatten() {
            let member = schema.and_then(|schema| schema.get("properties")?.get(name));
            let documented = member.and_then(|member| {
                let examples = member.get("examples").and_then(Value::as_array);
                let first = member
                    .get("example")
                    .or(examples.and_then(|all| all.first()));
                first.or(member.get("default"))
            });
            if let Some(documented) = documented {
                *value = documented.clone();
            }
        }
        Some(value)
    }

    /// A value of a schema with a further keyword.
    fn value_with(&self, key: &str, keyword: &str, operand: Value) -> Option<Value> {
        let mut schemas = reachable(&self.api.schemas, key);
        let schema = schemas.get(key)?.clone();
        let more = json!({ "allOf": [schema, { keyword: operand }] });
        schemas.insert(MORE.to_owned(), more);
        Samples::new(schemas).plainest(MORE)
    }

    /// The contract's value of a schema, or a made-up one.
    pub(super) fn schema(&self, key: &str) -> Option<Value> {
        let known = self.api.example_of_schema(key);
        known.or_else(|| self.value(key))
    }

    /// The schemas that a value depends on are compiled alone, because all of a large document take long and much
    /// memory; but in some documents nearly every schema depends on most others.
    fn value(&self, key: &str) -> Option<Value> {
        let schemas = &self.api.schemas;
        if self.compiled.get() > ALL_INSTEAD * schemas.len() {
            let all = self.all.get_or_init(|| Samples::new(schemas.clone()));
            return all.plainest(key);
        }
        let needed = reachable(schemas, key);
        self.compiled.set(self.compiled.get() + needed.len());
        Samples::new(needed).plainest(key)
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
