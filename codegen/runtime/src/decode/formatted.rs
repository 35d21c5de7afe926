//! Rust types that stand for strings of a `format`: how they are read and
//! written, and the text that one was read from.
//!
//! The types themselves are generated, one for each format of the contract
//! that has one.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::decode::{loose_formats, tolerant};
use json_schema::format;

/// Implements `From`, `FromStr`, `Display`, `Serialize` and `Deserialize` for a
/// struct around the value of a format's strings.
///
/// The value is read from a text by its `FromStr` and written by its `Display`,
/// unless an expression says otherwise.
///
/// ```ignore
/// formatted!(Count(u64) = "count");
/// formatted!(Hex(u64) = "hex", read text => parse_hex(text), write value => format_args!("{value:x}"));
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! formatted {
    (
        $name:ident($inner:ty) = $format:literal
        $(, read $text:ident => $read:expr)?
        $(, write $value:ident => $shown:expr)?
    ) => {
        impl ::std::convert::From<$inner> for $name {
            fn from(value: $inner) -> Self {
                Self(value)
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = $crate::__private::formatted::Mismatch;

            fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
                let read = |text: &str| $crate::formatted!(@read text $($text $read)?);
                $crate::__private::formatted::read($format, text, read).map(Self)
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                let value = &self.0;
                $crate::formatted!(@write value f $($value $shown)?)
            }
        }

        impl $crate::__private::serde::Serialize for $name {
            fn serialize<S: $crate::__private::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::std::result::Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> $crate::__private::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::__private::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::std::result::Result<Self, D::Error> {
                $crate::__private::formatted::deserialize(deserializer)
            }
        }
    };
    (@read $given:ident) => {
        $given.parse()
    };
    (@read $given:ident $text:ident $read:expr) => {{
        let $text = $given;
        $read
    }};
    (@write $given:ident $f:ident) => {
        ::std::fmt::Display::fmt($given, $f)
    };
    (@write $given:ident $f:ident $value:ident $shown:expr) => {{
        let $value = $given;
        ::std::write!($f, "{}", $shown)
    }};
}

/// A text is not of its format, or its type cannot hold it. Why is for the
/// schema interpreter to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mismatch;

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the text is not of its format")
    }
}

impl std::error::Error for Mismatch {}

/// Reads a text of `format`: it must pass the runtime's check of the format, and `parse` must take it. A tolerant
/// reader also normalizes the text.
///
/// # Errors
/// Returns [`Mismatch`] if `text` breaks a rule that the runtime has for the
/// format, or if `parse` refuses it.
pub fn read<T, E>(
    format: &str,
    text: &str,
    parse: impl Fn(&str) -> Result<T, E>,
) -> Result<T, Mismatch> {
    if format::is_valid(format, text)
        && let Ok(value) = parse(text)
    {
        return Ok(value);
    }
    if !tolerant::is_tolerant() {
        return Err(Mismatch);
    }
    let normalized = loose_formats::normalize(format, text);
    parse(&normalized)
        .or_else(|_| parse(text))
        .map_err(|_| Mismatch)
}

/// Whether `text` is one of `T`'s.
#[must_use]
pub fn is<T: FromStr>(text: &str) -> bool {
    text.parse::<T>().is_ok()
}

/// Reads a string as a `T`.
///
/// # Errors
/// Returns an error if the value is not a string, or if `T` cannot be parsed
/// from it.
pub fn deserialize<'de, D: Deserializer<'de>, T: FromStr>(deserializer: D) -> Result<T, D::Error> {
    struct Text<T>(PhantomData<T>);

    impl<T: FromStr> Text<T> {
        /// Reads a number as its string. Only a tolerant reader accepts it.
        fn number<E: Error>(
            self,
            number: impl fmt::Display,
            received: Unexpected<'_>,
        ) -> Result<T, E> {
            match tolerant::is_tolerant() {
                // `@` marks a Unix time, as for `date --date`.
                true => {
                    let text = number.to_string();
                    let read = text.parse().or_else(|_| format!("@{text}").parse());
                    read.map_err(|_| E::invalid_type(received, &self))
                }
                false => Err(E::invalid_type(received, &self)),
            }
        }
    }

    impl<T: FromStr> Visitor<'_> for Text<T> {
        type Value = T;

        fn visit_u64<E: Error>(self, number: u64) -> Result<T, E> {
            self.number(number, Unexpected::Unsigned(number))
        }

        fn visit_i64<E: Error>(self, number: i64) -> Result<T, E> {
            self.number(number, Unexpected::Signed(number))
        }

        fn visit_f64<E: Error>(self, number: f64) -> Result<T, E> {
            let text = number.to_string();
            let digits = text.bytes().filter(u8::is_ascii_digit).count();
            match digits <= f64::DIGITS as usize {
                true => self.number(text, Unexpected::Float(number)),
                // The float may have lost digits.
                false => Err(E::invalid_type(Unexpected::Float(number), &self)),
            }
        }

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a string of its format")
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
            let read = text.parse();
            read.map_err(|_| E::invalid_value(Unexpected::Str(text), &self))
        }
    }

    deserializer.deserialize_str(Text(PhantomData))
}

/// A value together with the text that it was read from, for schemas that have a `pattern` or a length beside the
/// format.
///
/// It is written as it was read. One that is made from a value is written as
/// the value prints itself.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Verbatim<T> {
    value: T,
    text: Box<str>,
}

impl<T> Verbatim<T> {
    /// The text, as it was read.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The value.
    #[must_use]
    pub const fn value(&self) -> &T {
        &self.value
    }

    /// The value without its text.
    #[must_use]
    pub fn into_value(self) -> T {
        self.value
    }
}

impl<T: fmt::Display> From<T> for Verbatim<T> {
    fn from(value: T) -> Self {
        let text = value.to_string().into_boxed_str();
        Self { value, text }
    }
}

impl<T: FromStr> FromStr for Verbatim<T> {
    type Err = T::Err;

    fn from_str(text: &str) -> Result<Self, T::Err> {
        let value = text.parse()?;
        let text = text.into();
        Ok(Self { value, text })
    }
}

impl<T> fmt::Display for Verbatim<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl<T> Serialize for Verbatim<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de, T: FromStr> Deserialize<'de> for Verbatim<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize(deserializer)
    }
}
