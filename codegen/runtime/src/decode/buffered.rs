//! A value that is kept until its type is known.
//!
//! Texts are borrowed from the input where it allows that. An object is the
//! list of its members in the order in which they came, repeated ones
//! included: the type that reads the value decides about those.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use json_schema::json::{NUMBER, Name, REFUSES_REPEATS};
use json_schema::number::decimal::Decimal;

/// A name and its value.
pub(crate) type Member<'de> = (Cow<'de, str>, Buffered<'de>);

/// The name under which a union asks for an object whose first member is the
/// one that it gives as the only field.
pub(crate) const NAMED_FIRST: &str = "$union";

/// A value as it was read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Buffered<'de> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A whole number.
    Unsigned(u64),
    /// A negative whole number.
    Signed(i64),
    /// Any other number that is the shortest text of a float.
    Float(f64),
    /// Any other number, as it was written.
    Number(Number),
    /// A string.
    Text(Cow<'de, str>),
    /// The items of an array.
    List(Vec<Buffered<'de>>),
    /// The members of an object.
    Object(Vec<(Cow<'de, str>, Buffered<'de>)>),
}

impl Buffered<'_> {
    /// Turns every number without a fraction into a whole one, as far as 64
    /// bits go.
    pub(crate) fn make_whole(&mut self) {
        let decimal = match self {
            Buffered::Float(value) => Decimal::of_f64(*value),
            Buffered::Number(number) => Decimal::of(number),
            Buffered::List(items) => return items.iter_mut().for_each(Self::make_whole),
            Buffered::Object(members) => {
                return members
                    .iter_mut()
                    .for_each(|(_, member)| member.make_whole());
            }
            _ => return,
        };
        if let Some(whole) = decimal.and_then(|decimal| decimal.to_i128()) {
            let negative = i64::try_from(whole).map(Buffered::Signed);
            let whole = u64::try_from(whole).map(Buffered::Unsigned).or(negative);
            *self = whole.unwrap_or_else(|_| std::mem::replace(self, Buffered::Null));
        }
    }

    /// As JSON; nothing where an object has a member twice.
    pub(crate) fn value(self) -> Option<Value> {
        Some(match self {
            Buffered::Null => Value::Null,
            Buffered::Bool(value) => value.into(),
            Buffered::Unsigned(value) => value.into(),
            Buffered::Signed(value) => value.into(),
            Buffered::Float(value) => value.into(),
            Buffered::Number(number) => Value::Number(number),
            Buffered::Text(text) => text.into_owned().into(),
            Buffered::List(items) => {
                let items = items.into_iter().map(Self::value);
                Value::Array(items.collect::<Option<_>>()?)
            }
            Buffered::Object(members) => {
                let mut object = Map::new();
                for (name, member) in members {
                    let before = object.insert(name.into_owned(), member.value()?);
                    if before.is_some() {
                        return None;
                    }
                }
                object.into()
            }
        })
    }

    /// The number, if it is one.
    pub(crate) fn number(&self) -> Option<Number> {
        match self {
            Buffered::Unsigned(value) => Some((*value).into()),
            Buffered::Signed(value) => Some((*value).into()),
            Buffered::Float(value) => Number::from_f64(*value),
            Buffered::Number(number) => Some(number.clone()),
            _ => None,
        }
    }
}

/// The number that an object stands for, if it does.
pub(crate) fn number_of(members: &[Member<'_>]) -> Option<Number> {
    let [(name, Buffered::Text(text))] = members else {
        return None;
    };
    text.parse().ok().filter(|_| name == NUMBER)
}

impl From<Value> for Buffered<'_> {
    fn from(value: Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(value),
            Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(value), _) => Self::Unsigned(value),
                (None, Some(value)) => Self::Signed(value),
                (None, None) => Self::Number(number),
            },
            Value::String(text) => Self::Text(text.into()),
            Value::Array(items) => Self::List(items.into_iter().map(Self::from).collect()),
            Value::Object(members) => Self::Object(
                members
                    .into_iter()
                    .map(|(name, member)| (name.into(), member.into()))
                    .collect(),
            ),
        }
    }
}

impl<'de> Deserialize<'de> for Buffered<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(REFUSES_REPEATS, BufferedVisitor)
    }
}

struct BufferedVisitor;

impl<'de> Visitor<'de> for BufferedVisitor {
    type Value = Buffered<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        inner: D,
    ) -> Result<Buffered<'de>, D::Error> {
        inner.deserialize_any(self)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Buffered<'de>, E> {
        Ok(Buffered::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Buffered<'de>, E> {
        Ok(Buffered::Unsigned(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Buffered<'de>, E> {
        Ok(Buffered::Signed(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Buffered<'de>, E> {
        Ok(Buffered::Float(value))
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<Buffered<'de>, E> {
        exact(Number::from_i128(value))
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<Buffered<'de>, E> {
        exact(Number::from_u128(value))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Buffered<'de>, E> {
        Ok(Buffered::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Buffered<'de>, E> {
        Ok(Buffered::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_string<E>(self, text: String) -> Result<Buffered<'de>, E> {
        Ok(Buffered::Text(Cow::Owned(text)))
    }

    fn visit_unit<E>(self) -> Result<Buffered<'de>, E> {
        Ok(Buffered::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Buffered<'de>, A::Error> {
        list(items)
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Buffered<'de>, A::Error> {
        object(members)
    }
}

/// The array of these items.
pub(crate) fn list<'de, A: SeqAccess<'de>>(mut items: A) -> Result<Buffered<'de>, A::Error> {
    let mut list = Vec::new();
    while let Some(item) = items.next_element()? {
        list.push(item);
    }
    Ok(Buffered::List(list))
}

/// The object of these properties, or the number that it stands for.
pub(crate) fn object<'de, A: MapAccess<'de>>(mut members: A) -> Result<Buffered<'de>, A::Error> {
    let mut object = Vec::new();
    while let Some(name) = members.next_key::<Name<'de>>()? {
        object.push((name.0, members.next_value()?));
    }
    let number = number_of(&object).map(Buffered::Number);
    Ok(number.unwrap_or(Buffered::Object(object)))
}

/// A number of more than 64 bits.
pub(crate) fn exact<'de, E: Error>(number: Option<Number>) -> Result<Buffered<'de>, E> {
    let number = number.map(Buffered::Number);
    number.ok_or_else(|| E::custom("the number has too many digits"))
}
