//! Closes the contract's schemas of responses, so that undeclared members are found.
//!
//! Objects in responses are open in the contract, so that clients tolerate new members. The server must
//! still send declared members only, which the closed schemas check.

use serde_json::{Map, Value};

/// The document's schemas, in which each object is closed at its use.
pub fn close_components(root: &Value) -> Value {
    let schemas = root["components"]["schemas"].as_object().unwrap();
    let closed = schemas
        .iter()
        .map(|(name, schema)| (name.clone(), close_inside(schema)));
    Value::Object(closed.collect())
}

/// Closes a schema: adds `unevaluatedProperties: false`, so that it allows declared members only, at
/// every depth.
///
/// A part of a composition is not closed by itself, because it does not know its siblings' members.
pub fn close(schema: &Value) -> Value {
    let mut closed = close_inside(schema);
    if let Some(keywords) = closed.as_object_mut() {
        keywords
            .entry("unevaluatedProperties")
            .or_insert(Value::Bool(false));
    }
    closed
}

fn close_inside(schema: &Value) -> Value {
    let Some(keywords) = schema.as_object() else {
        return schema.clone();
    };
    let inside = |(keyword, value): (&String, &Value)| {
        let value = match keyword.as_str() {
            "properties" => close_members(value),
            "items" => close(value),
            "allOf" | "oneOf" | "anyOf" => parts(value),
            _ => value.clone(),
        };
        (keyword.clone(), value)
    };
    Value::Object(keywords.iter().map(inside).collect())
}

fn close_members(properties: &Value) -> Value {
    let members = properties.as_object().into_iter().flatten();
    let closed: Map<_, _> = members
        .map(|(name, schema)| (name.clone(), close(schema)))
        .collect();
    Value::Object(closed)
}

fn parts(schemas: &Value) -> Value {
    schemas
        .as_array()
        .into_iter()
        .flatten()
        .map(close_inside)
        .collect()
}
