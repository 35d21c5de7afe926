//! How values come to the schemas that judge them: as they are, or read from texts.

use super::exchange::texts;
use super::fields::Fields;
use super::view::View;
use json_schema::coerce::raw::Raw;
use json_schema::coerce::{self, Objects};
use serde_json::Value;
use std::borrow::Cow;

/// How a value travels.
#[derive(Clone, Copy)]
pub(super) enum Travels<'k> {
    /// As JSON.
    Json,
    /// As a text that is read by its schema, as parameters do.
    Text(Lists),
    /// As bytes, of which schemas say nothing that could be compared.
    Bytes,
    /// As a form: the fields as they are sent, and as they are expected.
    Form(&'k Fields, &'k Fields),
}

/// How lists and objects are written where texts are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lists {
    /// Each item as a text of its own, so that nothing is written where there is none.
    Apart,
    /// As one text, with that between the items.
    Joined(&'static str),
}

/// Whether a schema accepts a value as it arrives.
pub(super) fn accepts(view: &View, key: Option<&str>, travels: Travels<'_>, value: &Value) -> bool {
    let is_apart = matches!(travels, Travels::Text(Lists::Apart));
    let is_written = !is_apart || !is_of_nothing(value);
    is_written && key.is_none_or(|key| view.accepts(key, &arriving(view, key, travels, value)))
}

/// Whether a value is a list or an object, and has no parts.
fn is_of_nothing(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

/// A value as a schema reads it.
pub(super) fn arriving<'v>(
    view: &View,
    key: &str,
    travels: Travels<'_>,
    value: &'v Value,
) -> Cow<'v, Value> {
    let raw = match travels {
        Travels::Json | Travels::Bytes => return Cow::Borrowed(value),
        Travels::Text(Lists::Joined(between)) => match joined(value, between) {
            Some(text) if !view.takes_parts(key) => Raw::Text(Cow::Owned(text)),
            _ => written(value),
        },
        Travels::Text(Lists::Apart) => written(value),
        Travels::Form(fields, _) => fields.written(value),
    };
    Cow::Owned(coerce::value(
        &raw,
        &view.compiled().json_type(key),
        Objects::ByMember,
    ))
}

/// A list or an object as one text.
fn joined(value: &Value, between: &str) -> Option<String> {
    let has_parts = value.is_array() || value.is_object();
    has_parts.then(|| texts(value).join(between))
}

/// A value as texts; a list of one text is written like that text, and one of an object is not that object.
pub(super) fn written(value: &Value) -> Raw<'static> {
    match value {
        Value::Array(items) => match items.as_slice() {
            [only] if !only.is_object() => written(only),
            items => Raw::List(items.iter().map(written).collect()),
        },
        Value::Object(members) => {
            let members = members.iter();
            Raw::Map(
                members
                    .map(|(name, member)| (Cow::Owned(name.clone()), written(member)))
                    .collect(),
            )
        }
        Value::String(text) => Raw::Text(Cow::Owned(text.clone())),
        Value::Null => Raw::Text(Cow::Borrowed("")),
        other => Raw::Text(Cow::Owned(other.to_string())),
    }
}
