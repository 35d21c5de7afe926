//! Reads JSON in which no object has a member twice.
//!
//! Which of two members of one name counts would depend on the reader (RFC
//! 8259, section 4), so both are refused.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// The name of the only member of what stands for a number whose digits no
/// Rust type keeps: so `serde_json` hands it over, with its text as the
/// member, under the feature `arbitrary_precision`. An object that a caller
/// sends in this form cannot be told from it.
pub const NUMBER: &str = "$serde_json::private::Number";

/// The name under which a type that sees to it itself, however deep, asks for
/// a value.
pub const SEEN_TO: &str = "$seen-to";

/// What is said of an object that has a member twice.
pub const REPEATED: &str = "has an object with a member twice";

/// The value of a whole text of JSON, none where it is none or has an object with a member twice.
pub fn parse(text: &str) -> Option<Value> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Any.deserialize(&mut reader).ok()?;
    reader.end().ok().map(|()| value)
}

/// Any value.
pub struct Any;

impl<'de> DeserializeSeed<'de> for Any {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_newtype_struct(SEEN_TO, self)
    }
}

impl<'de> Visitor<'de> for Any {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Value, D::Error> {
        inner.deserialize_any(self)
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
        Ok(value.into())
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<Value, E> {
        number(Number::from_i128(value))
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<Value, E> {
        number(Number::from_u128(value))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<Value, D::Error> {
        inner.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Self)? {
            list.push(item);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(Name(name)) = members.next_key()? {
            let member = members.next_value_seed(Self)?;
            if let Value::String(digits) = &member
                && object.is_empty()
                && name == NUMBER
                && let Ok(number) = digits.parse()
            {
                return Ok(Value::Number(number));
            }
            if object.insert(name.into_owned(), member).is_some() {
                return Err(A::Error::custom(REPEATED));
            }
        }
        Ok(object.into())
    }
}

fn number<E: Error>(number: Option<Number>) -> Result<Value, E> {
    let number = number.map(Value::Number);
    number.ok_or_else(|| E::custom("the number has too many digits"))
}

/// The name of a member, lent by the input where it can.
pub struct Name<'de>(pub Cow<'de, str>);

impl<'de> Deserialize<'de> for Name<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(NameVisitor).map(Name)
    }
}

struct NameVisitor;

impl<'de> Visitor<'de> for NameVisitor {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E>(self, text: &str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Owned(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Owned(text))
    }
}
