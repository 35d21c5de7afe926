//! Reads a buffered value, once its type is known.

use std::borrow::Cow;
use std::marker::PhantomData;

use serde::de::value::{CowStrDeserializer, MapDeserializer, SeqDeserializer};
use serde::de::{Deserializer, Error, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;

use crate::decode::buffered::{Buffered, Member, NAMED_FIRST};
use crate::decode::json_single;
use json_schema::json::{REFUSES_REPEATS, REPEATED};

/// The deserializer of a buffered value, once its type is known.
pub(crate) struct Replay<'de, E> {
    value: Buffered<'de>,
    /// Whether it is seen to that no object has a member twice.
    counted: bool,
    error: PhantomData<E>,
}

impl<'de, E: Error> Replay<'de, E> {
    pub(crate) const fn new(value: Buffered<'de>) -> Self {
        Self::counted(value, true)
    }

    const fn counted(value: Buffered<'de>, counted: bool) -> Self {
        Self {
            value,
            counted,
            error: PhantomData,
        }
    }

    /// Gives an object's members to a visitor, which refuses repeated ones.
    fn members<V: Visitor<'de>>(
        members: Vec<Member<'de>>,
        counted: bool,
        visitor: V,
    ) -> Result<V::Value, E> {
        let members = members.into_iter().map(|(name, member)| {
            // Names stay borrowed, as texts do.
            let name = Self::counted(Buffered::Text(name), counted);
            (name, Self::counted(member, counted))
        });
        let mut members = MapDeserializer::new(members);
        let read = visitor.visit_map(&mut members)?;
        members.end().map(|()| read)
    }
}

impl<'de, E: Error> IntoDeserializer<'de, E> for Replay<'de, E> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de, E: Error> Deserializer<'de> for Replay<'de, E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        let counted = self.counted;
        match self.value {
            Buffered::Null => visitor.visit_unit(),
            Buffered::Bool(value) => visitor.visit_bool(value),
            Buffered::Unsigned(value) => visitor.visit_u64(value),
            Buffered::Signed(value) => visitor.visit_i64(value),
            Buffered::Float(value) => visitor.visit_f64(value),
            Buffered::Number(number) => number.deserialize_any(visitor).map_err(E::custom),
            Buffered::Text(Cow::Borrowed(text)) => visitor.visit_borrowed_str(text),
            Buffered::Text(Cow::Owned(text)) => visitor.visit_string(text),
            Buffered::List(items) => {
                let items = items.into_iter();
                let mut items =
                    SeqDeserializer::new(items.map(|item| Self::counted(item, counted)));
                let read = visitor.visit_seq(&mut items)?;
                items.end().map(|()| read)
            }
            Buffered::Object(members) => {
                if counted && !json_single::are_distinct(members.iter().map(|(name, _)| &**name)) {
                    return Err(E::custom(REPEATED));
                }
                Self::members(members, counted, visitor)
            }
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.value.number() {
            Some(number) => match number.as_f64() {
                Some(value) => visitor.visit_f64(value),
                None => Err(E::custom("the number is beyond the range of a double")),
            },
            None => self.deserialize_any(visitor),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        // What stands for a number is not to be taken for an object.
        match self.value {
            Buffered::Number(_) => Err(E::custom("an object is expected here")),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.value {
            Buffered::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, E> {
        let counted = self.counted && name != REFUSES_REPEATS;
        visitor.visit_newtype_struct(Self::counted(self.value, counted))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, E> {
        match self.value {
            Buffered::Text(text) => {
                let variant: CowStrDeserializer<'_, E> = text.into_deserializer();
                visitor.visit_enum(variant)
            }
            _ => Err(E::custom("a string is expected here")),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, E> {
        // A union that finds its member first keeps nothing that comes before.
        if let Buffered::Object(members) = &mut self.value
            && name == NAMED_FIRST
            && let Some(at) = members.iter().position(|(own, _)| fields.contains(&&**own))
        {
            members.swap(0, at);
        }
        match self.value {
            Buffered::Object(members) => Self::members(members, self.counted, visitor),
            _ => self.deserialize_map(visitor),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 char str string bytes byte_buf
        unit unit_struct seq tuple tuple_struct identifier
    }
}
