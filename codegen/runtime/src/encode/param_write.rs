//! Writes parameter values by their style ([`json_schema::style`]): the client's
//! side of `param_text`.
//!
//! In paths, queries and cookies every octet outside RFC 3986's unreserved
//! characters is percent-encoded, so that a delimiter inside a value is never
//! taken for one between values.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use crate::decode::param::{Param, Style};
use crate::decode::param_text;
use crate::http::captures;
use crate::http::query;
use json_schema::coerce::raw::Raw;
use json_schema::issue::Place;
use json_schema::pairs;
pub(crate) use json_schema::pairs::text;
use json_schema::style;

const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Percent-encodes a text wholly.
#[must_use]
pub(crate) fn encode(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

/// The text of a path, header or cookie parameter, or of a query parameter
/// that is written once.
#[must_use]
pub(crate) fn single(param: &Param, value: &Value) -> String {
    let encode = |text: &str| own_text(param, text);
    style::one_text((param.style, param.explode), param.name, value, encode)
}

/// The pairs of a query parameter, or of a form's field that is written like one, encoded.
#[must_use]
pub(crate) fn query(param: &Param, value: &Value) -> Vec<(String, String)> {
    style::pairs((param.style, param.is_spread()), param.name, value, encode)
}

/// Whether a value that is written as one text is read as the same texts again. Headers have no
/// encoding, blanks and bars are looked for after decoding, and one empty item is written as none.
#[must_use]
pub(crate) fn is_read_again(param: &Param, value: &Value) -> bool {
    let in_pairs = matches!(param.place, Place::Query | Place::Body);
    if matches!(param.style, Style::Json | Style::DeepObject) || (in_pairs && param.explode) {
        return true;
    }
    let text = single(param, value);
    let read = match param.place {
        Place::Header => param_text::single(param, text.trim_ascii(), param_text::verbatim),
        Place::Path | Place::Cookie => param_text::single(param, &text, captures::decode),
        Place::Query | Place::Body => param_text::single(param, &text, query::decode_form),
    };
    read.is_ok_and(|raw| is_text_of(&raw, value))
}

/// Whether texts are those of a value. In brackets, a list of objects has its indices for names.
pub(crate) fn is_text_of(raw: &Raw<'_>, value: &Value) -> bool {
    match (raw, value) {
        (Raw::List(texts), Value::Array(items)) => {
            let mut pairs = texts.iter().zip(items);
            let same =
                texts.len() == items.len() && pairs.all(|(text, item)| is_text_of(text, item));
            same && !has_null_beside_text(items)
        }
        (Raw::Map(texts), Value::Object(members)) => {
            let same = |(name, member): (&String, &Value)| {
                let text = texts.get(name.as_str());
                text.is_some_and(|text| is_text_of(text, member))
            };
            texts.len() == members.len() && members.iter().all(same)
        }
        (Raw::Map(texts), Value::Array(items)) => {
            let same = |(index, item): (usize, &Value)| {
                let text = texts.get(index.to_string().as_str());
                text.is_some_and(|text| is_text_of(text, item))
            };
            texts.len() == items.len() && items.iter().enumerate().all(same)
        }
        // A schema that takes lists takes one text for a list of one.
        (Raw::Text(written), Value::Array(items)) if items.len() == 1 => {
            *written == text(value) || items.iter().all(|item| is_text_of(raw, item))
        }
        (Raw::Text(written), _) => *written == text(value),
        _ => false,
    }
}

/// Whether a list has null, which is written as an empty text, and strings, of which that may be one.
#[must_use]
pub(crate) fn has_null_beside_text(items: &[Value]) -> bool {
    items.iter().any(Value::is_null) && items.iter().any(Value::is_string)
}

/// The pairs of a form (`application/x-www-form-urlencoded`), of which these fields have a style.
#[must_use]
pub(crate) fn form(value: &Value, styled: &[Param]) -> String {
    let mut pairs = Vec::new();
    for (name, member) in value.as_object().into_iter().flatten() {
        match styled.iter().find(|param| param.name == name) {
            // Only JSON has a text for it.
            Some(param) if member.is_null() && param.style != Style::Json => {}
            Some(param) => pairs.extend(query(param, member)),
            None => pairs.extend(pairs::form_field(name, member).into_iter().map(encoded)),
        }
    }
    join(&pairs)
}

/// Pairs as a query string.
pub(crate) fn join(pairs: &[(String, String)]) -> String {
    pairs
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect::<Vec<_>>()
        .join("&")
}

fn encoded((name, text): (String, String)) -> (String, String) {
    (encode(&name), encode(&text))
}

/// A text as its place writes it: headers have no encoding.
fn own_text(param: &Param, text: &str) -> String {
    if param.place == Place::Header {
        text.to_owned()
    } else {
        encode(text)
    }
}
