//! Reads a buffered value, once its type is known.

use std::borrow::Cow;
use std::vec;

use serde::de::value::CowStrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use crate::decode::buffered::{Buffered, Member, NAMED_FIRST};
use crate::decode::json_single;
use crate::decode::tolerant::{self, Misfit};
use json_schema::json::{REFUSES_REPEATS, REPEATED};

/// The deserializer of a buffered value, once its type is known.
pub(crate) struct Replay<'de> {
    value: Buffered<'de>,
    /// Whether it is seen to that no object has a property twice.
    counted: bool,
}

impl<'de> Replay<'de> {
    pub(crate) const fn new(value: Buffered<'de>) -> Self {
        Self::counted(value, true)
    }

    const fn counted(value: Buffered<'de>, counted: bool) -> Self {
        Self { value, counted }
    }

    /// Passes an object's properties to a visitor. Structs record the locations of properties themselves.
    fn properties<V: Visitor<'de>>(
        properties: Vec<Member<'de>>,
        counted: bool,
        located: bool,
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        let mut properties = Properties {
            rest: properties.into_iter(),
            value: None,
            counted,
            located,
        };
        let read = visitor.visit_map(&mut properties)?;
        match properties.rest.len() {
            0 => Ok(read),
            _ => Err(Misfit::custom("the object has more properties")),
        }
    }

    fn items<V: Visitor<'de>>(
        items: Vec<Buffered<'de>>,
        counted: bool,
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        let mut items = Items {
            rest: items.into_iter(),
            index: 0,
            counted,
            located: tolerant::is_located(),
        };
        let read = visitor.visit_seq(&mut items)?;
        match items.rest.len() {
            0 => Ok(read),
            more => Err(Misfit::custom(format_args!(
                "expected an array of {} items, received one of {}",
                items.index,
                items.index + more
            ))),
        }
    }

    fn is_absent_collection(&self) -> bool {
        tolerant::is_tolerant() && tolerant::take_required() && self.value == Buffered::Null
    }
}

/// The properties of an object.
struct Properties<'de> {
    rest: vec::IntoIter<Member<'de>>,
    /// The name and the value of the property whose name was taken last.
    value: Option<Member<'de>>,
    counted: bool,
    located: bool,
}

impl<'de> MapAccess<'de> for Properties<'de> {
    type Error = Misfit;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Misfit> {
        let Some((name, value)) = self.rest.next() else {
            return Ok(None);
        };
        // Names stay borrowed, as strings do.
        let key = Replay::counted(Buffered::Text(name.clone()), self.counted);
        self.value = Some((name, value));
        seed.deserialize(key).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Misfit> {
        let Some((name, value)) = self.value.take() else {
            return Err(Misfit::custom("the name of a property is read first"));
        };
        let value = Replay::counted(value, self.counted);
        match self.located {
            true => tolerant::required_property(&name, || seed.deserialize(value)),
            false => seed.deserialize(value),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

/// The items of an array.
struct Items<'de> {
    rest: vec::IntoIter<Buffered<'de>>,
    index: usize,
    counted: bool,
    located: bool,
}

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Misfit;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Misfit> {
        let Some(item) = self.rest.next() else {
            return Ok(None);
        };
        let (index, item) = (self.index, Replay::counted(item, self.counted));
        self.index += 1;
        match self.located {
            true => tolerant::item(index, || seed.deserialize(item)),
            false => seed.deserialize(item),
        }
        .map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

impl<'de> IntoDeserializer<'de, Misfit> for Replay<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Replay<'de> {
    type Error = Misfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        let counted = self.counted;
        match self.value {
            Buffered::Null => visitor.visit_unit(),
            Buffered::Bool(value) => visitor.visit_bool(value),
            Buffered::Unsigned(value) => visitor.visit_u64(value),
            Buffered::Signed(value) => visitor.visit_i64(value),
            Buffered::Float(value) => visitor.visit_f64(value),
            Buffered::Number(number) => number.deserialize_any(visitor).map_err(Misfit::custom),
            Buffered::Text(Cow::Borrowed(text)) => visitor.visit_borrowed_str(text),
            Buffered::Text(Cow::Owned(text)) => visitor.visit_string(text),
            Buffered::List(items) => Self::items(items, counted, visitor),
            Buffered::Object(properties) => {
                let mut names = properties.iter().map(|(name, _)| &**name);
                if counted && !json_single::are_distinct(&mut names) {
                    return Err(Misfit::custom(REPEATED));
                }
                Self::properties(properties, counted, tolerant::is_located(), visitor)
            }
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.value.number() {
            Some(number) => match number.as_f64() {
                Some(value) => visitor.visit_f64(value),
                None => Err(Misfit::custom("the number is out of range")),
            },
            None => self.deserialize_any(visitor),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.is_absent_collection() {
            true => Self::items(Vec::new(), self.counted, visitor),
            false => self.deserialize_any(visitor),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        // What stands for a number is not to be taken for an object.
        match self.value {
            Buffered::Number(_) => Err(Misfit::custom("an object is expected here")),
            _ if self.is_absent_collection() => {
                Self::properties(Vec::new(), self.counted, false, visitor)
            }
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.value {
            Buffered::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        let counted = self.counted && name != REFUSES_REPEATS;
        visitor.visit_newtype_struct(Self::counted(self.value, counted))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        match self.value {
            Buffered::Text(text) => {
                let variant: CowStrDeserializer<'_, Misfit> = text.into_deserializer();
                visitor.visit_enum(variant)
            }
            _ => Err(Misfit::custom("a string is expected here")),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        // A union that finds its property first keeps nothing that comes before.
        if let Buffered::Object(properties) = &mut self.value
            && name == NAMED_FIRST
            && let Some(at) = properties
                .iter()
                .position(|(own, _)| fields.contains(&&**own))
        {
            properties.swap(0, at);
        }
        match self.value {
            Buffered::Object(properties) => {
                Self::properties(properties, self.counted, false, visitor)
            }
            Buffered::Number(_) => Err(Misfit::custom("an object is expected here")),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 char str string bytes byte_buf
        unit unit_struct tuple tuple_struct identifier
    }
}
