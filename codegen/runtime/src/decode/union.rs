//! Unions: which variant a value is, and reading it as that.
//!
//! A union whose variant follows from a member or from the JSON type alone is
//! read in one pass: the members before that one are kept, the rest is read
//! straight into the variant. Any other value is kept as a whole, without being
//! copied: member names usually rule out all variants but one; only values that
//! stay ambiguous are validated against the schemas.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Number, Value};

use crate::decode::buffered::{Buffered, NAMED_FIRST, exact, list, number_of, object};
use crate::decode::replay::Replay;
use crate::decode::tolerant;
pub use crate::decode::tolerant::is_tolerant;
use crate::decode::union_parts::{Items, Members};
use crate::decode::variant_filter;
pub use crate::decode::variant_filter::{Constant, ValueType, VariantFilter};
use crate::encode::fields::Writer;
use json_schema::json::REPEATED;
use json_schema::json::{NUMBER, Name};

/// Implements `Serialize` and `Deserialize` for a union whose variant a member
/// names.
///
/// A row has a variant and the names for it. The member is the variant's own,
/// or `added` where a value is written that lacks it. A variant behind `else` is
/// that of values without the member, or with any other name. Behind `or` stand
/// the types of values that are no objects, each with the variant that takes them. Behind `keep` stands a variant of a
/// `serde_json::Value`, as which a tolerant reader takes an object that names none of the others.
///
/// ```ignore
/// tagged_union!(Pet by "kind" else Cat { own Cat = "cat" | "kitten", added Dog = "dog", });
/// tagged_union!(Content by "kind" or (Folder = Array) { own Folder, own File = "file", });
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! tagged_union {
    (
        $name:ident by $tag:literal $(else $default:ident)?
        $(or ($($typed:ident = $first:ident $(| $other:ident)*),*))? $(keep $unknown:ident)?
        { $($rows:tt)* }
    ) => {
        $crate::tagged_union!(@tagged $name by $tag $(else $default)? $(keep $unknown)? { $($rows)* });
        $crate::tagged_union!(@read $name $({ $($typed = $first $(| $other)*,)* })?);
    };
    (@tagged $name:ident by $tag:literal $(else $default:ident)? $(keep $unknown:ident)? {
        $($written:ident $variant:ident $(= $first:literal $(| $other:literal)*)?,)*
    }) => {
        impl $crate::__private::serde::Serialize for $name {
            fn serialize<S: $crate::__private::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::std::result::Result<S::Ok, S::Error> {
                match self {$(
                    Self::$variant(value) => $crate::__private::union::write::$written(
                        serializer, $tag, concat!($($first)?), value,
                    ),
                )*
                    $(Self::$unknown(value) => {
                        $crate::__private::serde::Serialize::serialize(value, serializer)
                    })?
                }
            }
        }

        impl<'de> $crate::__private::union::TaggedUnion<'de> for $name {
            const TAG: &'static [&'static str; 1] = &[$tag];
            const TAGS: &'static [&'static str] = &[$($($first, $($other,)*)?)*];

            fn read<D: $crate::__private::serde::Deserializer<'de>>(
                tag: &str,
                value: D,
            ) -> ::std::result::Result<Self, D::Error> {
                match tag {
                    $($($first $(| $other)* => {
                        $crate::__private::serde::Deserialize::deserialize(value)
                            .map(Self::$variant)
                    })?)*
                    $(_ if $crate::__private::union::is_tolerant() => {
                        $crate::__private::serde::Deserialize::deserialize(value)
                            .map(Self::$unknown)
                    })?
                    _ => Self::read_unnamed(value),
                }
            }

            $(
                fn read_unnamed<D: $crate::__private::serde::Deserializer<'de>>(
                    value: D,
                ) -> ::std::result::Result<Self, D::Error> {
                    $crate::__private::serde::Deserialize::deserialize(value).map(Self::$default)
                }
            )?
        }
    };
    (@read $name:ident) => {
        impl<'de> $crate::__private::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::__private::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::std::result::Result<Self, D::Error> {
                $crate::__private::union::tagged(deserializer)
            }
        }
    };
    (@read $name:ident { $($typed:ident = $first:ident $(| $other:ident)*,)* }) => {
        $crate::union_by_type!(@read $name {
            $($typed = $first $(| $other)*,)*
        } else $crate::__private::union::tagged);
    };
}

/// Implements `Serialize` and `Deserialize` for a union whose variants have no
/// JSON type in common. A row has a variant and the types of its values.
///
/// ```ignore
/// union_by_type!(Size { Count = Number, Name = String | Null, });
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! union_by_type {
    ($name:ident { $($variant:ident $(= $first:ident $(| $other:ident)*)?,)* }) => {
        $crate::union!(@write $name $($variant)*);

        $crate::union_by_type!(@read $name {
            $($variant $(= $first $(| $other)*)?,)*
        } else $crate::__private::union::of_no_type);
    };
    (@read $name:ident {
        $($variant:ident $(= $first:ident $(| $other:ident)*)?,)*
    } else $otherwise:path) => {
        impl<'de> $crate::__private::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::__private::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::std::result::Result<Self, D::Error> {
                $crate::__private::union::by_type(deserializer)
            }
        }

        impl<'de> $crate::__private::union::ByType<'de> for $name {
            const TYPES: &'static [&'static str] =
                &[$($(stringify!($first), $(stringify!($other),)*)?)*];

            fn read<D: $crate::__private::serde::Deserializer<'de>>(
                form: $crate::__private::union::ValueType,
                value: D,
            ) -> ::std::result::Result<Self, D::Error> {
                #[allow(unreachable_patterns, reason = "the variants may take every type")]
                match form {
                    $($(
                        $crate::__private::union::ValueType::$first
                        $(| $crate::__private::union::ValueType::$other)* => {
                            $crate::__private::serde::Deserialize::deserialize(value)
                                .map(Self::$variant)
                        }
                    )?)*
                    _ => $otherwise(value),
                }
            }
        }
    };
}

/// Implements `Serialize` and [`Union`](crate::__private::union::Union) for a union whose
/// variants are told apart by a whole value. A row has a variant and its place
/// among the filters.
///
/// ```ignore
/// union!(Owner { 0 => User, 1 => Team, });
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! union {
    ($name:ident { $($index:literal => $variant:ident,)* }) => {
        $crate::union!(@write $name $($variant)*);

        impl<'de> $crate::__private::union::Union<'de> for $name {
            const VARIANTS: &'static [&'static str] = &[$(stringify!($variant)),*];

            fn read<D: $crate::__private::serde::Deserializer<'de>>(
                variant: usize,
                value: D,
            ) -> ::std::result::Result<Self, D::Error> {
                match variant {
                    $($index => {
                        $crate::__private::serde::Deserialize::deserialize(value)
                            .map(Self::$variant)
                    })*
                    _ => ::std::result::Result::Err($crate::__private::union::no_variant()),
                }
            }
        }
    };
    (@write $name:ident $($variant:ident)*) => {
        impl $crate::__private::serde::Serialize for $name {
            fn serialize<S: $crate::__private::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::std::result::Result<S::Ok, S::Error> {
                match self {$(
                    Self::$variant(value) => {
                        $crate::__private::serde::Serialize::serialize(value, serializer)
                    }
                )*}
            }
        }
    };
}

/// A union that is read by the places of its variants.
pub trait Union<'de>: Sized {
    /// The names of the variants, by index.
    const VARIANTS: &'static [&'static str];

    /// Reads a value as the variant with this index.
    ///
    /// # Errors
    /// Returns an error if the variant's type refuses the value.
    fn read<D: Deserializer<'de>>(variant: usize, value: D) -> Result<Self, D::Error>;
}

/// A union whose variant a member names.
pub trait TaggedUnion<'de>: Sized {
    /// The name of that one member.
    const TAG: &'static [&'static str; 1];

    /// The values of that member, which name the variants.
    const TAGS: &'static [&'static str];

    /// Reads a value as the variant of that name.
    ///
    /// # Errors
    /// Returns an error if no variant has this name, or if the variant's type
    /// refuses the value.
    fn read<D: Deserializer<'de>>(tag: &str, value: D) -> Result<Self, D::Error>;

    /// Reads a value that names no variant.
    ///
    /// # Errors
    /// Returns an error unless there is a variant for such values, which takes this one.
    fn read_unnamed<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        Err(no_variant())
    }
}

/// A union whose variants have no JSON type in common.
pub trait ByType<'de>: Sized {
    /// The names of the types that variants have.
    const TYPES: &'static [&'static str];

    /// Reads a value as the variant for values of this type.
    ///
    /// # Errors
    /// Returns an error if no variant has values of this type, or if the
    /// variant's type refuses the value.
    fn read<D: Deserializer<'de>>(value_type: ValueType, value: D) -> Result<Self, D::Error>;
}

/// Reads an object as the variant that the text of a member names.
///
/// # Errors
/// Returns an error if the member is missing, is not a string or names no
/// variant, unless one is for such objects, or if the variant's type refuses the object.
pub fn tagged<'de, U: TaggedUnion<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<U, D::Error> {
    deserializer.deserialize_struct(NAMED_FIRST, U::TAG, TaggedVisitor(PhantomData))
}

/// Writes the value of a variant that a member names.
pub mod write {
    use serde::ser::Error as _;
    use serde::{Serialize, Serializer};
    use serde_json::Value;

    use super::Writer;

    /// Writes a value that has the member that names its variant.
    ///
    /// # Errors
    /// Returns the first error of writing the value.
    pub fn own<T: Serialize, S: Serializer>(
        serializer: S,
        _: &str,
        _: &str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        value.serialize(serializer)
    }

    /// Writes a value, with the member that names its variant where an object lacks that.
    ///
    /// # Errors
    /// Returns the first error of writing the value.
    pub fn added<T: Serialize, S: Serializer>(
        serializer: S,
        member: &str,
        tag: &str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        match serde_json::to_value(value).map_err(S::Error::custom)? {
            Value::Object(members) if !members.contains_key(member) => {
                let mut object = Writer::new(serializer);
                object.required(member, &tag);
                let others = members.iter();
                others.for_each(|(name, value)| object.required(name, value));
                object.end()
            }
            _ => value.serialize(serializer),
        }
    }
}

/// Reads a value as the variant for values of its type.
///
/// # Errors
/// Returns an error if no variant has values of this type, or if the variant's
/// type refuses the value.
pub fn by_type<'de, U: ByType<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<U, D::Error> {
    deserializer.deserialize_any(ByTypeVisitor(PhantomData))
}

/// Reads a value as the only variant that `filters`, one for each, do not
/// rule out or, where they leave several, as one that `accepts` says takes it:
/// the one that keeps most of its members, or the first of those.
///
/// # Errors
/// Returns an error if no variant accepts the value or, with `exactly_one`, if
/// several do, or if the variant's type refuses it.
pub fn by_filters<'de, U: Union<'de>, D: Deserializer<'de>>(
    deserializer: D,
    filters: &[VariantFilter],
    exactly_one: bool,
    accepts: impl Fn(usize, &Value) -> bool,
) -> Result<U, D::Error> {
    let value = Buffered::deserialize(deserializer)?;
    if tolerant::is_tolerant() {
        let accepts = |variant, value: &Buffered<'de>, _: &U| {
            let value = value.clone().value();
            value.is_some_and(|value| accepts(variant, &value))
        };
        return best_fit(value, filters, accepts);
    }
    let (first, second) = first_two(variant_filter::left(&value, filters));
    if second.is_none() {
        return read(first, Replay::new(value)).map_err(D::Error::custom);
    }
    let left = variant_filter::ranked(&value, filters, exactly_one);
    let value = value.value().ok_or_else(|| D::Error::custom(REPEATED))?;
    let mut fitting = left.into_iter().filter(|variant| accepts(*variant, &value));
    let found = fitting.next();
    if exactly_one && fitting.next().is_some() {
        return Err(no_variant());
    }
    read(found, value).map_err(D::Error::custom)
}

/// Reads a value as the only variant that `filters`, one for each, do not
/// rule out or, where they leave several, as one that takes it and finds it
/// `valid`: the one that keeps most of its members, or the first of those.
///
/// # Errors
/// Returns an error if no variant accepts the value or, with `exactly_one`, if
/// several do.
pub fn by_trying<'de, U: Union<'de>, D: Deserializer<'de>>(
    deserializer: D,
    filters: &[VariantFilter],
    exactly_one: bool,
    valid: fn(&U) -> bool,
) -> Result<U, D::Error> {
    let mut value = Buffered::deserialize(deserializer)?;
    if tolerant::is_tolerant() {
        return best_fit(value, filters, |_, _, read| valid(read));
    }
    let (first, second) = first_two(variant_filter::left(&value, filters));
    if second.is_none() {
        return read(first, Replay::new(value)).map_err(D::Error::custom);
    }
    // A whole number is an integer however it is written (2020-12 Core, 4.2.3).
    value.make_whole();
    let left = variant_filter::ranked(&value, filters, exactly_one);
    let read = |variant: usize| U::read(variant, Replay::new(value.clone())).ok();
    let mut fitting = left.into_iter().filter_map(read).filter(valid);
    let found = fitting.next().ok_or_else(no_variant)?;
    if exactly_one && fitting.next().is_some() {
        return Err(no_variant());
    }
    Ok(found)
}

/// Selects a variant for a tolerant reader: a strict match that `accepts` the value, else a tolerant match that does,
/// else any variant that can be read. Of several, selects the one that keeps the most properties.
///
/// # Errors
/// Returns an error if no variant can be read.
fn best_fit<'de, U: Union<'de>, E: Error>(
    value: Buffered<'de>,
    filters: &[VariantFilter],
    accepts: impl Fn(usize, &Buffered<'de>, &U) -> bool,
) -> Result<U, E> {
    if let Some(known) = tolerant::chosen::<U>() {
        return read(known, Replay::new(value)).map_err(E::custom);
    }
    let (likely, unlikely) = variant_filter::by_likelihood(&value, filters);
    for variant in &likely {
        let read = tolerant::strictly(|| U::read(*variant, Replay::new(value.clone())));
        _ = tolerant::take_failure();
        if let Ok(read) = read
            && accepts(*variant, &value, &read)
        {
            tolerant::choose::<U>(Some(*variant));
            return Ok(read);
        }
    }
    let mut fallback = None;
    let mut tried = Vec::new();
    for variant in likely.into_iter().chain(unlikely) {
        match U::read(variant, Replay::new(value.clone())) {
            Ok(read) if accepts(variant, &value, &read) => {
                tolerant::choose::<U>(Some(variant));
                return Ok(read);
            }
            Ok(read) => fallback = fallback.or(Some((variant, read))),
            Err(_) => {
                let name = U::VARIANTS.get(variant).copied().unwrap_or_default();
                tried.extend(tolerant::take_failure().map(|error| (name, error)));
            }
        }
    }
    if let Some((variant, read)) = fallback {
        tolerant::choose::<U>(Some(variant));
        return Ok(read);
    }
    tolerant::fail_all(&value, tried);
    tolerant::choose::<U>(None);
    Err(no_variant())
}

fn first_two(mut left: impl Iterator<Item = usize>) -> (Option<usize>, Option<usize>) {
    (left.next(), left.next())
}

/// Refuses a value whose type no variant has.
///
/// # Errors
/// Always.
pub fn of_no_type<'de, U, D: Deserializer<'de>>(_: D) -> Result<U, D::Error> {
    Err(no_variant())
}

const NO_VARIANT: &str = "no variant, or more than one, fits";

/// The error where no variant fits, or more than one.
#[must_use]
pub fn no_variant<E: Error>() -> E {
    E::custom(NO_VARIANT)
}

fn read<'de, U: Union<'de>, D: Deserializer<'de>>(
    variant: Option<usize>,
    value: D,
) -> Result<U, D::Error> {
    U::read(variant.ok_or_else(no_variant)?, value)
}

struct TaggedVisitor<U>(PhantomData<U>);

impl<'de, U: TaggedUnion<'de>> Visitor<'de> for TaggedVisitor<U> {
    type Value = U;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [member] = *U::TAG;
        write!(f, "an object with the member {member}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<U, A::Error> {
        let [member] = *U::TAG;
        if tolerant::is_located() {
            return located(members);
        }
        let mut before = Vec::new();
        while let Some(Name(name)) = members.next_key()? {
            let value: Buffered<'de> = members.next_value()?;
            if name == member {
                let tag = match &value {
                    Buffered::Text(tag) => Some(tag.clone()),
                    _ => None,
                };
                let value = Members::after(member, value, before, members);
                return match tag {
                    Some(tag) => U::read(&tag, value),
                    None => U::read_unnamed(value),
                };
            }
            before.push((name, value));
        }
        let value = Replay::new(Buffered::Object(before));
        U::read_unnamed(value).map_err(A::Error::custom)
    }
}

/// Reads a union from a tree, which records locations.
fn located<'de, U: TaggedUnion<'de>, A: MapAccess<'de>>(members: A) -> Result<U, A::Error> {
    let [property] = *U::TAG;
    let value = object(members)?;
    let tag = match &value {
        Buffered::Object(properties) => {
            let mut properties = properties.iter();
            properties.find(|(name, _)| name == property)
        }
        _ => None,
    };
    let tag = tag.map(|(_, tag)| tag.clone());
    let read = match &tag {
        Some(Buffered::Text(tag)) => U::read(tag, Replay::new(value)),
        _ => U::read_unnamed(Replay::new(value)),
    };
    read.map_err(|error| {
        if tolerant::has_failed_here(NO_VARIANT) {
            tolerant::fail_tag(property, U::TAGS, tag.as_ref());
        }
        A::Error::custom(error)
    })
}

struct ByTypeVisitor<U>(PhantomData<U>);

impl<'de, U: ByType<'de>> ByTypeVisitor<U> {
    fn scalar<E: Error>(self, value: Buffered<'de>) -> Result<U, E> {
        if !tolerant::is_located() {
            return U::read(ValueType::of(&value), Replay::new(value)).map_err(E::custom);
        }
        U::read(ValueType::of(&value), Replay::new(value.clone())).map_err(|error| {
            if tolerant::has_failed_here(NO_VARIANT) {
                tolerant::fail_type(U::TYPES, &value);
            }
            E::custom(error)
        })
    }
}

impl<'de, U: ByType<'de>> Visitor<'de> for ByTypeVisitor<U> {
    type Value = U;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of one of the union's types")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<U, E> {
        self.scalar(Buffered::Bool(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<U, E> {
        self.scalar(Buffered::Unsigned(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<U, E> {
        self.scalar(Buffered::Signed(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<U, E> {
        self.scalar(Buffered::Float(value))
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<U, E> {
        self.scalar(exact(Number::from_i128(value))?)
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<U, E> {
        self.scalar(exact(Number::from_u128(value))?)
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<U, E> {
        self.scalar(Buffered::Text(text.into()))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<U, E> {
        self.visit_string(text.to_owned())
    }

    fn visit_string<E: Error>(self, text: String) -> Result<U, E> {
        self.scalar(Buffered::Text(text.into()))
    }

    fn visit_unit<E: Error>(self) -> Result<U, E> {
        self.scalar(Buffered::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<U, A::Error> {
        if tolerant::is_located() {
            return self.scalar(list(items)?);
        }
        U::read(ValueType::Array, Items(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<U, A::Error> {
        if tolerant::is_located() {
            return self.scalar(object(members)?);
        }
        let first = members.next_key()?.map(|Name(name)| name);
        if first.as_deref() != Some(NUMBER) {
            return U::read(ValueType::Object, Members::from(first, members));
        }
        let begun = vec![(NUMBER.into(), members.next_value()?)];
        match number_of(&begun) {
            Some(number) => self.scalar(Buffered::Number(number)),
            None => U::read(ValueType::Object, Members::on(begun, members)),
        }
    }
}
