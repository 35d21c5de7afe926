//! JSON in which no object has a member twice.
//!
//! Readers differ in the one that they take (RFC 8259, section 4), so both are refused. A struct sees to that
//! itself; here it is seen to for maps and for values of any type, wherever in a type they stand.

use std::borrow::Cow;
use std::fmt;

use serde::de::value::CowStrDeserializer;
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Visitor,
};

use json_schema::json::{self, Name, REFUSES_REPEATS, REPEATED, RESERVED_NAME};

/// Reads a JSON text.
///
/// # Errors
/// Returns an error if the text is not JSON, does not match the type, or has an
/// object with a member that occurs twice or has a reserved name.
pub(crate) fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> serde_json::Result<T> {
    // To look at all bytes once is faster than at those of each string.
    let text = std::str::from_utf8(bytes).map_err(serde_json::Error::custom)?;
    if json::has_reserved_name(text) {
        return Err(serde_json::Error::custom(RESERVED_NAME));
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = T::deserialize(Single(&mut reader))?;
    reader.end().map(|()| value)
}

/// A deserializer, or a part of one, that hands nothing over twice.
struct Single<T>(T);

/// The same, for values that may hold an object.
struct Open<T> {
    inner: T,
    /// Whether it is seen to that names are there once; a struct does that itself.
    counted: bool,
}

macro_rules! scalars {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.0.$method(visitor)
        }
    )*};
}

macro_rules! open {
    ($($method:ident($($argument:ident: $ty:ty),*) $counted:literal,)*) => {$(
        fn $method<V: Visitor<'de>>(
            self,
            $($argument: $ty,)*
            visitor: V,
        ) -> Result<V::Value, D::Error> {
            let visitor = Open { inner: visitor, counted: $counted };
            self.0.$method($($argument,)* visitor)
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Single<D> {
    type Error = D::Error;

    scalars! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_i128 deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
        deserialize_u128 deserialize_f32 deserialize_f64 deserialize_char deserialize_str
        deserialize_string deserialize_bytes deserialize_byte_buf deserialize_unit
        deserialize_identifier deserialize_ignored_any
    }

    open! {
        deserialize_any() true,
        deserialize_map() true,
        deserialize_option() true,
        deserialize_seq() true,
        deserialize_tuple(len: usize) true,
        deserialize_tuple_struct(name: &'static str, len: usize) true,
        deserialize_struct(name: &'static str, fields: &'static [&'static str]) false,
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        if name == REFUSES_REPEATS {
            return self.0.deserialize_newtype_struct(name, visitor);
        }
        let visitor = Open {
            inner: visitor,
            counted: true,
        };
        self.0.deserialize_newtype_struct(name, visitor)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_unit_struct(name, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_enum(name, variants, visitor)
    }
}

macro_rules! values {
    ($($method:ident: $ty:ty,)*) => {$(
        fn $method<E: Error>(self, value: $ty) -> Result<V::Value, E> {
            self.inner.$method(value)
        }
    )*};
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Open<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    values! {
        visit_bool: bool,
        visit_i64: i64,
        visit_i128: i128,
        visit_u64: u64,
        visit_u128: u128,
        visit_f64: f64,
        visit_str: &str,
        visit_borrowed_str: &'de str,
        visit_string: String,
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, value: D) -> Result<V::Value, D::Error> {
        self.inner.visit_some(Single(value))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, value: D) -> Result<V::Value, D::Error> {
        self.inner.visit_newtype_struct(Single(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<V::Value, A::Error> {
        self.inner.visit_seq(Single(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<V::Value, A::Error> {
        let names = self.counted.then(Names::default);
        self.inner.visit_map(Members(Counted { members, names }))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, variant: A) -> Result<V::Value, A::Error> {
        self.inner.visit_enum(variant)
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Single<A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        self.0.next_element_seed(Single(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Single<S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        self.0.deserialize(Single(deserializer))
    }
}

/// Members of which none is there twice, whose values are seen to as well.
struct Members<A>(A);

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Members<A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        self.0.next_key_seed(seed)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.0.next_value_seed(Single(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

/// The members of an object, of which no two may have one name.
struct Counted<'de, A> {
    members: A,
    names: Option<Names<'de>>,
}

/// The same members; a repeated name is an error. Their values are checked by `members` itself: if they were
/// checked here as well, a recursive type would need deserializers of ever longer types.
pub(crate) fn counting<'de, A: MapAccess<'de>>(
    members: A,
) -> impl MapAccess<'de, Error = A::Error> {
    let names = Some(Names::default());
    Counted { members, names }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Counted<'de, A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        let Some(names) = &mut self.names else {
            return self.members.next_key_seed(seed);
        };
        let Some(Name(name)) = self.members.next_key()? else {
            return match names.are_distinct() {
                true => Ok(None),
                false => Err(A::Error::custom(REPEATED)),
            };
        };
        names.0.push(name.clone());
        seed.deserialize(CowStrDeserializer::new(name)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.members.next_value_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.members.size_hint()
    }
}

/// The names of an object's members. They are compared once all are known: sorting them costs less than a
/// hash table, almost nothing if they come in order, and no choice of names makes it slow.
#[derive(Default)]
struct Names<'de>(Vec<Cow<'de, str>>);

impl Names<'_> {
    /// Whether no two of the names are the same.
    fn are_distinct(&mut self) -> bool {
        let ascend = |names: &[_]| names.is_sorted_by(|one, next| one < next);
        ascend(&self.0) || {
            self.0.sort_unstable();
            ascend(&self.0)
        }
    }
}

/// Whether no two of the names are the same.
pub(crate) fn are_distinct<'n>(names: impl Iterator<Item = &'n str>) -> bool {
    Names(names.map(Cow::Borrowed).collect()).are_distinct()
}
