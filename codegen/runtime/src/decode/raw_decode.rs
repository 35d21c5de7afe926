//! Decodes raw text straight into a type: the fast path of parameters and
//! forms, which makes no JSON value.
//!
//! Numbers and booleans are read as JSON writes them, so `+5`, `05` and `TRUE`
//! are not. A type that depends on the value (`deserialize_any`) cannot be
//! decided from text alone and is refused, as is JSON; the slow path decides
//! them by their schema.

use serde::de::value::{MapDeserializer, SeqDeserializer, StrDeserializer};
use serde::de::{self, Deserializer, IntoDeserializer, Visitor};

use serde_json::{Number, Value};

use crate::decode::integer;
use crate::decode::replay::Replay;
use json_schema::coerce::raw::Raw;

/// The text is not of the type. Why is found out elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mismatch;

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the text is not of the expected type")
    }
}

impl std::error::Error for Mismatch {}

impl de::Error for Mismatch {
    fn custom<M: std::fmt::Display>(_: M) -> Self {
        Self
    }
}

/// Decodes a `T`.
///
/// # Errors
/// Returns [`Mismatch`] if the text is not a text of `T`, or if only a schema
/// can tell how to read it.
pub(crate) fn decode<T: de::DeserializeOwned>(raw: &Raw<'_>) -> Result<T, Mismatch> {
    T::deserialize(Reader(raw))
}

/// Deserializes the value of a text.
#[derive(Clone, Copy)]
struct Reader<'r, 'a>(&'r Raw<'a>);

/// Whether `text` is a JSON number (RFC 8259, section 6), given that Rust
/// reads it as one.
fn is_json_number(text: &str) -> bool {
    if text.contains(".e") || text.contains(".E") {
        return false;
    }
    match text.strip_prefix('-').unwrap_or(text).as_bytes() {
        [b'0', next, ..] => matches!(next, b'.' | b'e' | b'E'),
        [first, .., last] => first.is_ascii_digit() && last.is_ascii_digit(),
        [digit] => digit.is_ascii_digit(),
        [] => false,
    }
}

fn text<'r>(raw: &'r Raw<'_>) -> Result<&'r str, Mismatch> {
    match raw {
        Raw::Text(text) => Ok(text),
        _ => Err(Mismatch),
    }
}

fn number<T: std::str::FromStr>(raw: &Raw<'_>) -> Result<T, Mismatch> {
    let text = text(raw)?;
    if !is_json_number(text) {
        return Err(Mismatch);
    }
    text.parse().map_err(|_| Mismatch)
}

macro_rules! numbers {
    ($($method:ident $visit:ident,)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
            visitor.$visit(number(self.0)?)
        }
    )*};
}

macro_rules! texts {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
            visitor.visit_str(text(self.0)?)
        }
    )*};
}

impl<'de> Deserializer<'de> for Reader<'_, '_> {
    type Error = Mismatch;

    numbers! {
        deserialize_i8 visit_i8, deserialize_i16 visit_i16, deserialize_i32 visit_i32,
        deserialize_i64 visit_i64, deserialize_i128 visit_i128,
        deserialize_u8 visit_u8, deserialize_u16 visit_u16, deserialize_u32 visit_u32,
        deserialize_u64 visit_u64, deserialize_u128 visit_u128,
    }

    texts! {
        deserialize_char deserialize_str deserialize_string deserialize_bytes
        deserialize_byte_buf deserialize_identifier
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Mismatch> {
        Err(Mismatch)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        match text(self.0)? {
            "true" => visitor.visit_bool(true),
            "false" => visitor.visit_bool(false),
            _ => Err(Mismatch),
        }
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        let value: f32 = number(self.0)?;
        if value.is_finite() {
            visitor.visit_f32(value)
        } else {
            Err(Mismatch)
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        let value: f64 = number(self.0)?;
        if value.is_finite() {
            visitor.visit_f64(value)
        } else {
            Err(Mismatch)
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        visitor.visit_some(self)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        if text(self.0)?.is_empty() {
            visitor.visit_unit()
        } else {
            Err(Mismatch)
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        if name == integer::NAME {
            let number: Number = number(self.0)?;
            let number = Replay::new(Value::Number(number).into());
            return visitor.visit_newtype_struct(number).map_err(|_| Mismatch);
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        match self.0 {
            Raw::List(items) => visitor.visit_seq(SeqDeserializer::new(items.iter().map(Reader))),
            // A name that came once may be a list of one, unless it may be a list of JSON.
            Raw::Text(text) if !text.starts_with('[') => {
                visitor.visit_seq(SeqDeserializer::new(std::iter::once(self)))
            }
            Raw::Text(_) | Raw::Map(_) | Raw::Json(_) => Err(Mismatch),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        let Raw::Map(members) = self.0 else {
            return Err(Mismatch);
        };
        let members = members
            .iter()
            .map(|(name, member)| (name.as_ref(), Reader(member)));
        visitor.visit_map(MapDeserializer::new(members))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        let variant: StrDeserializer<'_, Mismatch> = text(self.0)?.into_deserializer();
        visitor.visit_enum(variant)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        visitor.visit_unit()
    }
}

impl<'de> IntoDeserializer<'de, Mismatch> for Reader<'_, '_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}
