//! Reads JSON in which no object has a member twice.
//!
//! Readers differ in which of two members of one name they take (RFC 8259, section 4), so both are refused.

use std::borrow::Cow;
use std::fmt;

use memchr::memmem;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// The name of the only member of the object by which `serde_json`, under the
/// feature `arbitrary_precision`, represents a number whose digits no Rust type
/// keeps: the member is its text. A caller's object of this form would be taken
/// for a number, so that no text may have one.
pub const NUMBER: &str = "$serde_json::private::Number";

/// The beginning of [`NUMBER`] and of its like for raw text.
const RESERVED: &str = "$serde_json::private::";

/// The message for an object that has a member with such a name.
pub const RESERVED_NAME: &str = "has a property with a reserved name";

/// The name under which a type asks for a value if the type itself refuses
/// repeated members, at every depth.
pub const REFUSES_REPEATS: &str = "$refuses-repeats";

/// The message for an object that has a member twice.
pub const REPEATED: &str = "has an object with a duplicate property";

/// Whether an object of a text of JSON has a member whose name `serde_json` keeps for itself.
pub fn has_reserved_name(text: &str) -> bool {
    // Few texts have any of the bytes that such a name needs.
    if memchr::memchr2(b'$', b'\\', text.as_bytes()).is_none() {
        return false;
    }
    // Such a name is written as it is, or begins with an escape.
    [r#""$serde_json"#, r#""\u"#].iter().any(|begin| {
        let places = memmem::find_iter(text.as_bytes(), begin);
        let mut rests = places.filter_map(|at| text.get(at..));
        rests.any(begins_with_reserved_name)
    })
}

/// Whether a text begins with a string that has a reserved name, and a colon.
fn begins_with_reserved_name(text: &str) -> bool {
    let mut strings = serde_json::Deserializer::from_str(text).into_iter::<String>();
    let name = strings.next().and_then(Result::ok);
    let after = text.get(strings.byte_offset()..).unwrap_or_default();
    name.is_some_and(|name| name.starts_with(RESERVED)) && after.trim_start().starts_with(':')
}

/// The value of a whole text of JSON, none where it is none, or has an object with a member twice or
/// with a reserved name.
pub fn parse(text: &str) -> Option<Value> {
    if has_reserved_name(text) {
        return None;
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Any.deserialize(&mut reader).ok()?;
    reader.end().ok().map(|()| value)
}

/// Any value.
pub struct Any;

impl<'de> DeserializeSeed<'de> for Any {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_newtype_struct(REFUSES_REPEATS, self)
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

/// The name of a member, borrowed from the input where that is possible.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_with_a_reserved_name_is_no_json() {
        let check = |text: &str, ok| assert_eq!(parse(text).is_some(), ok, "{text}");
        check(
            r#"{"weight": {"$serde_json::private::Number": "1"}}"#,
            false,
        );
        check(r#"[{"$serde_json::private::RawValue" : "[1]"}]"#, false);
        check(r#"{"\u0024serde_json::private::Number": "1"}"#, false);
        check(
            r#"{"a": 1, "\u0024serde_json::privat\u0065::Number": "1"}"#,
            false,
        );
        check(r#"{"$serde_json": 1, "\u0024": "\u0024"}"#, true);
        check(r#"["$serde_json::private::Number", "a"]"#, true);
        check(r#"{"name": "$serde_json::private::Number"}"#, true);
        check(r#"{"name": "\"$serde_json::private::Number\":"}"#, true);
    }
}
