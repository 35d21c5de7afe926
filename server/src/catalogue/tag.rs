//! Entity tags (RFC 9110, section 8.8.3).

use std::fmt;

use generated::Encoded;
use sha2::{Digest, Sha256};

/// A strong entity tag: what it names is the same byte for byte where the tag is the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag([u8; LEN]);

/// Half of a SHA-256 in hexadecimal digits, in quotes.
const LEN: usize = 2 + 32;

impl Tag {
    /// The tag of the bytes of an answer.
    pub fn of(bytes: &[u8]) -> Tag {
        Tag::of_parts([bytes])
    }

    /// The tag of an answer that is put together of parts; what the parts are of, the caller says
    /// by what it names here.
    pub fn of_parts<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Tag {
        let mut hasher = Sha256::new();
        for part in parts {
            hasher.update(part);
        }
        let digest: [u8; 32] = hasher.finalize().into();
        let digits = alloy_primitives::hex::encode(digest);
        let mut tag = [b'"'; LEN];
        let places = tag.iter_mut().skip(1).take(LEN - 2);
        places
            .zip(digits.bytes())
            .for_each(|(place, digit)| *place = digit);
        Tag(tag)
    }

    /// The tag as headers have it, in quotes.
    pub fn as_str(&self) -> &str {
        // It is made of ASCII.
        str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An encoded body with its entity tag.
#[derive(Debug, Clone)]
pub struct Tagged<T> {
    /// The body.
    pub body: Encoded<T>,
    /// Its tag.
    pub tag: Tag,
}

impl<T> Tagged<T> {
    /// Tags a body by its bytes.
    pub fn new(body: Encoded<T>) -> Tagged<T> {
        let tag = Tag::of(body.bytes().map(AsRef::as_ref).unwrap_or_default());
        Tagged { body, tag }
    }
}
