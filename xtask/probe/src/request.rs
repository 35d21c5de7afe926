//! Values as requests carry them, in every style of OpenAPI.

use super::contract::{Field, Operation, Place};
use serde_json::Value;

/// The boundary of `multipart/form-data`.
const BOUNDARY: &str = "probe-boundary";

/// Writes a request of an operation with these values; `None` where a field is left out.
pub(super) fn write(operation: &Operation, values: &[(&Field, Option<Value>)]) -> Vec<u8> {
    let mut path = operation.path.clone();
    let (mut query, mut headers, mut cookies) = (Vec::new(), Vec::new(), Vec::new());
    let mut body = Vec::new();
    for (field, value) in values {
        let Some(value) = value else { continue };
        match field.place {
            Place::Path => {
                path = path.replace(&format!("{{{}}}", field.name), &in_path(field, value));
            }
            Place::Query => query.extend(in_query(field, value)),
            Place::Header => {
                headers.push(format!("{}: {}", field.name, simple(field, value, &plain)))
            }
            Place::Cookie => cookies.push(format!("{}={}", field.name, encoded(&plain(value)))),
            Place::Json => {
                body = media(
                    &mut headers,
                    "application/json",
                    value.to_string().into_bytes(),
                )
            }
            Place::Form => {
                let pairs = members(value).flat_map(|(name, member)| repeated(&name, &member));
                let text = pairs.collect::<Vec<_>>().join("&");
                body = media(
                    &mut headers,
                    "application/x-www-form-urlencoded",
                    text.into_bytes(),
                );
            }
            Place::Multipart => {
                let media_type = format!("multipart/form-data; boundary={BOUNDARY}");
                body = media(&mut headers, &media_type, multipart(value));
            }
        }
    }
    if !cookies.is_empty() {
        headers.push(format!("cookie: {}", cookies.join("; ")));
    }
    let mark = if query.is_empty() { "" } else { "?" };
    let target = format!("{path}{mark}{}", query.join("&"));
    raw(&operation.method, &target, &headers, &body)
}

/// A request for a new connection.
pub(super) fn raw(method: &str, target: &str, headers: &[String], body: &[u8]) -> Vec<u8> {
    let mut text =
        format!("{method} {target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n");
    for header in headers {
        text += &format!("{header}\r\n");
    }
    if !body.is_empty() {
        text += &format!("content-length: {}\r\n", body.len());
    }
    text += "\r\n";
    [text.as_bytes(), body].concat()
}

fn media(headers: &mut Vec<String>, media_type: &str, body: Vec<u8>) -> Vec<u8> {
    headers.push(format!("content-type: {media_type}"));
    body
}

/// The text of a scalar.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Percent-encoding of everything that could mean something.
pub(super) fn encoded(text: &str) -> String {
    let encode = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(encode).collect()
}

fn scalar(value: &Value) -> String {
    encoded(&plain(value))
}

fn members(value: &Value) -> impl Iterator<Item = (String, Value)> {
    value.as_object().cloned().unwrap_or_default().into_iter()
}

fn joined(value: &Value, between: &str, text: &dyn Fn(&Value) -> String) -> Option<String> {
    let items: Vec<String> = value.as_array()?.iter().map(text).collect();
    Some(items.join(between))
}

fn simple(field: &Field, value: &Value, text: &dyn Fn(&Value) -> String) -> String {
    let sign = if field.explode { '=' } else { ',' };
    match value {
        Value::Object(_) => {
            let pairs =
                members(value).map(|(name, member)| format!("{name}{sign}{}", text(&member)));
            pairs.collect::<Vec<_>>().join(",")
        }
        _ => joined(value, ",", text).unwrap_or_else(|| text(value)),
    }
}

fn in_path(field: &Field, value: &Value) -> String {
    let own = |value: &Value| format!(";{}={}", field.name, scalar(value));
    match (field.style.as_str(), value) {
        ("label", Value::Array(_)) if field.explode => {
            format!(".{}", joined(value, ".", &scalar).unwrap_or_default())
        }
        ("label", _) => format!(".{}", simple(field, value, &scalar)),
        ("matrix", Value::Array(_)) if field.explode => joined(value, "", &own).unwrap_or_default(),
        ("matrix", _) => own(value),
        _ => simple(field, value, &scalar),
    }
}

fn in_query(field: &Field, value: &Value) -> Vec<String> {
    let name = &field.name;
    let between = match field.style.as_str() {
        "spaceDelimited" => "%20",
        "pipeDelimited" => "%7C",
        _ => ",",
    };
    match (field.style.as_str(), value) {
        ("json", _) => vec![format!("{name}={}", encoded(&value.to_string()))],
        ("deepObject", Value::Object(_)) => members(value)
            .map(|(member, value)| format!("{name}%5B{member}%5D={}", scalar(&value)))
            .collect(),
        (_, Value::Array(_)) if !field.explode => {
            vec![format!(
                "{name}={}",
                joined(value, between, &scalar).unwrap_or_default()
            )]
        }
        _ => repeated(name, value),
    }
}

/// A pair for each item.
fn repeated(name: &str, value: &Value) -> Vec<String> {
    let pair = |value: &Value| format!("{name}={}", scalar(value));
    match value.as_array() {
        Some(items) => items.iter().map(pair).collect(),
        None => vec![pair(value)],
    }
}

fn multipart(value: &Value) -> Vec<u8> {
    let mut text = String::new();
    for (name, member) in members(value) {
        let file = if name == "file" {
            "; filename=\"f\""
        } else {
            ""
        };
        let json = if member.is_object() {
            "content-type: application/json\r\n"
        } else {
            ""
        };
        text += &format!(
            "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{name}\"{file}\r\n{json}\r\n{}\r\n",
            plain(&member)
        );
    }
    (text + &format!("--{BOUNDARY}--\r\n")).into_bytes()
}
