//! Writes parameter values by their style ([`json_schema::style`]): the client's
//! side of `param_text`.
//!
//! In paths, queries and cookies every octet outside RFC 3986's unreserved
//! characters is percent-encoded, so that a delimiter inside a value is never
//! taken for one between values; where the contract allows reserved characters,
//! those that are no delimiters stay as they are.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use crate::decode::param::{Param, ParamShape, Style};
use crate::decode::param_text;
use crate::http::captures;
use crate::http::query;
use json_schema::coerce::raw::Raw;
use json_schema::issue::Place;
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

/// Characters that mean something in a URL, and neither end the part that a
/// parameter is in nor stand between values there.
const PASSED: &AsciiSet = &RESERVED
    .remove(b':')
    .remove(b'@')
    .remove(b'!')
    .remove(b'$')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*');

/// The same in a query, which a path has ended before.
const PASSED_IN_QUERY: &AsciiSet = &PASSED.remove(b'/').remove(b'?').remove(b';');

/// The same where a text is the whole value.
const PASSED_IN_ONE_TEXT: &AsciiSet = &PASSED_IN_QUERY.remove(b',');

/// How a text is percent-encoded: wholly, or but for reserved characters (`allowReserved`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Encoding {
    #[default]
    Whole,
    Reserved,
}

/// The text of a path, header or cookie parameter, or of a query parameter
/// that is written once.
#[must_use]
pub(crate) fn single(param: &Param, value: &Value) -> String {
    single_by(Encoding::Whole, param, value)
}

/// The same in an encoding.
#[must_use]
pub(crate) fn single_by(encoding: Encoding, param: &Param, value: &Value) -> String {
    let encode = |text: &str| own_text(encoding, param, text);
    style::one_text((param.style, param.explode), param.name, value, encode)
}

/// The text of a path parameter, in which these characters are encoded as well.
#[must_use]
pub(crate) fn segment(encoding: Encoding, param: &Param, value: &Value, encoded: &str) -> String {
    let encode = |text: &str| {
        let written = text.chars().map(|c| match encoded.contains(c) {
            true => format!("%{:02X}", u32::from(c)),
            false => own_text(encoding, param, c.encode_utf8(&mut [0; 4])),
        });
        match encoded.is_empty() {
            true => own_text(encoding, param, text),
            false => written.collect(),
        }
    };
    style::one_text((param.style, param.explode), param.name, value, encode)
}

/// The pairs of a query parameter, or of a form's field that is written like one, encoded.
#[must_use]
pub(crate) fn query(param: &Param, value: &Value) -> Vec<(String, String)> {
    query_by(Encoding::Whole, param, value)
}

/// The same in an encoding.
#[must_use]
pub(crate) fn query_by(encoding: Encoding, param: &Param, value: &Value) -> Vec<(String, String)> {
    let encode = |text: &str| own_text(encoding, param, text);
    match param.shape {
        ParamShape::Form(_, fields) => style::form(value, style_in(fields), encode),
        _ => style::pairs((param.style, param.is_spread()), param.name, value, encode),
    }
}

/// The styles of fields by their names.
fn style_in(fields: &[Param]) -> impl Fn(&str) -> Option<(Style, bool)> {
    move |name| {
        let field = fields.iter().find(|field| field.name == name);
        field.map(|field| (field.style, field.is_spread()))
    }
}

/// The pairs of a cookie parameter, which has no encoding (style `cookie`).
pub(crate) fn cookies(param: &Param, value: &Value) -> Vec<(String, String)> {
    let style = (param.style, param.explode);
    style::pairs(style, param.name, value, str::to_owned)
}

/// Whether pairs of a cookie header are read as the texts that they are made of.
fn is_plain_cookie((name, text): &(String, String)) -> bool {
    let is_plain = |text: &str| {
        text.trim_ascii() == text && !text.contains(|c: char| c == ';' || c.is_control())
    };
    is_plain(name) && !name.contains('=') && is_plain(text)
}

/// Whether a value that is written as one text is read as the same texts again. Headers have no
/// encoding, blanks and bars are looked for after decoding, and one empty item is written as none.
#[must_use]
pub(crate) fn is_read_again(param: &Param, value: &Value) -> bool {
    let in_pairs = matches!(param.place, Place::Query | Place::Body);
    if let ParamShape::Form(_, fields) = param.shape {
        return is_form_read_again(value, fields);
    }
    if param.style == Style::Cookie {
        let is_plain = cookies(param, value).iter().all(is_plain_cookie);
        if !is_plain || (param.explode && param.shape != ParamShape::Scalar) {
            return is_plain;
        }
    }
    let is_told = param.style.is_json()
        || matches!(
            param.style,
            Style::DeepObject | Style::QueryForm | Style::QueryText
        );
    if is_told || (in_pairs && param.explode) {
        return true;
    }
    let text = single(param, value);
    let read = match param.place {
        Place::Header => param_text::single(param, text.trim_ascii(), param_text::verbatim),
        Place::Cookie if param.style == Style::Cookie => {
            param_text::single(param, &text, param_text::verbatim)
        }
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
    join(&style::form(value, style_in(styled), encode))
}

/// Whether the fields of a form are read as the same texts again, as far as they have a style. Null is
/// left out.
#[must_use]
pub(crate) fn is_form_read_again(value: &Value, styled: &[Param]) -> bool {
    styled.iter().all(|param| {
        let field = value.get(param.name).filter(|field| !field.is_null());
        field.is_none_or(|field| is_read_again(param, field))
    })
}

/// Pairs as a query string.
pub(crate) fn join(pairs: &[(String, String)]) -> String {
    pairs
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect::<Vec<_>>()
        .join("&")
}

/// A text as its place writes it: headers have no encoding, and cookies none in the style of theirs.
fn own_text(encoding: Encoding, param: &Param, text: &str) -> String {
    let set = match (encoding, param.place) {
        (_, Place::Header) => return text.to_owned(),
        _ if param.style == Style::Cookie => return text.to_owned(),
        (Encoding::Whole, _) => RESERVED,
        (Encoding::Reserved, Place::Query) if param.shape == ParamShape::Scalar => {
            PASSED_IN_ONE_TEXT
        }
        (Encoding::Reserved, Place::Query) => PASSED_IN_QUERY,
        (Encoding::Reserved, _) => PASSED,
    };
    utf8_percent_encode(text, set).to_string()
}
