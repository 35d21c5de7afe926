//! The values of the parameters in a path, from the template that it matched.
//!
//! Captures are kept as they stand in the path and decoded when they are
//! read, because a comma that separates array items and a comma inside an
//! item (`%2C`) only differ before decoding.

use std::borrow::Cow;
use std::ops::Range;

use http::uri::PathAndQuery;
use percent_encoding::percent_decode_str;

/// Percent-encoding that decodes to octets which are not UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadUtf8;

/// The captures of one request.
#[derive(Debug, Clone, Default)]
pub struct Captures {
    path: Option<PathAndQuery>,
    found: Vec<(&'static str, Range<usize>)>,
}

impl Captures {
    /// Captures by name, as ranges of the path of `path`; `None` where a name
    /// that the template has several times has several values.
    pub(crate) fn new(
        path: PathAndQuery,
        found: Vec<(&'static str, Range<usize>)>,
    ) -> Option<Self> {
        let captures = Self {
            path: Some(path),
            found,
        };
        let mut names = captures.found.iter();
        let agree = names.all(|(name, range)| {
            let both = captures.raw(name).zip(captures.at(range));
            both.is_some_and(|(first, this)| are_same(first, this))
        });
        agree.then_some(captures)
    }

    /// The text of a capture as it stands in the path, still encoded.
    #[must_use]
    pub fn raw(&self, name: &str) -> Option<&str> {
        let (_, range) = self.found.iter().find(|(found, _)| *found == name)?;
        self.at(range)
    }

    fn at(&self, range: &Range<usize>) -> Option<&str> {
        self.path.as_ref()?.path().get(range.clone())
    }

    /// The decoded text of a capture.
    ///
    /// # Errors
    /// Returns [`BadUtf8`] if the decoded octets are not UTF-8.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Result<Cow<'_, str>, BadUtf8>> {
        self.raw(name).map(decode)
    }
}

/// Whether two captures are the same text, however each is encoded.
pub(crate) fn are_same(one: &str, other: &str) -> bool {
    one == other || decode(one) == decode(other)
}

/// Undoes percent-encoding (RFC 3986, section 2.1). A `%` that begins no
/// triplet stands for itself.
///
/// # Errors
/// Returns [`BadUtf8`] if the decoded octets are not UTF-8.
pub(crate) fn decode(text: &str) -> Result<Cow<'_, str>, BadUtf8> {
    if !text.contains('%') {
        return Ok(Cow::Borrowed(text));
    }
    percent_decode_str(text).decode_utf8().map_err(|_| BadUtf8)
}
