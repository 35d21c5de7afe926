//! The first stage: text to value.
//!
//! JSON goes through `serde_json`; everything else through `serde_yaml`, in a visitor of our own,
//! because a `serde_json::Value` cannot take YAML's integers beyond 64 bits, tags or keys that are
//! not strings.

mod merge_keys;
mod twice;

use crate::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
use crate::source::span::Lines;
use crate::source::{Pointer, Source};
use serde::de::{
    Deserialize, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use serde_json::map::Entry;
use serde_json::{Map, Number, Value};

/// Reads a document; the order of members is kept.
pub(crate) fn read(source: &Source) -> Result<Value, Diagnostics> {
    let text = source.body();
    let json = match serde_json::from_str(text) {
        Ok(Lifted(value)) => return Ok(value),
        Err(error) => error,
    };
    let is_json = text.trim_start().starts_with('{') && source.name.ends_with(".json");
    let (line, column, message) = if is_json {
        // A column of `serde_json` counts bytes, and the one that is wrong is the last it has read.
        (
            json.line(),
            json.column(),
            format!("this is not JSON: {json}"),
        )
    } else {
        match serde_yaml::from_str::<Lifted>(text) {
            Ok(Lifted(mut value)) => {
                merge_keys::apply(text, &mut value);
                return Ok(value);
            }
            Err(error) => {
                let place = error.location().map(|at| (at.line(), at.column()));
                let (line, column) = place.unwrap_or((1, 1));
                (line, column, format!("this is not YAML: {error}"))
            }
        }
    };
    let twice = twice::find(source);
    Err(if twice.is_empty() {
        syntax(text, line, column, message)
    } else {
        twice
    })
}

/// One problem with a text that cannot be read; the place is not repeated in the message.
fn syntax(text: &str, line: usize, column: usize, message: String) -> Diagnostics {
    let at = Lines::of(text).byte(line, column.saturating_sub(1));
    let place = format!(" at line {line} column {column}");
    let message = message.trim_end_matches(&place);
    let mut problem = Diagnostic::new(Code::Syntax, Severity::Error, &Pointer::default(), message);
    problem.span = Some(at..at);
    let mut found = Diagnostics::default();
    found.add(problem);
    found
}

/// A JSON value read from YAML or JSON; unlike [`Value`] it refuses a member that is there twice.
struct Lifted(Value);

impl<'de> Deserialize<'de> for Lifted {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Lift).map(Lifted)
    }
}

/// The number that an object stands for, if it does: so `serde_json` hands over those that no Rust
/// type keeps the digits of.
fn number_of(members: &Map<String, Value>) -> Option<Number> {
    let text = members.get("$serde_json::private::Number")?;
    text.as_str()?.parse().ok().filter(|_| members.len() == 1)
}

/// An object key; a number or a truth value stands for its text.
struct Key(String);

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Key)
    }
}

struct Lift;

impl<'de> Visitor<'de> for Lift {
    type Value = Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a YAML value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i128<E>(self, value: i128) -> Result<Value, E> {
        Ok(Number::from_i128(value).map_or(Value::Null, Value::Number))
    }

    fn visit_u128<E>(self, value: u128) -> Result<Value, E> {
        Ok(Number::from_u128(value).map_or(Value::Null, Value::Number))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(Lift)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut found = Vec::new();
        while let Some(Lifted(item)) = items.next_element()? {
            found.push(item);
        }
        Ok(Value::Array(found))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut found = Map::new();
        while let Some(Key(key)) = members.next_key()? {
            let Lifted(value) = members.next_value()?;
            match found.entry(key) {
                Entry::Vacant(place) => drop(place.insert(value)),
                // Both places are found by `twice`.
                Entry::Occupied(there) => {
                    let message = format!("the member `{}` stands here twice", there.key());
                    return Err(serde::de::Error::custom(message));
                }
            }
        }
        Ok(number_of(&found).map_or(Value::Object(found), Value::Number))
    }

    // A YAML tag (`!name value`) says nothing in JSON; its value does.
    fn visit_enum<A: EnumAccess<'de>>(self, tagged: A) -> Result<Value, A::Error> {
        let (_, content): (Key, _) = tagged.variant()?;
        content
            .newtype_variant::<Lifted>()
            .map(|Lifted(value)| value)
    }
}
