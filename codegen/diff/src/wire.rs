//! How values are written in messages, and how a schema reads them.

mod form_fields;
mod param;
mod request_line;

pub(crate) use form_fields::{Declared, Field, FormFields, encoding};
pub(crate) use param::{Param, style_phrase};
pub(crate) use request_line::RequestLine;

use json_schema::coerce::{Objects, raw::Raw};
use json_schema::types::Types;
use sample::Bundle;
use serde_json::Value;
use std::borrow::Cow;

/// How a value is written.
#[derive(Clone, Copy)]
pub(crate) enum WireFormat<'k> {
    /// As JSON.
    Json,
    /// As text that is read by its schema, like a parameter.
    Text(ListFormat),
    /// As bytes, which schemas do not describe.
    Bytes,
    /// As a form: the fields as they are sent, and as they are expected.
    Form(&'k FormFields, &'k FormFields),
}

/// How lists and objects are written as text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListFormat {
    /// Each item as a text of its own, so that an empty list is written as nothing.
    Separate,
    /// As one text, with a delimiter between the items.
    Joined(&'static str),
}

/// Whether a schema accepts a value as it is read from a message; no schema accepts everything.
pub(crate) fn accepts(
    bundle: &Bundle,
    key: Option<&str>,
    format: WireFormat<'_>,
    value: &Value,
) -> bool {
    let is_separate = matches!(format, WireFormat::Text(ListFormat::Separate));
    let is_written = !is_separate || !has_no_parts(value);
    is_written && key.is_none_or(|key| bundle.accepts(key, &read(bundle, key, format, value)))
}

/// Whether a value is a list or an object without parts.
fn has_no_parts(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

/// A value as a schema reads it from a message.
pub(crate) fn read<'v>(
    bundle: &Bundle,
    key: &str,
    format: WireFormat<'_>,
    value: &'v Value,
) -> Cow<'v, Value> {
    let raw = match format {
        WireFormat::Json | WireFormat::Bytes => return Cow::Borrowed(value),
        WireFormat::Text(ListFormat::Joined(delimiter)) => match joined(value, delimiter) {
            Some(text) if !bundle.takes_any(key, &[Types::ARRAY, Types::OBJECT]) => {
                Raw::Text(Cow::Owned(text))
            }
            _ => raw_text(value),
        },
        WireFormat::Text(ListFormat::Separate) => raw_text(value),
        WireFormat::Form(fields, _) => fields.write(value),
    };
    Cow::Owned(bundle.coerce(key, &raw, Objects::ByMember))
}

/// A list or an object as one text.
fn joined(value: &Value, delimiter: &str) -> Option<String> {
    let has_parts = value.is_array() || value.is_object();
    has_parts.then(|| request_line::texts_of(value).join(delimiter))
}

/// A value as texts; a list with one text is written like that text.
fn raw_text(value: &Value) -> Raw<'static> {
    match value {
        Value::Array(items) => match items.as_slice() {
            [only] if !only.is_object() => raw_text(only),
            items => Raw::List(items.iter().map(raw_text).collect()),
        },
        Value::Object(members) => {
            let members = members.iter();
            let members =
                members.map(|(name, member)| (Cow::Owned(name.clone()), raw_text(member)));
            Raw::Map(members.collect())
        }
        Value::String(text) => Raw::Text(Cow::Owned(text.clone())),
        Value::Null => Raw::Text(Cow::Borrowed("")),
        other => Raw::Text(Cow::Owned(other.to_string())),
    }
}
