//! Parameters whose texts do not tell alone what they are: those of a union,
//! which are now one text and now several, and what writes null or nothing.
//!
//! A text is taken for what it shows to be: members, or several items; then
//! for one text, and at last for a list of one item or none. The first of
//! these that the schema accepts is the value. So `1,2` is a list wherever
//! lists are taken, `1` the item rather than the list of it, and a string
//! with an encoded comma a string. The client sends what is read again so.

use serde_json::Value;

use super::captures;
use super::equality::equal;
use super::issue::Place;
use super::param::{Param, Shape, Style};
use super::param_text::{self, Flaw};
use super::param_write;
use super::query::{self, Pair};
use super::raw::Raw;
use super::raw_value::{self, Objects};
use super::schema::Schemas;
use super::schema_type::JsonType;

/// What a parameter of these shapes may be taken for, the likeliest first;
/// nothing where it is absent. `take` reads it as one of the shapes.
pub(super) fn readings<'a>(
    param: &Param,
    shapes: &[Shape],
    take: impl Fn(&Param) -> Result<Option<Raw<'a>>, Flaw>,
) -> Result<Vec<Raw<'a>>, Flaw> {
    let (mut shown, mut others, mut flaw) = (Vec::new(), Vec::new(), None);
    for shape in shapes {
        match take(&param.with(*shape)) {
            Ok(None) => {}
            Ok(Some(raw)) if is_shown(&raw) => shown.push(raw),
            Ok(Some(raw)) => others.push(raw),
            Err(found) => flaw = Some(found),
        }
    }
    if is_apart(param) {
        lone(param, &mut shown, !others.is_empty())?;
    }
    shown.reverse();
    shown.append(&mut others);
    match flaw {
        Some(flaw) if shown.is_empty() => Err(flaw),
        _ => Ok(shown),
    }
}

/// Whether members or items are there to be seen.
fn is_shown(raw: &Raw<'_>) -> bool {
    match raw {
        Raw::List(items) => items.len() > 1,
        Raw::Map(members) => !members.is_empty(),
        Raw::Text(_) | Raw::Json(_) => false,
    }
}

/// Whether members have names of their own and everything else the parameter's.
fn is_apart(param: &Param) -> bool {
    param.is_spread() || (param.explode && param.style == Style::Matrix)
}

/// Where the parameter's own name is there, that is no member's, and there are no others.
fn lone(param: &Param, shown: &mut Vec<Raw<'_>>, mut named: bool) -> Result<(), Flaw> {
    named |= shown.iter().any(|raw| matches!(raw, Raw::List(_)));
    let mut other = false;
    shown.retain(|raw| match raw {
        Raw::Map(members) if named => {
            other |= members.keys().any(|name| name != param.name);
            false
        }
        _ => true,
    });
    if other { Err(Flaw::Repeated) } else { Ok(()) }
}

/// The value of the first reading that is accepted, or else of the first one;
/// `None` where there is none.
pub(super) fn meant(readings: &[Raw<'_>], admitted: &JsonType<'_>) -> Option<Value> {
    let value = |raw: &Raw<'_>| raw_value::value(raw, admitted, Objects::AsJson);
    let mut accepted = readings.iter().map(value);
    let accepted = accepted.find(|value| admitted.accepts(value));
    accepted.or_else(|| readings.first().map(value))
}

/// What becomes of a value that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sent {
    /// It is read again.
    Same,
    /// Another value is read.
    Other,
    /// Nothing is written.
    Nothing,
}

/// What is read where the client has written `value`. A list of one is what its
/// item is, where either is taken.
pub(super) fn sent(param: &Param, value: &Value, schemas: &Schemas) -> Sent {
    let in_pairs = matches!(param.place, Place::Query | Place::Body);
    if in_pairs && param_write::query(param, value).is_empty() {
        return Sent::Nothing;
    }
    if matches!(param.style, Style::Json | Style::DeepObject) {
        return Sent::Same;
    }
    let admitted = schemas.json_type(param.schema);
    let text = match in_pairs {
        true => param_write::join(&param_write::query(param, value)),
        false => param_write::single(param, value),
    };
    let pairs: Vec<_> = query::pairs(if in_pairs { &text } else { "" }).collect();
    let take = |one: &Param| match one.place {
        Place::Path | Place::Cookie => param_text::single(one, &text, captures::decode).map(Some),
        Place::Header => param_text::single(one, text.trim_ascii(), param_text::verbatim).map(Some),
        Place::Query | Place::Body => from_pairs(one, &pairs, &admitted),
    };
    let readings = match &param.shape {
        Shape::AnyOf(shapes) => readings(param, shapes, take),
        _ => take(param).map(|raw| raw.into_iter().collect()),
    };
    let read = readings
        .ok()
        .and_then(|readings| meant(&readings, &admitted));
    let is_same = read.is_some_and(|read| match value {
        Value::Array(items) if !read.is_array() => {
            matches!(&items[..], [item] if equal(&read, item))
        }
        _ => equal(&read, value),
    });
    if is_same { Sent::Same } else { Sent::Other }
}

fn from_pairs<'a>(
    param: &Param,
    pairs: &[Pair<'a>],
    admitted: &JsonType<'_>,
) -> Result<Option<Raw<'a>>, Flaw> {
    match param.shape {
        Shape::Object(_) if param.is_spread() && admitted.is_open() => {
            param_text::members(pairs, |_| true)
        }
        _ => param_text::from_query(param, pairs),
    }
}
