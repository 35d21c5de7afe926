//! Values taken from the contract; a value that it does not give is left empty.

use crate::ir::{Api, Example, Param, SeenHeader};
use crate::message::{essence, is_json, is_xml};
use json_schema::reference::key_in;
use serde_json::Value;

/// How many references are followed to a value; this ends cycles.
const DEPTH: usize = 16;

/// The value of a parameter: its first example, else its schema's.
pub(super) fn of_param(api: &Api, param: &Param) -> Option<Value> {
    first(&param.examples)
        .or_else(|| param.default.clone())
        .or_else(|| of_schema(api, &param.schema))
}

/// The value of a response header.
pub(super) fn of_header(api: &Api, header: &SeenHeader) -> Option<Value> {
    first(&header.examples).or_else(|| of_schema(api, &header.schema))
}

/// A value in the schema of a key: an example, a default, a constant or a choice.
pub(super) fn of_schema(api: &Api, key: &str) -> Option<Value> {
    let mut key = key.to_owned();
    for _ in 0..DEPTH {
        let schema = api.schemas.get(&key)?;
        if let Some(value) = named_by(schema) {
            return Some(value.clone());
        }
        key = key_in(schema)?;
    }
    None
}

fn named_by(schema: &Value) -> Option<&Value> {
    let first_of = |keyword: &str| schema.get(keyword)?.as_array()?.first();
    first_of("examples")
        .or_else(|| schema.get("example"))
        .or_else(|| schema.get("default"))
        .or_else(|| schema.get("const"))
        .or_else(|| first_of("enum"))
}

fn first(examples: &[Example]) -> Option<Value> {
    examples.first().map(|example| example.value.clone())
}

/// A value as the text of a table: strings as they are, everything else as JSON.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A value as a body of that media type: JSON on several lines, strings of other types as they are.
pub(super) fn body_text(media_type: &str, value: &Value) -> String {
    match value {
        Value::String(text) if preview_language(media_type) != "json" => text.clone(),
        other => format!("{other:#}"),
    }
}

/// The language by which Postman colours a body.
pub(super) fn preview_language(media_type: &str) -> &'static str {
    if is_json(media_type) {
        "json"
    } else if is_xml(media_type) {
        "xml"
    } else if essence(media_type) == "text/html" {
        "html"
    } else {
        "text"
    }
}
