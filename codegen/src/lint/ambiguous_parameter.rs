//! A parameter that takes both a value and a list has one text for the value and for the list of it
//! alone (OpenAPI 3.1.1 §4.8.12.3): it is read as the value.
//!
//! The finding shows two such values, which have been checked against the schema. They need not be
//! equal: the text `1` may be the number 1, or a list of the string. Objects in brackets and JSON
//! tell lists from their items.

use super::Findings;
use super::subject::{Subject, types};
use crate::openapi::{Parameter, Style};
use sample::{CANDIDATES, Samples};
use serde_json::{Map, Value};
use std::cell::LazyCell;
use std::collections::BTreeSet;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let bundle = &subject.document.bundle;
    let samples = LazyCell::new(|| Samples::new(bundle.schemas().clone()));
    let mut seen = BTreeSet::new();
    let operations = subject.document.all_operations();
    for parameter in operations.flat_map(|operation| &operation.parameters) {
        let Some(schema) = bundle.get(&parameter.schema).filter(|_| is_text(parameter)) else {
            continue;
        };
        if !seen.insert(parameter.at.as_str().to_owned()) {
            continue;
        }
        let valid = samples
            .candidates([&*parameter.schema])
            .remove(&*parameter.schema);
        let valid = valid.unwrap_or_default();
        if !may_be_either(schema, &valid) {
            continue;
        }
        let takes = |value: &Value| samples.accepts(&parameter.schema, value);
        let both = |part: &Value| {
            let meanings = meanings(part);
            let alone = meanings.iter().find(|value| takes(value))?;
            let list = |value: &Value| Value::Array(vec![value.clone()]);
            let list = meanings.iter().map(list).find(takes)?;
            Some((alone.clone(), list))
        };
        let mut parts = valid.iter().flat_map(|sample| match sample {
            Value::Array(items) => items.as_slice(),
            one => std::slice::from_ref(one),
        });
        if let Some((alone, list)) = parts.find_map(both) {
            let message = format!(
                "the value `{list}` is serialized like `{alone}`, and is read as `{alone}`"
            );
            let help = "take a list alone, which may be of one item, or write the value as JSON: \
                        `content: { application/json: { schema } }`";
            findings.advise(&parameter.at, message, help);
        }
    }
}

/// Whether a schema may accept both lists and other values: its samples have both, or there are too
/// many of them, or it has no keyword that tells.
fn may_be_either(schema: &Value, samples: &[Value]) -> bool {
    const OTHERWISE: &[&str] = &["$ref", "allOf", "anyOf", "oneOf", "enum", "const"];
    let says = |members: &Map<String, Value>| {
        !types(members).is_empty() || OTHERWISE.iter().any(|name| members.contains_key(*name))
    };
    let lists = samples.iter().filter(|sample| sample.is_array()).count();
    let are_both = 0 < lists && lists < samples.len();
    are_both || samples.len() >= CANDIDATES || !schema.as_object().is_some_and(says)
}

/// The values that the text of a scalar may stand for, the scalar itself first; none for other
/// values.
fn meanings(part: &Value) -> Vec<Value> {
    let text = match part {
        Value::String(text) => text.clone(),
        Value::Bool(_) | Value::Number(_) => part.to_string(),
        Value::Null | Value::Array(_) | Value::Object(_) => return Vec::new(),
    };
    let read = serde_json::from_str::<Value>(&text).ok();
    let scalar = read.filter(|read| read.is_number() || read.is_boolean());
    let mut meanings = vec![part.clone()];
    meanings.extend(
        scalar
            .into_iter()
            .chain([Value::String(text)])
            .filter(|other| other != part),
    );
    meanings
}

/// Whether the style writes lists as texts.
fn is_text(parameter: &Parameter) -> bool {
    let style = parameter.style;
    style != Style::DeepObject && !style.is_json() && !style.is_whole_query()
}
