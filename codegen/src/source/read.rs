//! The first stage: text to value.
//!
//! JSON goes through `serde_json`; everything else through `serde_yaml`, in a visitor of our own,
//! because a `serde_json::Value` cannot take YAML's integers beyond 64 bits, tags or keys that are
//! not strings.

mod duplicates;
mod merge_keys;
mod numbers;
mod scalars;

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::span::Lines;
use crate::source::{Pointer, Source};
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use serde_json::map::Entry;
use serde_json::{Map, Number, Value};

/// How deep lists and objects may be nested: as deep as `serde_json` reads them.
const MAX_DEPTH: usize = 127;

/// The error of `serde_json` for deeper nesting, and the message that we print for it.
const TOO_DEEP: &str = "recursion limit exceeded";

/// The error of `serde_yaml` for a text of several documents (YAML 1.2.2 §9.2).
const MORE_DOCUMENTS: &str = "more than one document";

/// The error of `serde_yaml` for aliases that expand to too much.
const REPEATED: &str = "repetition limit exceeded";

/// Reads a document; the order of members is kept.
pub(crate) fn read(source: &Source) -> Result<Value, Diagnostics> {
    let text = source.body();
    let json = match serde_json::from_str(text) {
        Ok(UniqueKeys(value)) => return Ok(value),
        Err(error) => error,
    };
    let is_json = text.trim_start().starts_with('{') && source.name.ends_with(".json");
    let (line, column, form, message) = if is_json {
        // `serde_json` counts columns in bytes, and the wrong byte is the last that it has read.
        (json.line(), json.column(), "JSON", json.to_string())
    } else {
        match serde_yaml::from_str::<UniqueKeys>(text) {
            Ok(UniqueKeys(mut value)) => {
                // Merging changes the order of the scalars.
                numbers::apply(text, &mut value);
                merge_keys::apply(text, &mut value);
                return Ok(value);
            }
            Err(error) => {
                let place = error.location().map(|at| (at.line(), at.column()));
                let (line, column) = place.unwrap_or((1, 1));
                (line, column, "YAML", error.to_string())
            }
        }
    };
    if message.contains(TOO_DEEP) {
        let message = format!("lists and objects are nested more than {MAX_DEPTH} deep");
        return Err(unread(Code::Unsupported, text, line, column, &message));
    }
    if message.contains(MORE_DOCUMENTS) {
        let (line, column) = second_document(text).unwrap_or((line, column));
        let message = "a file must hold one document, and this begins another one";
        return Err(unread(Code::Syntax, text, line, column, message));
    }
    if message.contains(REPEATED) {
        let message = "the aliases of this document stand for too many values";
        return Err(unread(Code::Unsupported, text, line, column, message));
    }
    let duplicates = duplicates::find(source);
    Err(if duplicates.is_empty() {
        // The place is not repeated in the message.
        let message = message.trim_end_matches(&format!(" at line {line} column {column}"));
        let message = format!("this is not {form}: {message}");
        unread(Code::Syntax, text, line, column, &message)
    } else {
        duplicates
    })
}

/// The line and the column at which the second document of a text begins: its first marker that
/// stands behind anything but comments and directives.
fn second_document(text: &str) -> Option<(usize, usize)> {
    let mut lines = text.lines().enumerate();
    lines.find(|(_, line)| !line.trim().is_empty() && !line.starts_with(['#', '%']))?;
    let (line, _) = lines.find(|(_, line)| line.trim_end() == "---" || line.starts_with("--- "))?;
    Some((line + 1, 1))
}

/// One problem with a text that cannot be read.
fn unread(code: Code, text: &str, line: usize, column: usize, message: &str) -> Diagnostics {
    let at = Lines::of(text).byte(line, column.saturating_sub(1));
    let mut problem = Diagnostic::new(code, &Pointer::default(), message);
    problem.span = Some(at..at);
    let mut diagnostics = Diagnostics::default();
    diagnostics.add(problem);
    diagnostics
}

/// A JSON value read from YAML or JSON; unlike [`Value`] it refuses a member that stands twice.
struct UniqueKeys(Value);

impl<'de> Deserialize<'de> for UniqueKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        ValueVisitor { depth: 0 }
            .deserialize(deserializer)
            .map(UniqueKeys)
    }
}

/// The number that an object stands for, if it does: `serde_json` hands over numbers of arbitrary
/// precision as such objects.
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

/// Reads a value that is nested so deep in lists and objects.
#[derive(Clone, Copy)]
struct ValueVisitor {
    depth: usize,
}

impl ValueVisitor {
    /// Fails if the nesting is too deep; YAML may be nested no deeper than JSON.
    fn inner<E: Error>(self) -> Result<Self, E> {
        let depth = self.depth + 1;
        let inner = (depth <= MAX_DEPTH).then_some(Self { depth });
        inner.ok_or_else(|| E::custom(TOO_DEEP))
    }
}

impl<'de> DeserializeSeed<'de> for ValueVisitor {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueVisitor {
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
        self.deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let inner = self.inner()?;
        let mut values = Vec::new();
        while let Some(item) = items.next_element_seed(inner)? {
            values.push(item);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let inner = self.inner()?;
        let mut object = Map::new();
        while let Some(Key(key)) = members.next_key()? {
            let value = members.next_value_seed(inner)?;
            match object.entry(key) {
                Entry::Vacant(place) => drop(place.insert(value)),
                // Both places are found by `duplicates`.
                Entry::Occupied(there) => {
                    let message = format!("the member `{}` stands here twice", there.key());
                    return Err(Error::custom(message));
                }
            }
        }
        Ok(number_of(&object).map_or(Value::Object(object), Value::Number))
    }

    // A YAML tag (`!name value`) has no meaning in JSON; its value has.
    fn visit_enum<A: EnumAccess<'de>>(self, tagged: A) -> Result<Value, A::Error> {
        let (_, content): (Key, _) = tagged.variant()?;
        content.newtype_variant_seed(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(name: &str, depth: usize) -> Result<Value, Diagnostics> {
        read(&Source {
            name: name.into(),
            text: format!("{}{}", "[".repeat(depth), "]".repeat(depth)),
        })
    }

    #[test]
    fn yaml_is_read_as_deep_as_json() {
        for name in ["t.json", "t.yaml"] {
            assert!(nested(name, MAX_DEPTH).is_ok(), "{name}");
            let found = nested(name, MAX_DEPTH + 1).unwrap_err();
            let codes: Vec<Code> = found.iter().map(|problem| problem.code).collect();
            assert_eq!(codes, [Code::Unsupported], "{name}");
        }
    }
}
