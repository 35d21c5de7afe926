//! A parameter's value in its style (OpenAPI 3.1.1 §4.8.12.3).
//!
//! Nothing is percent-encoded here: Postman does that when it sends.

use super::sample::text;
use crate::ir::{Param, Style};
use json_schema::pairs;
use serde_json::Value;

/// The names and values that a parameter writes in a query or a cookie, or a field in a form.
pub(super) fn pairs(
    name: &str,
    (style, exploded): (Style, bool),
    value: &Value,
) -> Vec<(String, String)> {
    match (value, style) {
        (value, Style::Json) => vec![(name.to_owned(), value.to_string())],
        (value, Style::DeepObject) => pairs::deep_object(name, value),
        (Value::Object(members), _) if exploded => members
            .iter()
            .map(|(member, value)| (member.clone(), text(value)))
            .collect(),
        (Value::Array(items), _) if exploded && !items.is_empty() => items
            .iter()
            .map(|item| (name.to_owned(), text(item)))
            .collect(),
        (value, style) => {
            let separator = match style {
                Style::SpaceDelimited => " ",
                Style::PipeDelimited => "|",
                _ => ",",
            };
            vec![(name.to_owned(), flat(value).join(separator))]
        }
    }
}

/// The one text that a parameter writes in a path or a header.
pub(super) fn one_text(param: &Param, value: &Value) -> String {
    let name = &param.field.wire;
    match param.style {
        Style::Json => value.to_string(),
        Style::Label if param.explode => format!(".{}", exploded(value).join(".")),
        Style::Label => format!(".{}", flat(value).join(",")),
        Style::Matrix if param.explode => matrix(name, value),
        Style::Matrix => format!(";{name}={}", flat(value).join(",")),
        _ if param.explode => exploded(value).join(","),
        _ => flat(value).join(","),
    }
}

fn matrix(name: &str, value: &Value) -> String {
    let of_name = !value.is_object();
    let parts = exploded(value).into_iter();
    parts
        .map(|part| {
            if of_name {
                format!(";{name}={part}")
            } else {
                format!(";{part}")
            }
        })
        .collect()
}

/// Items, or names and values in turn.
fn flat(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => items.iter().map(text).collect(),
        Value::Object(members) => members
            .iter()
            .flat_map(|(member, value)| [member.clone(), text(value)])
            .collect(),
        scalar => vec![text(scalar)],
    }
}

/// Items, or `name=value` each.
fn exploded(value: &Value) -> Vec<String> {
    match value {
        Value::Object(members) => members
            .iter()
            .map(|(member, value)| format!("{member}={}", text(value)))
            .collect(),
        other => flat(other),
    }
}
