//! Whole numbers without bounds, as JSON Schema's `integer` has them.
//!
//! `1.0` and `1e30` are integers too. A number of 64 bits is kept as one; any
//! other keeps its digits.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Number;

use json_schema::number::decimal::Decimal;

/// A whole number of any size.
///
/// It is made of Rust's integers by `into`, and compared with them as it is;
/// `try_from` and [`Integer::as_i64`] lead back.
///
/// ```ignore
/// let count = Integer::from(3);
/// assert!(count < 5 && i64::try_from(&count) == Ok(3));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Integer(Size);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Size {
    Small(i64),
    /// A number that `Small` does not hold.
    Large(Box<Decimal>),
}

/// The number has a fraction, or is beyond the range that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfRange;

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the number is not a whole one in this range")
    }
}

impl std::error::Error for OutOfRange {}

impl Integer {
    /// The number, where 64 bits and a sign hold it.
    #[must_use]
    pub const fn as_i64(&self) -> Option<i64> {
        match &self.0 {
            Size::Small(value) => Some(*value),
            Size::Large(_) => None,
        }
    }

    /// The number, where 128 bits and a sign hold it.
    #[must_use]
    pub fn as_i128(&self) -> Option<i128> {
        match &self.0 {
            Size::Small(value) => Some((*value).into()),
            Size::Large(value) => value.to_i128(),
        }
    }

    /// The number with all its digits.
    pub(crate) fn decimal(&self) -> Decimal {
        match &self.0 {
            Size::Small(value) => i128::from(*value).into(),
            Size::Large(value) => (**value).clone(),
        }
    }

    /// The whole number that a decimal is.
    fn of(value: Decimal) -> Result<Self, OutOfRange> {
        if !value.is_integer() {
            return Err(OutOfRange);
        }
        let small = value.to_i128().and_then(|value| value.try_into().ok());
        Ok(Self(match small {
            Some(value) => Size::Small(value),
            None => Size::Large(Box::new(value)),
        }))
    }
}

impl Default for Integer {
    fn default() -> Self {
        Self(Size::Small(0))
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Size::Small(value) => fmt::Display::fmt(value, f),
            Size::Large(value) => fmt::Display::fmt(value, f),
        }
    }
}

impl fmt::Debug for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Integer {
    type Err = OutOfRange;

    /// Reads a number as JSON writes it.
    fn from_str(text: &str) -> Result<Self, OutOfRange> {
        let number = text.parse::<Number>().map_err(|_| OutOfRange)?;
        Self::of(Decimal::of(&number).ok_or(OutOfRange)?)
    }
}

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Integer {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Size::Small(own), Size::Small(other)) => own.cmp(other),
            _ => self.decimal().cmp(&other.decimal()),
        }
    }
}

impl PartialEq<i64> for Integer {
    fn eq(&self, other: &i64) -> bool {
        self.as_i64() == Some(*other)
    }
}

impl PartialOrd<i64> for Integer {
    fn partial_cmp(&self, other: &i64) -> Option<Ordering> {
        Some(self.cmp(&Self::from(*other)))
    }
}

impl From<i64> for Integer {
    fn from(value: i64) -> Self {
        Self(Size::Small(value))
    }
}

impl From<i128> for Integer {
    fn from(value: i128) -> Self {
        Self(match value.try_into() {
            Ok(value) => Size::Small(value),
            Err(_) => Size::Large(Box::new(value.into())),
        })
    }
}

macro_rules! made_of {
    ($($own:ty as $wide:ty),*) => {$(
        impl From<$own> for Integer {
            fn from(value: $own) -> Self {
                <$wide>::from(value).into()
            }
        }
    )*};
}

macro_rules! back {
    ($($own:ty)*) => {$(
        impl TryFrom<&Integer> for $own {
            type Error = OutOfRange;

            fn try_from(value: &Integer) -> Result<Self, OutOfRange> {
                let value = value.as_i128().ok_or(OutOfRange)?;
                value.try_into().map_err(|_| OutOfRange)
            }
        }

        impl TryFrom<Integer> for $own {
            type Error = OutOfRange;

            fn try_from(value: Integer) -> Result<Self, OutOfRange> {
                (&value).try_into()
            }
        }
    )*};
}

made_of! { i8 as i64, i16 as i64, i32 as i64, u8 as i64, u16 as i64, u32 as i64, u64 as i128 }
back! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 usize }

impl Serialize for Integer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Size::Small(value) => serializer.serialize_i64(*value),
            Size::Large(value) => {
                let number: Number = value
                    .to_string()
                    .parse()
                    .map_err(serde::ser::Error::custom)?;
                number.serialize(serializer)
            }
        }
    }
}

/// The name under which an integer is asked for: a text that is no JSON hands
/// over the number that it writes.
pub(crate) const NAME: &str = "$integer";

impl<'de> Deserialize<'de> for Integer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(NAME, Reading)
    }
}

struct Reading;

impl<'de> serde::de::Visitor<'de> for Reading {
    type Value = Integer;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an integer")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Integer, D::Error> {
        inner.deserialize_any(self)
    }

    fn visit_i64<E>(self, value: i64) -> Result<Integer, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Integer, E> {
        Ok(value.into())
    }

    fn visit_i128<E>(self, value: i128) -> Result<Integer, E> {
        Ok(value.into())
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<Integer, E> {
        whole(Number::from_u128(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Integer, E> {
        whole(Number::from_f64(value))
    }

    fn visit_map<A: MapAccess<'de>>(self, number: A) -> Result<Integer, A::Error> {
        whole(Some(Number::deserialize(MapAccessDeserializer::new(
            number,
        ))?))
    }
}

fn whole<E: Error>(number: Option<Number>) -> Result<Integer, E> {
    let value = number.as_ref().and_then(Decimal::of).map(Integer::of);
    value.and_then(Result::ok).ok_or_else(|| match number {
        Some(number) => E::custom(format_args!("expected an integer, received {number}")),
        None => E::custom("expected an integer"),
    })
}
