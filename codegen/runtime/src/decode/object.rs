//! Structs that are read from objects and written as objects, member by member.
//!
//! For each struct, `serde` derives a dozen functions and types, all of which
//! the compiler has to check. Here all but one are written once:
//! [`object!`](crate::object) lists the members of a struct.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use crate::decode::tolerant;
pub use crate::encode::fields::Writer;
use json_schema::json::{Name, REPEATED};

/// Implements `Serialize` and `Deserialize` for a struct of an object's
/// members.
///
/// A row has a field and the member's name in JSON. Other members are refused
/// or, with `..` at the end, passed over or, with `..field`, kept in a map.
///
/// ```ignore
/// object!(Pet { required id = "id", optional tag = "x-tag", .. });
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! object {
    ($name:ident { $($need:ident $field:ident = $wire:literal,)* }) => {
        $crate::object!(@ $name refuse [] $($need $field $wire)* ; $([$need $field $wire])*);
    };
    ($name:ident { $($need:ident $field:ident = $wire:literal,)* .. }) => {
        $crate::object!(@ $name skip [] $($need $field $wire)* ; $([$need $field $wire])*);
    };
    ($name:ident { $($need:ident $field:ident = $wire:literal,)* .. $kept:ident }) => {
        $crate::object!(@ $name keep [$kept] $($need $field $wire)* ; $([$need $field $wire])*);
    };
    // The rows come twice, so that those of required members can be told apart without another macro
    // call for each row. An early return costs the compiler most: there is one for each required member.
    (
        @ $name:ident $others:ident [$($kept:ident)?]
        $($need:ident $field:ident $wire:literal)* ;
        $([$(required $must:ident $lacked:literal)? $(optional $may:ident $absent:literal)?])*
    ) => {
        impl $crate::__private::serde::Serialize for $name {
            fn serialize<S: $crate::__private::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::std::result::Result<S::Ok, S::Error> {
                #[allow(unused_mut, reason = "a struct may have no fields")]
                let mut object = $crate::__private::object::Writer::new(serializer);
                $(object.$need($wire, &self.$field);)*
                $(object.others(&self.$kept);)?
                object.end()
            }
        }

        impl<'de> $crate::__private::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::__private::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::std::result::Result<Self, D::Error> {
                $crate::__private::object::read(deserializer, &[$($wire),*])
            }
        }

        impl<'de> $crate::__private::object::Object<'de> for $name {
            fn read<A: $crate::__private::serde::de::MapAccess<'de>>(
                mut members: $crate::__private::object::Members<A>,
            ) -> ::std::result::Result<Self, A::Error> {
                $(let mut $field = ::std::option::Option::None;)*
                $(let mut $kept = ::std::collections::BTreeMap::new();)?
                while let ::std::option::Option::Some(name) = members.next()? {
                    match &*name {
                        $($wire => members.$need($wire, &mut $field),)*
                        _ => members.$others(name $(, &mut $kept)?),
                    }?;
                }
                $($(let ::std::option::Option::Some($must) = $must else {
                    return members.missing($lacked);
                };)?)*
                ::std::result::Result::Ok(Self { $($field,)* $($kept,)? })
            }
        }
    };
}

/// Implements `Serialize` and `Deserialize` for a struct around one value.
#[doc(hidden)]
#[macro_export]
macro_rules! newtype {
    ($name:ident) => {
        impl $crate::__private::serde::Serialize for $name {
            fn serialize<S: $crate::__private::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::std::result::Result<S::Ok, S::Error> {
                $crate::__private::serde::Serialize::serialize(&self.0, serializer)
            }
        }

        impl<'de> $crate::__private::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::__private::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::std::result::Result<Self, D::Error> {
                $crate::__private::serde::Deserialize::deserialize(deserializer).map(Self)
            }
        }
    };
}

/// A struct that is read from an object.
pub trait Object<'de>: Sized {
    /// Reads the members.
    ///
    /// # Errors
    /// Returns an error if a member's type refuses its value, a member occurs
    /// twice, or a required member is missing.
    fn read<A: MapAccess<'de>>(members: Members<A>) -> Result<Self, A::Error>;
}

/// Reads a struct. `names` are the names of the members that have a field.
///
/// # Errors
/// Returns an error if the value is not an object, and the errors of
/// [`Object::read`].
pub fn read<'de, T: Object<'de>, D: Deserializer<'de>>(
    deserializer: D,
    names: &'static [&'static str],
) -> Result<T, D::Error> {
    let visitor = ObjectVisitor(names, PhantomData);
    deserializer.deserialize_struct("object", names, visitor)
}

struct ObjectVisitor<T>(&'static [&'static str], PhantomData<T>);

impl<'de, T: Object<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::read(Members { map, names: self.0 })
    }
}

/// The members of an object, one after the other.
pub struct Members<A> {
    map: A,
    /// The names of the members that have a field.
    names: &'static [&'static str],
}

impl<'de, A: MapAccess<'de>> Members<A> {
    /// The name of the next member, whose value must be read then; nothing
    /// after the last.
    ///
    /// # Errors
    /// Returns an error if the input ends or is malformed.
    #[allow(clippy::should_implement_trait, reason = "it is fallible")]
    pub fn next(&mut self) -> Result<Option<Cow<'de, str>>, A::Error> {
        Ok(self.map.next_key()?.map(|Name(name)| name))
    }

    /// Reads the value of a required property.
    ///
    /// # Errors
    /// Returns an error if the property's type refuses the value, or if the
    /// property occurs twice.
    pub fn required<T: Deserialize<'de>>(
        &mut self,
        name: &'static str,
        place: &mut Option<T>,
    ) -> Result<(), A::Error> {
        if place.is_some() {
            return Err(A::Error::duplicate_field(name));
        }
        *place = Some(match tolerant::is_located() {
            true => tolerant::required_property(name, || self.map.next_value()),
            false => self.map.next_value(),
        }?);
        Ok(())
    }

    /// Reads the value of an optional property. A tolerant reader treats an invalid `null` or empty string as absent.
    ///
    /// # Errors
    /// Returns the errors of [`Members::required`].
    pub fn optional<T: Deserialize<'de>>(
        &mut self,
        name: &'static str,
        place: &mut Option<T>,
    ) -> Result<(), A::Error> {
        if place.is_some() {
            return Err(A::Error::duplicate_field(name));
        }
        if !tolerant::is_located() {
            *place = Some(self.map.next_value()?);
            return Ok(());
        }
        match tolerant::property(name, || self.map.next_value()) {
            Ok(value) => *place = Some(value),
            Err(_) if tolerant::is_tolerant() && tolerant::forgive_empty(name) => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Reads the value of a member that has no field, to keep it by its name.
    ///
    /// # Errors
    /// Returns an error if the member's type refuses the value, or if the
    /// member occurs twice.
    pub fn keep<T: Deserialize<'de>>(
        &mut self,
        name: Cow<'de, str>,
        kept: &mut BTreeMap<String, T>,
    ) -> Result<(), A::Error> {
        let value = match tolerant::is_located() {
            true => tolerant::required_property(&name, || self.map.next_value()),
            false => self.map.next_value(),
        }?;
        match kept.entry(name.into_owned()) {
            Entry::Vacant(place) => _ = place.insert(value),
            Entry::Occupied(_) => return Err(A::Error::custom(REPEATED)),
        }
        Ok(())
    }

    /// Passes over the value of a member that has no field.
    ///
    /// # Errors
    /// Returns an error if the member's value is malformed.
    pub fn skip(&mut self, _: Cow<'de, str>) -> Result<(), A::Error> {
        self.map.next_value::<IgnoredAny>().map(drop)
    }

    /// Rejects an unknown property. A tolerant reader ignores it.
    ///
    /// # Errors
    /// Returns an error unless the reader is tolerant.
    pub fn refuse(&mut self, name: Cow<'de, str>) -> Result<(), A::Error> {
        if tolerant::is_tolerant() {
            return self.skip(name);
        }
        Err(A::Error::unknown_field(&name, self.names))
    }

    /// Refuses an object that lacks a required member.
    ///
    /// # Errors
    /// Always returns an error.
    pub fn missing<T>(&self, name: &'static str) -> Result<T, A::Error> {
        Err(A::Error::missing_field(name))
    }
}
