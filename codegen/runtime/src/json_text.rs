//! Bytes that should be JSON, when the typed decode refused them.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::error::Category;
use serde_json::{Map, Number, Value};

use super::buffered::NUMBER;
use super::fault::Fault;

/// The value of a JSON text (RFC 8259) in which no object has a member twice.
///
/// # Errors
/// [`Fault::Json`] with the place and what is wrong there.
pub(super) fn parse(bytes: &[u8]) -> Result<Value, Fault> {
    if std::str::from_utf8(bytes).is_err() {
        return Err(Fault::Json {
            reason: "is not UTF-8",
            line: 0,
            column: 0,
        });
    }
    let read = serde_json::from_slice(bytes).map(|Single(value)| value);
    read.map_err(|error| Fault::Json {
        reason: reason(&error),
        line: error.line(),
        column: error.column(),
    })
}

fn reason(error: &serde_json::Error) -> &'static str {
    let said = error.to_string();
    match error.classify() {
        Category::Eof => "ends too early",
        _ if said.starts_with("recursion limit") => "is nested too deeply",
        _ if said.starts_with("number out of range") => "has a number beyond the range of a double",
        _ if said.starts_with(REPEATED) => REPEATED,
        _ if said.starts_with("trailing characters") => "goes on after the value",
        _ => "is not JSON",
    }
}

/// What is said of an object that has a member twice: which of the two counts would depend on the
/// reader (RFC 8259, section 4).
const REPEATED: &str = "has an object with a member twice";

/// A value without repeated members.
struct Single(Value);

impl<'de> Deserialize<'de> for Single {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SingleVisitor).map(Single)
    }
}

struct SingleVisitor;

impl<'de> Visitor<'de> for SingleVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
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

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut read = Vec::new();
        while let Some(Single(item)) = items.next_element()? {
            read.push(item);
        }
        Ok(read.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut read = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            let Single(value) = members.next_value()?;
            if read.insert(name, value).is_some() {
                return Err(A::Error::custom(REPEATED));
            }
        }
        Ok(number_of(&read).map_or(Value::Object(read), Value::Number))
    }
}

/// The number that an object stands for, if it does; see [`NUMBER`].
fn number_of(members: &Map<String, Value>) -> Option<Number> {
    let text = members.get(NUMBER).filter(|_| members.len() == 1)?;
    text.as_str()?.parse().ok()
}
