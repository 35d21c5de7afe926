//! Parameters whose texts do not tell alone what they are: those of a union,
//! which are now one text and now several, and what writes null or nothing.
//!
//! A text is taken for what it shows to be: members, or several items; then
//! for one text, for a list of one item or none, and at last for members that
//! are not declared, where nothing shows that they are some. The first of these
//! that the schema accepts is the value. So `1,2` is a list wherever lists are
//! taken, `1` the item rather than the list of it, and a string with an encoded
//! comma a string. The client sends what is read again so, or as the item of a
//! list of one.

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

/// What a parameter of these shapes may be taken for, the likeliest first;
/// nothing where it is absent. `take` reads it as one of the shapes.
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
                // A text of the path is there whatever it names; a pair is there by its name.
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

/// Whether members or items are there to be seen. Where names and values only take turns, as in
/// `x,1`, names are those that are declared: any list of an even length is like them otherwise.
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

/// Whether members have names of their own and everything else the parameter's.
fn is_apart(param: &Param) -> bool {
    param.is_spread() || (param.explode && param.style == Style::Matrix)
}

/// Where the parameter's own name is there, that is no member's, there are no members.
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

/// The value of the first reading that is accepted, or else of the first one;
/// `None` where there is none.
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

/// What becomes of a value that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sent {
    /// It is read again.
    Same,
    /// Another value is read.
    Other,
    /// Nothing is written.
    Nothing,
}

/// What is read where the client has written `value`. A list of one is what its
/// item is, where either is taken.
pub(crate) fn sent(param: &Param, value: &Value, schemas: &Schemas) -> Sent {
    let in_pairs = matches!(param.place, Place::Query | Place::Body);
    if in_pairs && param_write::query(param, value).is_empty() {
        return Sent::Nothing;
    }
    if param.style == Style::Json {
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
        // What nothing is said of may look like a number; its text is what is kept.
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

/// A value without its members that are nothing: brackets have no form for null, nor for lists and
/// objects of nothing.
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
