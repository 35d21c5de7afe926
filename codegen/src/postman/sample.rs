//! Values of the contract as texts; a value that it does not give is left empty.

use crate::ir::example::first;
use crate::ir::{Api, SeenHeader};
use crate::message::{essence, is_json, is_xml};
use serde_json::Value;

/// The value of a response header.
pub(super) fn of_header(api: &Api, header: &SeenHeader) -> Option<Value> {
    first(&header.examples).or_else(|| api.example_of_schema(&header.schema))
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
