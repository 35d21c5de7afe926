//! Schemas in words: a line where they are used, a table where they are defined.

use super::text::{cell, code, paragraph, row};
use crate::names;
use crate::schema::order;
use json_schema::issue::counted;
use json_schema::reference::key_of_reference;
use serde_json::{Map, Value};

/// How deep nested schemas are described in one line.
const MAX_DEPTH: usize = 4;

/// Bounds, with the words before their value, and what they count.
const BOUNDS: [(&str, &str, &str); 11] = [
    ("minimum", "at least ", ""),
    ("exclusiveMinimum", "more than ", ""),
    ("maximum", "at most ", ""),
    ("exclusiveMaximum", "less than ", ""),
    ("multipleOf", "a multiple of ", ""),
    ("minLength", "at least ", "character"),
    ("maxLength", "at most ", "character"),
    ("minItems", "at least ", "item"),
    ("maxItems", "at most ", "item"),
    ("minProperties", "at least ", "member"),
    ("maxProperties", "at most ", "member"),
];

/// The schema of a key in one line: a link to a component, or a description.
pub(super) fn of_key(schemas: &Map<String, Value>, key: &str) -> String {
    if key.contains('/') {
        schemas
            .get(key)
            .map_or_else(String::new, |schema| line(schema, MAX_DEPTH))
    } else {
        link(key)
    }
}

/// The section of a component.
pub(super) fn described(out: &mut String, schema: &Value) {
    paragraph(out, text(schema, "description"));
    paragraph(out, &format!("{}.", line(schema, MAX_DEPTH)));
    let required = names(schema);
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return;
    };
    out.push_str("\n| member | type | required | meaning |\n|---|---|---|---|\n");
    for (name, property) in properties {
        let mark = if required.contains(&name.as_str()) {
            "yes"
        } else {
            ""
        };
        let meaning = cell(text(property, "description"));
        row(
            out,
            [
                &code(name),
                &cell(&line(property, MAX_DEPTH)),
                mark,
                &meaning,
            ],
        );
    }
}

fn names(schema: &Value) -> Vec<&str> {
    let listed = schema.get("required").and_then(Value::as_array);
    listed
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

fn text<'s>(schema: &'s Value, keyword: &str) -> &'s str {
    schema
        .get(keyword)
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// The name of a reference's target; only components have a heading.
fn referred(key: &str) -> String {
    if key.contains('/') {
        code(&names::of_key(key))
    } else {
        link(key)
    }
}

/// The anchor of a heading with this name.
fn link(name: &str) -> String {
    let kept = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let anchor: String = name.chars().filter(|c| kept(*c)).collect();
    format!("[{name}](#{})", anchor.to_lowercase())
}

fn line(schema: &Value, depth: usize) -> String {
    let members = match schema {
        Value::Bool(false) => return "nothing".into(),
        Value::Object(members) if !members.is_empty() => members,
        _ => return "any value".into(),
    };
    if depth == 0 {
        return "…".into();
    }
    let mut words = Vec::new();
    if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
        words.extend(key_of_reference(reference).map(|key| referred(&key)));
    }
    words.extend(of_type(members, depth));
    for (keyword, before) in [
        ("allOf", "all of "),
        ("anyOf", "any of "),
        ("oneOf", "one of "),
    ] {
        if let Some(parts) = members.get(keyword).and_then(Value::as_array) {
            let parts: Vec<_> = parts.iter().map(|part| line(part, depth - 1)).collect();
            words.push(format!("{before}{}", parts.join(", ")));
        }
    }
    if let Some(value) = members.get("const") {
        words.push(code(&value.to_string()));
    }
    if let Some(values) = members.get("enum").and_then(Value::as_array) {
        let values: Vec<_> = values
            .iter()
            .map(|value| code(&value.to_string()))
            .collect();
        words.push(format!("one of {}", values.join(", ")));
    }
    for (keyword, before, noun) in BOUNDS {
        if let Some(bound) = members.get(keyword) {
            let count = bound.as_u64().filter(|_| !noun.is_empty());
            let bound = count.map_or_else(|| bound.to_string(), |count| counted(count, noun));
            words.push(format!("{before}{bound}"));
        }
    }
    words.extend(of_items(members));
    if let Some(pattern) = members.get("pattern").and_then(Value::as_str) {
        words.push(format!("matching {}", code(pattern)));
    }
    if members.get("additionalProperties") == Some(&Value::Bool(false)) {
        words.push("without other members".into());
    }
    if words.is_empty() {
        "any value".into()
    } else {
        words.join(", ")
    }
}

/// The order and the uniqueness of a list's items.
fn of_items(members: &Map<String, Value>) -> Vec<String> {
    let mut words = Vec::new();
    let keys = order::order(members).unwrap_or_default();
    let keys: Vec<_> = keys
        .iter()
        .map(|key| {
            let numeric = if key.numeric { " as a number" } else { "" };
            let descending = if key.descending { " descending" } else { "" };
            format!("{}{numeric}{descending}", code(&key.by))
        })
        .collect();
    if !keys.is_empty() {
        words.push(format!("ordered by {}", keys.join(" and then ")));
    }
    let places = order::unique(members).unwrap_or_default();
    let places: Vec<_> = places.iter().map(|place| code(place)).collect();
    if !places.is_empty() {
        words.push(format!("no two with the same {}", places.join(" and ")));
    }
    words
}

/// The types, with the format and the items of a list.
fn of_type(members: &Map<String, Value>, depth: usize) -> Option<String> {
    let types: Vec<&str> = match members.get("type")? {
        Value::String(name) => vec![name],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => return None,
    };
    let mut words = types.join(" or ");
    if let Some(format) = members.get("format").and_then(Value::as_str) {
        words.push_str(&format!(" ({format})"));
    }
    if let Some(items) = members.get("items") {
        words.push_str(&format!(" of {}", line(items, depth - 1)));
    }
    Some(words)
}
