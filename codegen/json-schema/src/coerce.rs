//! Reads raw text as the JSON value that a schema takes it for: the slow path
//! of parameters and forms.
//!
//! Where a schema admits several types, the most specific reading wins: null
//! (for an empty text, unless it may be a string), then a boolean, then a
//! number, and a string only when none of these fits. Of the branches of a
//! union, the types of the intended one count: where names and constants do not
//! identify it, the first whose reading is valid. A text that is written
//! once may also be a list of one: it is, where the schema takes that and not
//! the text alone. Objects for which a style has no form, such as the items of
//! a list in a query, and lists of objects are texts of JSON; in parameters, so
//! are lists that are members or items.

mod branches;
pub mod raw;

use std::cell::Cell;

use serde_json::{Map, Number, Value};

use crate::coerce::branches::Evidence;
use crate::coerce::raw::Raw;
use crate::json;
use crate::types::Types;
use crate::validator::json_type::JsonType;

/// How objects are written where a string is taken too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Objects {
    /// Member by member, as in forms, where a text like JSON is a string.
    ByMember,
    /// As JSON, as in parameters.
    AsJson,
}

/// The greatest effort to find the branches of unions that take a text: the
/// schemas that are visited, and the texts that are read again. Beyond it, a
/// form is read by the types that all branches admit.
const EFFORT: usize = 1 << 17;

/// The effort of reading one text again, in schemas.
const TEXT: usize = 16;

/// The value of `raw` where a schema admits `admitted`.
#[must_use]
pub fn value(raw: &Raw<'_>, admitted: &JsonType<'_>, objects: Objects) -> Value {
    let left = Cell::new(EFFORT);
    Reading { objects, left }.value(raw, admitted)
}

/// One reading of one text.
struct Reading {
    objects: Objects,
    /// The rest of [`EFFORT`].
    left: Cell<usize>,
}

impl Reading {
    /// The value of `raw` under the intended branch of each union.
    fn value(&self, raw: &Raw<'_>, admitted: &JsonType<'_>) -> Value {
        if admitted.is_certain() {
            return self.typed(raw, admitted);
        }
        let evidence = Evidence::new(raw);
        let meant = admitted.branches_for(&evidence);
        let value = self.typed(raw, &meant);
        if meant.is_certain() || admitted.accepts(&value) {
            return value;
        }
        self.tried(raw, &evidence, &meant, admitted)
            .unwrap_or(value)
    }

    /// The first value, of those that the branches make of `raw`, which `admitted` accepts.
    fn tried(
        &self,
        raw: &Raw<'_>,
        evidence: &Evidence<'_>,
        meant: &JsonType<'_>,
        admitted: &JsonType<'_>,
    ) -> Option<Value> {
        for branch in meant.alternatives() {
            if !self.may_spend(branch.size()) {
                break;
            }
            let branch = branch.branches_for(evidence);
            if !evidence.are_new_to(&branch) {
                continue;
            }
            let found = if !branch.is_certain() {
                self.tried(raw, evidence, &branch, admitted)
            } else if self.may_spend(texts(raw).saturating_mul(TEXT)) {
                Some(self.typed(raw, &branch)).filter(|value| admitted.accepts(value))
            } else {
                None
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Whether anything is left to do this with, which then is less.
    fn may_spend(&self, effort: usize) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(effort));
        left > 0
    }

    /// The value of `raw` where everything may hold that is admitted.
    fn typed(&self, raw: &Raw<'_>, admitted: &JsonType<'_>) -> Value {
        match raw {
            Raw::Text(text) => once(text, admitted, self.objects),
            Raw::List(items) => self.array(items, admitted),
            Raw::Json(value) => value.clone(),
            Raw::Map(members) if admitted.types().contains(Types::OBJECT) => {
                let members = members.iter();
                let members = members.map(|(name, member)| {
                    (
                        name.to_string(),
                        self.inner(member, &admitted.property(name)),
                    )
                });
                Value::Object(members.collect())
            }
            Raw::Map(members) => self.indexed(
                members.iter().map(|(name, item)| (name.as_ref(), item)),
                admitted,
            ),
        }
    }

    fn array<'r>(
        &self,
        items: impl IntoIterator<Item = &'r Raw<'r>>,
        admitted: &JsonType<'_>,
    ) -> Value {
        let items = items.into_iter().enumerate();
        let items = items.map(|(index, item)| self.inner(item, &admitted.item(index)));
        Value::Array(items.collect())
    }

    /// The value of an item or a member. In a parameter, a list has no other form there than JSON,
    /// unless a text that looks like JSON is accepted as a text.
    fn inner(&self, raw: &Raw<'_>, admitted: &JsonType<'_>) -> Value {
        let is_told = self.objects == Objects::AsJson && admitted.types().contains(Types::ARRAY);
        let json = match raw {
            Raw::Text(text) if is_told => list(text),
            _ => None,
        };
        let Some(json) = json else {
            return self.value(raw, admitted);
        };
        if admitted.accepts(&json) {
            return json;
        }
        let text = self.value(raw, admitted);
        if admitted.accepts(&text) { text } else { json }
    }

    /// An array that was written with indices: `a[0]=x&a[1]=y`. Names that are
    /// no indices leave an object, which the schema then refuses.
    fn indexed<'r>(
        &self,
        members: impl Iterator<Item = (&'r str, &'r Raw<'r>)>,
        admitted: &JsonType<'_>,
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
        self.array(items.into_iter().map(|(_, item)| item), admitted)
    }
}

/// How many texts there are in one.
fn texts(raw: &Raw<'_>) -> usize {
    match raw {
        Raw::Text(_) | Raw::Json(_) => 1,
        Raw::List(items) => items.iter().map(texts).sum::<usize>() + 1,
        Raw::Map(members) => members.values().map(texts).sum::<usize>() + 1,
    }
}

/// A text that is there once: alone, or as the only item of a list.
fn once(text: &str, admitted: &JsonType<'_>, objects: Objects) -> Value {
    let types = admitted.types();
    let alone = alone(text, admitted, objects);
    if !types.contains(Types::ARRAY) || admitted.accepts(&alone) {
        return alone;
    }
    let items = admitted.item(0).types();
    let of_objects = !items.contains(Types::STRING) && items.contains(Types::OBJECT);
    if of_objects && let Some(list) = list(text) {
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

/// The list that a text of JSON is.
fn list(text: &str) -> Option<Value> {
    let text = text.starts_with('[').then_some(text)?;
    json::parse(text)
}

/// A text that is one value: the most specific that its schema does not refuse.
fn alone(text: &str, admitted: &JsonType<'_>, objects: Objects) -> Value {
    let types = admitted.types();
    let value = scalar(text, types, objects);
    if value.is_string() || !types.contains(Types::STRING) || admitted.accepts(&value) {
        return value;
    }
    let string = Value::String(text.to_owned());
    if admitted.accepts(&string) {
        string
    } else {
        value
    }
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
        && let Some(object) = json::parse(text)
    {
        return object;
    }
    Value::String(text.to_owned())
}
