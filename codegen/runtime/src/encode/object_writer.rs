//! Writes an object from members of which some are already encoded.
//!
//! For generated constructors only: they know that the members they write are
//! those of the type that they promise.

use bytes::Bytes;
use serde::Serialize;

use crate::encode::encoded::Encoded;

/// A member of an object: a value, or one that is encoded already.
#[derive(Debug)]
pub enum Part<'a, T: ?Sized> {
    /// To be encoded.
    Value(&'a T),
    /// To be copied.
    Encoded(&'a Encoded<T>),
}

impl<'a, T: ?Sized> From<&'a T> for Part<'a, T> {
    fn from(value: &'a T) -> Self {
        Self::Value(value)
    }
}

impl<'a, T> From<&'a Encoded<T>> for Part<'a, T> {
    fn from(encoded: &'a Encoded<T>) -> Self {
        Self::Encoded(encoded)
    }
}

/// An object that is being written.
#[derive(Debug)]
pub struct ObjectWriter {
    /// `None` once a member could not be encoded.
    text: Option<Vec<u8>>,
}

impl Default for ObjectWriter {
    fn default() -> Self {
        Self::new()
    }
}

impl ObjectWriter {
    /// An object without members.
    #[must_use]
    pub fn new() -> Self {
        Self {
            text: Some(vec![b'{']),
        }
    }

    /// Writes a member. Names are not checked to be distinct.
    #[must_use]
    pub fn member<T: Serialize + ?Sized>(self, name: &str, part: Part<'_, T>) -> Self {
        let text = self.text.and_then(|text| match part {
            Part::Value(value) => write(text, name, |text| serde_json::to_writer(text, value).ok()),
            Part::Encoded(encoded) => {
                let bytes = encoded.bytes().ok()?;
                write(text, name, |text| {
                    text.extend_from_slice(bytes);
                    Some(())
                })
            }
        });
        Self { text }
    }

    /// The object, which the caller vouches to be a `T`.
    #[must_use]
    pub fn finish<T: ?Sized>(self) -> Encoded<T> {
        let text = self.text.map(|mut text| {
            text.push(b'}');
            Bytes::from(text)
        });
        Encoded::assume(text)
    }
}

fn write(
    mut text: Vec<u8>,
    name: &str,
    value: impl FnOnce(&mut Vec<u8>) -> Option<()>,
) -> Option<Vec<u8>> {
    if text.len() > 1 {
        text.push(b',');
    }
    serde_json::to_writer(&mut text, name).ok()?;
    text.push(b':');
    value(&mut text)?;
    Some(text)
}
