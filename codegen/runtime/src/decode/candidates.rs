//! Parameters that can be read in several ways: those of a union, which may be
//! one text or several, and texts that may stand for null or for nothing.
//!
//! The ways are tried in this order: as members or several items, if the text
//! shows them; as one text; as a list of one item or none; and as members that
//! are not declared. The first that the schema accepts is the value. So `1,2` is
//! a list if lists are accepted, `1` is the item rather than a list of it, and a
//! text with an encoded comma is a string. The client sends only values that are
//! read again as themselves, or as the only item of a list.

use serde_json::Value;

use crate::decode::param::{Param, ParamShape, Style};
use crate::decode::param_text::{self, Flaw};
use crate::encode::param_write;
use crate::http::captures;
use crate::http::query::{self, Pair};
use json_schema::coerce;
use json_schema::coerce::raw::Raw;
use json_schema::equality::equal;
use json_schema::issue::Place;
use json_schema::validator::Schemas;
use json_schema::validator::json_type::JsonType;

/// The readings of a parameter of these shapes, the likeliest first; none if it
/// is absent. `take` reads it as one of the shapes.
pub(crate) fn readings<'a>(
    param: &Param,
    shapes: &[ParamShape],
    take: impl Fn(&Param) -> Result<Option<Raw<'a>>, Flaw>,
) -> Result<Vec<Raw<'a>>, Flaw> {
    let (mut shown, mut others, mut flaw) = (Vec::new(), Vec::new(), None);
    let mut is_named = false;
    for shape in shapes {
        let is_object = matches!(shape, ParamShape::Object(_));
        let taken = take(&param.with(*shape));
        is_named |= !is_object
            && match taken {
                Ok(ref raw) => raw.is_some(),
                // A pair that cannot be read has the parameter's name all the same; a text has none.
                Err(_) => param.is_spread(),
            };
        match taken {
            Ok(None) => {}
            Ok(Some(raw)) if is_shown(param, shape, &raw) => shown.push(raw),
            Ok(Some(raw)) => others.push(raw),
            Err(found) => flaw = Some(found),
        }
    }
    if is_named && is_apart(param) && !param.shape.declares(param.name) {
        without_members(param, &mut shown)?;
    }
    shown.reverse();
    shown.append(&mut others);
    match flaw {
        Some(flaw) if shown.is_empty() => Err(flaw),
        _ => Ok(shown),
    }
}

/// The readings of a path's, a header's or a cookie's text.
pub(crate) fn of_text<'a>(param: &Param, text: &'a str) -> Result<Vec<Raw<'a>>, Flaw> {
    of_any(param, |one| match one.place {
        Place::Header => param_text::single(one, text.trim_ascii(), param_text::verbatim).map(Some),
        _ if one.style == Style::Cookie => {
            param_text::single(one, text, param_text::verbatim).map(Some)
        }
        _ => param_text::single(one, text, captures::decode).map(Some),
    })
}

/// The readings of a parameter of one shape, which is one, or of several.
fn of_any<'a>(
    param: &Param,
    take: impl Fn(&Param) -> Result<Option<Raw<'a>>, Flaw>,
) -> Result<Vec<Raw<'a>>, Flaw> {
    match param.shape {
        ParamShape::AnyOf(shapes) => readings(param, shapes, take),
        _ => take(param).map(|raw| raw.into_iter().collect()),
    }
}

/// Whether the text itself shows members or several items. If names and values alternate, as in
/// `x,1`, all names must be declared, because any list of an even length looks the same.
fn is_shown(param: &Param, shape: &ParamShape, raw: &Raw<'_>) -> bool {
    match raw {
        Raw::List(items) => items.len() > 1,
        Raw::Map(members) => {
            let mut names = members.keys();
            let is_marked = param.is_spread() || (param.explode && param.style != Style::Form);
            !members.is_empty() && (is_marked || names.all(|name| shape.declares(name)))
        }
        Raw::Text(_) | Raw::Json(_) => false,
    }
}

/// Whether members are sent under their own names, and any other value under the parameter's.
fn is_apart(param: &Param) -> bool {
    param.is_spread() || (param.explode && param.style == Style::Matrix)
}

/// If the query has the parameter's own name, which is no member's, removes the readings as members;
/// members under other names are then an error.
fn without_members(param: &Param, shown: &mut Vec<Raw<'_>>) -> Result<(), Flaw> {
    let mut others = false;
    shown.retain(|raw| match raw {
        Raw::Map(members) => {
            others |= members.keys().any(|name| name != param.name);
            false
        }
        _ => true,
    });
    if others { Err(Flaw::Repeated) } else { Ok(()) }
}

/// The value of the first reading that the schema accepts, or else of the first
/// reading; `None` if there is none.
pub(crate) fn chosen(
    param: &Param,
    readings: &[Raw<'_>],
    admitted: &JsonType<'_>,
) -> Option<Value> {
    let value = |raw: &Raw<'_>| coerce::value(raw, admitted, param.objects());
    let mut accepted = readings.iter().map(value);
    let accepted = accepted.find(|value| admitted.accepts(value));
    accepted.or_else(|| readings.first().map(value))
}

/// Whether the schema accepts what a path's, a header's or a cookie's text is read as.
pub(crate) fn fits(param: &Param, text: &str, schemas: &Schemas) -> bool {
    let readings = of_text(param, text).unwrap_or_default();
    let value = chosen(param, &readings, &schemas.json_type(param.schema));
    value.is_some_and(|value| schemas.is_valid(param.schema, &value))
}

/// How a value is read again after it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sent {
    /// It is read again.
    Same,
    /// Another value is read.
    Other,
    /// Nothing is written.
    Nothing,
}

/// How `value` is read again after the client has written it. A list of one item
/// may be read as the item.
pub(crate) fn sent(param: &Param, value: &Value, schemas: &Schemas) -> Sent {
    let in_pairs = matches!(param.place, Place::Query | Place::Body);
    if in_pairs && param_write::query(param, value).is_empty() {
        return Sent::Nothing;
    }
    if param.style.is_json() {
        return Sent::Same;
    }
    let admitted = schemas.json_type(param.schema);
    let text = match in_pairs {
        true => param_write::join(&param_write::query(param, value)),
        false => param_write::single(param, value),
    };
    let pairs: Vec<_> = query::pairs(if in_pairs { &text } else { "" }).collect();
    let readings = match in_pairs {
        true => of_any(param, |one| from_pairs(one, &pairs, &admitted)),
        false => of_text(param, &text),
    };
    let readings = readings.unwrap_or_default();
    let read = chosen(param, &readings, &admitted);
    let is_same = read.is_some_and(|read| match value {
        // An undeclared parameter keeps its text, even if it looks like a number.
        _ if param.style == Style::DeepObject => {
            let is_kept = admitted.accepts(&read) || !admitted.accepts(value);
            let value = something(value);
            let mut texts = readings.iter();
            is_kept && texts.any(|raw| param_write::is_text_of(raw, &value))
        }
        Value::Array(items) if !read.is_array() => {
            matches!(&items[..], [item] if equal(&read, item))
        }
        _ => equal(&read, value),
    });
    if is_same { Sent::Same } else { Sent::Other }
}

/// A value without null members and empty lists and objects, which cannot be written in brackets.
fn something(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let members = members
                .iter()
                .map(|(name, it)| (name.clone(), something(it)));
            let members = members.filter(|(_, it)| match it {
                Value::Array(items) => !items.is_empty(),
                Value::Object(members) => !members.is_empty(),
                it => !it.is_null(),
            });
            Value::Object(members.collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(something).collect()),
        _ => value.clone(),
    }
}

fn from_pairs<'a>(
    param: &Param,
    pairs: &[Pair<'a>],
    admitted: &JsonType<'_>,
) -> Result<Option<Raw<'a>>, Flaw> {
    match param.has_any_names(admitted) && !matches!(param.shape, ParamShape::AnyOf(_)) {
        true => param_text::members(pairs, |_| true),
        false => param_text::from_query(param, pairs),
    }
}
