//! Values that are already JSON text, and keep their types.
//!
//! The bytes of an [`Encoded<T>`] were made by encoding a `T`, joined from such
//! bytes, or read as a `T`, so a response that takes a `T` can take them as they
//! are: a snapshot is encoded once and served many times.

use std::borrow::Cow;
use std::fmt;
use std::sync::Mutex;

use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::decode::json_single;
use crate::decode::tolerant::{ReadError, read_json};

/// A `T` as JSON text. Cheap to clone.
pub struct Encoded<T: ?Sized> {
    /// `None` where the value could not be encoded, which is found out when
    /// the bytes are wanted.
    bytes: Option<Bytes>,
    /// The value of the bytes, if they have been read, until it is taken.
    read: Mutex<Option<Box<T>>>,
}

/// A value that JSON cannot write, such as a map whose keys are no strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotEncodable;

impl fmt::Display for NotEncodable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value cannot be written as JSON")
    }
}

impl std::error::Error for NotEncodable {}

impl<T: ?Sized> Encoded<T> {
    /// Bytes of which the caller knows that they encode a `T`.
    pub(crate) const fn assume(bytes: Option<Bytes>) -> Self {
        Self {
            bytes,
            read: Mutex::new(None),
        }
    }

    /// The JSON text.
    ///
    /// # Errors
    /// Returns [`NotEncodable`] if the value could not be encoded.
    pub fn bytes(&self) -> Result<&Bytes, NotEncodable> {
        self.bytes.as_ref().ok_or(NotEncodable)
    }
}

impl<T: Serialize + ?Sized> Encoded<T> {
    /// Encodes a value. That it cannot be encoded is said by
    /// [`Encoded::bytes`].
    #[must_use]
    pub fn new(value: &T) -> Self {
        Self::assume(serde_json::to_vec(value).ok().map(Bytes::from))
    }
}

impl<T: DeserializeOwned> Encoded<T> {
    /// Decodes a `T` and encodes it again: members that a `T` does not have are gone.
    ///
    /// # Errors
    /// Returns an error if `bytes` are not JSON or do not match `T`.
    pub fn parse(bytes: &[u8]) -> Result<Self, serde_json::Error>
    where
        T: Serialize,
    {
        json_single::from_slice::<T>(bytes).map(|value| Self::new(&value))
    }

    /// Bytes that were read as `value`, which is kept for the first [`Encoded::decode`]. They stay as they came.
    #[cfg(feature = "client")]
    pub(crate) fn received(bytes: Bytes, value: T) -> Self {
        Self {
            bytes: Some(bytes),
            read: Mutex::new(Some(Box::new(value))),
        }
    }

    /// The value.
    ///
    /// # Errors
    /// Returns an error if the value could not be encoded, or if `T` refuses
    /// its own JSON.
    pub fn decode(&self) -> Result<T, ReadError> {
        let read = self.read.lock().ok().and_then(|mut read| read.take());
        if let Some(value) = read {
            return Ok(*value);
        }
        let bytes = self.bytes.as_deref();
        read_json(bytes.ok_or_else(|| ReadError::because(NotEncodable.to_string()))?)
    }
}

impl<T> Encoded<Vec<T>> {
    /// A list from items that are already encoded.
    #[must_use]
    pub fn join<'a>(items: impl IntoIterator<Item = &'a Encoded<T>>) -> Self
    where
        T: 'a,
    {
        let mut text = vec![b'['];
        for item in items {
            let Some(bytes) = &item.bytes else {
                return Self::assume(None);
            };
            if text.len() > 1 {
                text.push(b',');
            }
            text.extend_from_slice(bytes);
        }
        text.push(b']');
        Self::assume(Some(text.into()))
    }
}

impl<T: ?Sized> Clone for Encoded<T> {
    fn clone(&self) -> Self {
        Self::assume(self.bytes.clone())
    }
}

impl<T: ?Sized> fmt::Debug for Encoded<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self
            .bytes
            .as_deref()
            .map_or(Cow::Borrowed("not encodable"), String::from_utf8_lossy);
        f.debug_tuple("Encoded").field(&text).finish()
    }
}

impl<T: ?Sized> PartialEq for Encoded<T> {
    /// Whether the texts are the same, byte for byte.
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl<T: Serialize> From<T> for Encoded<T> {
    fn from(value: T) -> Self {
        Self::new(&value)
    }
}

impl<T: Serialize + ?Sized> From<&T> for Encoded<T> {
    fn from(value: &T) -> Self {
        Self::new(value)
    }
}
