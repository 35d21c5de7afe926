//! Values and maps that see to it themselves that no name is there twice: what
//! they keep tells, so nothing else has to remember the names.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::buffered::{NUMBER, Name};
use super::json_single::{REPEATED, SEEN_TO};

/// The value of a whole text of JSON, none where it is none or has an object with a member twice.
pub(super) fn parse(text: &str) -> Option<Value> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Any.deserialize(&mut reader).ok()?;
    reader.end().ok().map(|()| value)
}

/// Any value.
pub(super) struct Any;

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

/// A map, whose values may not see to it themselves.
pub(super) struct Entries<T>(PhantomData<T>);

impl<T> Entries<T> {
    pub(super) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for Entries<T> {
    type Value = BTreeMap<String, T>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        // Nobody counts the members of a struct.
        deserializer.deserialize_struct("map", &[], self)
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
    type Value = BTreeMap<String, T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let mut entries = BTreeMap::new();
        while let Some(name) = members.next_key()? {
            match entries.entry(name) {
                Entry::Vacant(place) => _ = place.insert(members.next_value()?),
                Entry::Occupied(_) => return Err(A::Error::custom(REPEATED)),
            }
        }
        Ok(entries)
    }
}
