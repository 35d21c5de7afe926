//! Members that can only have one value (`const`), or one of a few (`enum`).

use std::fmt;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::integer::Integer;
use super::tolerant;

/// Implements `Serialize` and `Deserialize` for the struct of one value.
///
/// ```ignore
/// constant!(CircleKind = "circle");
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! constant {
    ($name:ident = $value:expr) => {
        impl $crate::__private::serde::Serialize for $name {
            fn serialize<S: $crate::__private::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::std::result::Result<S::Ok, S::Error> {
                $crate::__private::serde::Serialize::serialize(&$value, serializer)
            }
        }

        impl<'de> $crate::__private::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::__private::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::std::result::Result<Self, D::Error> {
                $crate::__private::constant::read(deserializer, $value).map(|()| Self)
            }
        }
    };
}

/// Implements `as_str`, `Serialize` and `Deserialize` for an enum of strings. After `..` is a variant for unlisted
/// strings, which only a tolerant reader accepts.
///
/// ```ignore
/// string_enum!(Order { Title = "title", Author = "author", });
/// string_enum!(Status { Paid = "paid", .. Unknown });
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! string_enum {
    ($name:ident { $($variant:ident = $wire:literal,)* }) => {
        impl $name {
            /// The string on the wire.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $wire,)* }
            }
        }

        $crate::string_enum!(@serde $name one_of($(($wire, Self::$variant)),*));
    };
    ($name:ident { $($variant:ident = $wire:literal,)* .. $unknown:ident }) => {
        impl $name {
            /// The string on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $wire,)*
                    Self::$unknown(text) => text,
                }
            }
        }

        $crate::string_enum!(@serde $name one_of_or($(($wire, Self::$variant)),*) Self::$unknown);
    };
    (@serde $name:ident $read:ident($($row:expr),*) $($unknown:expr)?) => {
        impl $crate::__private::serde::Serialize for $name {
            fn serialize<S: $crate::__private::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::std::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> $crate::__private::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::__private::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::std::result::Result<Self, D::Error> {
                $crate::__private::constant::$read(deserializer, &[$($row),*] $(, $unknown)?)
            }
        }
    };
}

/// Implements `as_i64`, `Serialize` and `Deserialize` for an enum of integers.
///
/// ```ignore
/// integer_enum!(Animal { Cat = 1, Dog = 2 });
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! integer_enum {
    ($name:ident { $($variant:ident = $wire:literal,)* }) => {
        impl $name {
            /// The integer on the wire.
            pub fn as_i64(self) -> i64 {
                match self { $(Self::$variant => $wire,)* }
            }
        }

        impl $crate::__private::serde::Serialize for $name {
            fn serialize<S: $crate::__private::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::std::result::Result<S::Ok, S::Error> {
                serializer.serialize_i64(self.as_i64())
            }
        }

        impl<'de> $crate::__private::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::__private::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::std::result::Result<Self, D::Error> {
                $crate::__private::constant::one_integer_of(
                    deserializer,
                    &[$(($wire, Self::$variant)),*],
                )
            }
        }
    };
}

/// A value that may be the only one: a text, a truth value, a number or `()`.
pub trait Constant: Serialize {
    /// The type that it is read as.
    type Read<'de>: Deserialize<'de>;

    /// Whether `read` is this value.
    fn is(&self, read: &Self::Read<'_>) -> bool;

    /// The read value, for error messages.
    fn shown<'r>(read: &'r Self::Read<'_>) -> Unexpected<'r>;
}

impl Constant for &str {
    type Read<'de> = std::borrow::Cow<'de, str>;

    fn is(&self, read: &Self::Read<'_>) -> bool {
        read == self
    }

    fn shown<'r>(read: &'r Self::Read<'_>) -> Unexpected<'r> {
        Unexpected::Str(read)
    }
}

impl Constant for bool {
    type Read<'de> = bool;

    fn is(&self, read: &bool) -> bool {
        read == self
    }

    fn shown<'r>(read: &'r bool) -> Unexpected<'r> {
        Unexpected::Bool(*read)
    }
}

impl Constant for i64 {
    type Read<'de> = i64;

    fn is(&self, read: &i64) -> bool {
        read == self
    }

    fn shown<'r>(read: &'r i64) -> Unexpected<'r> {
        Unexpected::Signed(*read)
    }
}

impl Constant for f64 {
    type Read<'de> = f64;

    fn is(&self, read: &f64) -> bool {
        // The contract's number and the request's went through the same parser.
        read.total_cmp(self).is_eq() || read == self
    }

    fn shown<'r>(read: &'r f64) -> Unexpected<'r> {
        Unexpected::Float(*read)
    }
}

impl Constant for () {
    type Read<'de> = ();

    fn is(&self, (): &()) -> bool {
        true
    }

    fn shown<'r>((): &'r ()) -> Unexpected<'r> {
        Unexpected::Unit
    }
}

/// Reads the one value that is allowed.
///
/// # Errors
/// Returns an error if the value is not `expected`.
pub fn read<'de, D: Deserializer<'de>, T: Constant>(
    deserializer: D,
    expected: T,
) -> Result<(), D::Error> {
    let read = T::Read::<'de>::deserialize(deserializer)?;
    if expected.is(&read) {
        return Ok(());
    }
    let expected = serde_json::to_string(&expected).unwrap_or_default();
    Err(D::Error::invalid_value(T::shown(&read), &&*expected))
}

/// Reads one of the allowed texts, as its value.
///
/// # Errors
/// Returns an error if the value is not one of the `allowed` texts.
pub fn one_of<'de, D: Deserializer<'de>, T: Clone>(
    deserializer: D,
    allowed: &[(&'static str, T)],
) -> Result<T, D::Error> {
    let unknown = None;
    deserializer.deserialize_str(OneOf { allowed, unknown })
}

/// Like [`one_of`], but a tolerant reader accepts other strings as `unknown`.
///
/// # Errors
/// Returns the errors of [`one_of`].
pub fn one_of_or<'de, D: Deserializer<'de>, T: Clone>(
    deserializer: D,
    allowed: &[(&'static str, T)],
    unknown: fn(String) -> T,
) -> Result<T, D::Error> {
    let unknown = Some(unknown).filter(|_| tolerant::is_tolerant());
    deserializer.deserialize_str(OneOf { allowed, unknown })
}

/// Reads one of the allowed integers, as its value; `1.0` is an integer.
///
/// # Errors
/// Returns an error if the value is not one of the `allowed` integers.
pub fn one_integer_of<'de, D: Deserializer<'de>, T: Copy>(
    deserializer: D,
    allowed: &[(i64, T)],
) -> Result<T, D::Error> {
    let read = Integer::deserialize(deserializer)?;
    let found = allowed.iter().find(|(number, _)| read == *number);
    let meant = found.map(|(_, meant)| *meant);
    meant.ok_or_else(|| {
        let allowed = allowed.iter().map(|(number, _)| number.to_string());
        let allowed = allowed.collect::<Vec<_>>().join(", ");
        D::Error::custom(format_args!("expected one of {allowed}, received {read}"))
    })
}

struct OneOf<'a, T> {
    allowed: &'a [(&'static str, T)],
    /// The variant for unlisted strings.
    unknown: Option<fn(String) -> T>,
}

impl<T: Clone> Visitor<'_> for OneOf<'_, T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("one of")?;
        for (index, (text, _)) in self.allowed.iter().enumerate() {
            let separator = if index == 0 { " " } else { ", " };
            write!(f, "{separator}{text:?}")?;
        }
        Ok(())
    }

    fn visit_str<E: Error>(self, read: &str) -> Result<T, E> {
        let mut allowed = self.allowed.iter();
        let found = allowed.find(|(text, _)| *text == read);
        let meant = found.map(|(_, meant)| meant.clone());
        let meant = meant.or_else(|| self.unknown.map(|unknown| unknown(read.to_owned())));
        meant.ok_or_else(|| E::invalid_value(Unexpected::Str(read), &self))
    }
}
