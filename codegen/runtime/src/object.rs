//! Structs read from objects, member by member.
//!
//! What `serde` derives for a struct is a dozen functions and types, of which
//! the compiler checks each. Here all but one are written once: a generated
//! struct names its members, and says what becomes of each.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor,
};

use serde_json::Value;

use json_schema::json::{Any, REPEATED};

/// A struct that is read from an object.
pub trait Object<'de>: Sized {
    /// The names of the members that have a field, by the fields' indices.
    const MEMBERS: &'static [&'static str];
    /// Whether a member that has no field makes the object invalid.
    const CLOSED: bool = false;

    /// Reads the members.
    ///
    /// # Errors
    /// Whatever a member's type refuses, and a member that is there twice or
    /// is required and not there.
    fn read<A: MapAccess<'de>>(members: Members<A>) -> Result<Self, A::Error>;
}

/// Reads a struct.
///
/// # Errors
/// Where there is no object, and as [`Object::read`].
pub fn read<'de, T: Object<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_struct("object", T::MEMBERS, Reading(PhantomData))
}

struct Reading<T>(PhantomData<T>);

impl<'de, T: Object<'de>> Visitor<'de> for Reading<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::read(Members {
            map,
            names: T::MEMBERS,
            closed: T::CLOSED,
            next: 0,
            unknown: String::new(),
        })
    }
}

/// The members of an object, one after the other.
pub struct Members<A> {
    map: A,
    names: &'static [&'static str],
    closed: bool,
    /// The index after that of the last member that has a field.
    next: usize,
    /// The name of the last member that has no field.
    unknown: String,
}

impl<'de, A: MapAccess<'de>> Members<A> {
    /// The index of the next member's field, or one that no field has;
    /// nothing after the last. The member's value must be read then.
    ///
    /// # Errors
    /// Where the object cannot be read on, or the member is not allowed.
    pub fn member(&mut self) -> Result<Option<usize>, A::Error> {
        let name = Name {
            names: self.names,
            likely: self.next,
            unknown: &mut self.unknown,
        };
        let Some(index) = self.map.next_key_seed(name)? else {
            return Ok(None);
        };
        if index < self.names.len() {
            self.next = index + 1;
        } else if self.closed {
            return Err(A::Error::unknown_field(&self.unknown, self.names));
        }
        Ok(Some(index))
    }

    /// Reads the member's value.
    ///
    /// # Errors
    /// Where its type refuses it, or there is one already.
    pub fn put<T: Deserialize<'de>>(&mut self, place: &mut Option<T>) -> Result<(), A::Error> {
        self.fill(place, PhantomData)
    }

    /// Reads the member's value, which may be any.
    ///
    /// # Errors
    /// As [`Members::put`].
    pub fn put_any(&mut self, place: &mut Option<Value>) -> Result<(), A::Error> {
        self.fill(place, Any)
    }

    /// Reads the member's value, which is a map.
    ///
    /// # Errors
    /// As [`Members::put`].
    pub fn put_map<T: Deserialize<'de>>(
        &mut self,
        place: &mut Option<BTreeMap<String, T>>,
    ) -> Result<(), A::Error> {
        self.fill(place, Entries::new())
    }

    fn fill<S: DeserializeSeed<'de>>(
        &mut self,
        place: &mut Option<S::Value>,
        seed: S,
    ) -> Result<(), A::Error> {
        if place.is_some() {
            return Err(A::Error::duplicate_field(
                self.name(self.next.saturating_sub(1)),
            ));
        }
        *place = Some(self.map.next_value_seed(seed)?);
        Ok(())
    }

    /// Reads the value of a member that has no field, to keep it by its name.
    ///
    /// # Errors
    /// Where its type refuses it, or there is one of that name already.
    pub fn keep<T: Deserialize<'de>>(
        &mut self,
        kept: &mut BTreeMap<String, T>,
    ) -> Result<(), A::Error> {
        let name = std::mem::take(&mut self.unknown);
        let value = self.map.next_value()?;
        match kept.entry(name) {
            Entry::Vacant(place) => _ = place.insert(value),
            Entry::Occupied(_) => return Err(A::Error::custom(REPEATED)),
        }
        Ok(())
    }

    /// Passes over the value of a member that has no field.
    ///
    /// # Errors
    /// Where it is no value.
    pub fn skip(&mut self) -> Result<(), A::Error> {
        self.map.next_value::<IgnoredAny>().map(drop)
    }

    /// The value of a member that must be there.
    ///
    /// # Errors
    /// Where it is not.
    pub fn required<T>(&self, index: usize, found: Option<T>) -> Result<T, A::Error> {
        found.ok_or_else(|| A::Error::missing_field(self.name(index)))
    }

    fn name(&self, index: usize) -> &'static str {
        self.names.get(index).copied().unwrap_or_default()
    }
}

/// A member's name as the index of its field. Most objects have their members
/// in the order of the fields, so the one after the last is tried first.
struct Name<'a> {
    names: &'static [&'static str],
    likely: usize,
    unknown: &'a mut String,
}

impl<'de> DeserializeSeed<'de> for Name<'_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a member")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<usize, E> {
        if self
            .names
            .get(self.likely)
            .is_some_and(|likely| *likely == name)
        {
            return Ok(self.likely);
        }
        let found = self.names.iter().position(|known| *known == name);
        Ok(found.unwrap_or_else(|| {
            self.unknown.clear();
            self.unknown.push_str(name);
            self.names.len()
        }))
    }
}

/// A map, whose values may not see to it themselves.
struct Entries<T>(PhantomData<T>);

impl<T> Entries<T> {
    const fn new() -> Self {
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
