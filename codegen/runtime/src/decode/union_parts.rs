//! The parts of a value that is being read, as the value that a union's
//! variant is read from.

use std::borrow::Cow;
use std::vec;

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

use crate::decode::buffered::{Buffered, Member};
use crate::decode::json_single;
use crate::decode::replay::Replay;

/// The methods that all deserializers but those of scalars share.
macro_rules! compound {
    () => {
        fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, A::Error> {
            visitor.visit_some(self)
        }

        fn deserialize_newtype_struct<V: Visitor<'de>>(
            self,
            _: &'static str,
            visitor: V,
        ) -> Result<V::Value, A::Error> {
            visitor.visit_newtype_struct(self)
        }

        forward_to_deserialize_any! {
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
            unit unit_struct seq tuple tuple_struct map enum identifier ignored_any
        }
    };
}

/// The items of an array, still to be read.
pub(crate) struct Items<A>(pub(crate) A);

impl<'de, A: SeqAccess<'de>> Deserializer<'de> for Items<A> {
    type Error = A::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, A::Error> {
        visitor.visit_seq(self.0)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        visitor.visit_seq(self.0)
    }

    compound!();
}

/// The members of an object, of which the first few have been read.
pub(crate) struct Members<'de, A> {
    /// The member that was looked for.
    named: Option<(&'static str, Buffered<'de>)>,
    /// The members before it.
    before: vec::IntoIter<Member<'de>>,
    /// The name of the one after those, where it is known.
    name: Option<Cow<'de, str>>,
    /// The value of the member whose name was taken last, where it is known.
    value: Option<Buffered<'de>>,
    /// The members that are still to be read.
    rest: A,
}

impl<'de, A> Members<'de, A> {
    /// Only the first name has been read.
    pub(crate) fn from(name: Option<Cow<'de, str>>, rest: A) -> Self {
        Self {
            name,
            ..Self::on(Vec::new(), rest)
        }
    }

    /// Some have been read.
    pub(crate) fn on(before: Vec<Member<'de>>, rest: A) -> Self {
        Self {
            named: None,
            before: before.into_iter(),
            name: None,
            value: None,
            rest,
        }
    }

    /// One was looked for and found; it becomes the first.
    pub(crate) fn after(
        name: &'static str,
        value: Buffered<'de>,
        before: Vec<Member<'de>>,
        rest: A,
    ) -> Self {
        Self {
            named: Some((name, value)),
            ..Self::on(before, rest)
        }
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Members<'de, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        if let Some((name, value)) = self.named.take() {
            self.value = Some(value);
            return seed
                .deserialize(BorrowedStrDeserializer::new(name))
                .map(Some);
        }
        let name = match self.before.next() {
            Some((name, value)) => {
                self.value = Some(value);
                Some(name)
            }
            None => self.name.take(),
        };
        match name {
            Some(name) => seed
                .deserialize(Replay::new(Buffered::Text(name)))
                .map(Some)
                .map_err(A::Error::custom),
            None => self.rest.next_key_seed(seed),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        match self.value.take() {
            Some(value) => seed
                .deserialize(Replay::new(value))
                .map_err(A::Error::custom),
            None => self.rest.next_value_seed(seed),
        }
    }
}

impl<'de, A: MapAccess<'de>> Deserializer<'de> for Members<'de, A> {
    type Error = A::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, A::Error> {
        visitor.visit_map(json_single::counting(self))
    }

    /// A struct sees to it itself that no member is there twice.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        visitor.visit_map(self)
    }

    compound!();
}
