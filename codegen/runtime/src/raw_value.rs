//! Reads raw text as the JSON value that a schema takes it for: the slow path
//! of parameters and forms.
//!
//! Where a schema admits several types, the most specific reading wins: null
//! (for an empty text, unless it may be a string), then a boolean, then a
//! number, and a string only when none of these fits. A text that is written
//! once may also be a list of one: it is, where the schema takes that and not
//! the text alone. Objects for which a style has no form, such as the items of
//! a list in a query, and lists of objects are texts of JSON.

use serde_json::{Map, Number, Value};

use super::raw::Raw;
use super::schema_type::JsonType;
use super::type_set::Types;

/// How objects are written where a string is taken too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Objects {
    /// Member by member, as in forms: what looks like JSON is a string there.
    ByMember,
    /// As JSON, as in parameters.
    AsJson,
}

/// The value of `raw` where a schema admits `admitted`.
#[must_use]
pub fn value(raw: &Raw<'_>, admitted: &JsonType<'_>, objects: Objects) -> Value {
    match raw {
        Raw::Text(text) => once(text, admitted, objects),
        Raw::List(items) => array(items, admitted, objects),
        Raw::Json(value) => value.clone(),
        Raw::Map(members) => {
            if admitted.types().contains(Types::OBJECT) {
                let members = members.iter();
                let members = members.map(|(name, member)| {
                    (
                        name.to_string(),
                        value(member, &admitted.property(name), objects),
                    )
                });
                return Value::Object(members.collect());
            }
            indexed(
                members.iter().map(|(name, item)| (name.as_ref(), item)),
                admitted,
                objects,
            )
        }
    }
}

/// A text that is there once: alone, or as the only item of a list.
fn once(text: &str, admitted: &JsonType<'_>, objects: Objects) -> Value {
    let types = admitted.types();
    let alone = scalar(text, types, objects);
    if !types.contains(Types::ARRAY) || admitted.accepts(&alone) {
        return alone;
    }
    let items = admitted.item(0).types();
    let of_objects = !items.contains(Types::STRING) && items.contains(Types::OBJECT);
    if of_objects
        && text.starts_with('[')
        && let Ok(list) = serde_json::from_str(text)
    {
        return list;
    }
    let listed = Value::Array(vec![scalar(text, items, objects)]);
    let no_text = alone.is_string() && !types.contains(Types::STRING);
    if no_text || admitted.accepts(&listed) {
        listed
    } else {
        alone
    }
}

fn array(items: &[Raw<'_>], admitted: &JsonType<'_>, objects: Objects) -> Value {
    let items = items.iter().enumerate();
    Value::Array(
        items
            .map(|(index, item)| value(item, &admitted.item(index), objects))
            .collect(),
    )
}

/// An array that was written with indices: `a[0]=x&a[1]=y`. Names that are
/// no indices leave an object, which the schema then refuses.
fn indexed<'r>(
    members: impl Iterator<Item = (&'r str, &'r Raw<'r>)>,
    admitted: &JsonType<'_>,
    objects: Objects,
) -> Value {
    let mut items = Vec::new();
    let mut object = Map::new();
    for (name, item) in members {
        match name.parse::<usize>() {
            Ok(index) => items.push((index, item)),
            Err(_) => _ = object.insert(name.to_owned(), Value::Null),
        }
    }
    if !object.is_empty() {
        return Value::Object(object);
    }
    items.sort_by_key(|(index, _)| *index);
    let items = items.into_iter().enumerate();
    Value::Array(
        items
            .map(|(index, (_, item))| value(item, &admitted.item(index), objects))
            .collect(),
    )
}

fn scalar(text: &str, types: Types, objects: Objects) -> Value {
    let string_or = |types: Types| types.contains(Types::STRING);
    if text.is_empty() && types.contains(Types::NULL) && !string_or(types) {
        return Value::Null;
    }
    if types.contains(Types::BOOLEAN)
        && let Ok(value) = text.parse::<bool>()
    {
        return Value::Bool(value);
    }
    if types.contains(Types::INTEGER)
        && let Ok(number) = serde_json::from_str::<Number>(text)
        && text.trim_ascii().len() == text.len()
    {
        return Value::Number(number);
    }
    if types.contains(Types::OBJECT)
        && (objects == Objects::AsJson || !string_or(types))
        && text.starts_with('{')
        && let Ok(object) = serde_json::from_str(text)
    {
        return object;
    }
    Value::String(text.to_owned())
}
