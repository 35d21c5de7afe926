//! The values of the parameters in a path, from the template that it matched.
//!
//! Captures are kept as they stand in the path and decoded when they are
//! read, because a comma that separates array items and a comma inside an
//! item (`%2C`) only differ before decoding.

use std::borrow::Cow;
use std::ops::Range;

use http::uri::PathAndQuery;
use percent_encoding::percent_decode_str;

use crate::http::operation::Operation;
use crate::http::segment::{Segment, segments};

/// Percent-encoding that decodes to octets which are not UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadUtf8;

/// The captures of one request.
#[derive(Debug, Clone, Default)]
pub struct Captures {
    path: Option<PathAndQuery>,
    found: Found,
    /// The operation, if several of its parameters are in one segment.
    shared: Option<&'static Operation>,
}

/// Names of parameters, each with a range of the path.
pub(crate) type Found = Vec<(&'static str, Range<usize>)>;

impl Captures {
    /// Captures by name, as ranges of the path of `path`; `None` where a name
    /// that the template has several times has several values.
    pub(crate) fn new(
        path: PathAndQuery,
        found: Found,
        shared: Option<&'static Operation>,
    ) -> Option<Self> {
        let captures = Self {
            path: Some(path),
            found,
            shared,
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
        self.raw_of(&self.found, name)
    }

    /// The same of captures that [`Self::fitting`] found.
    pub(crate) fn raw_of(&self, found: &Found, name: &str) -> Option<&str> {
        let (_, range) = found.iter().find(|(found, _)| *found == name)?;
        self.at(range)
    }

    /// Other captures than the first: where parameters share a segment that can be divided among them
    /// in several ways, and in one of these alone all texts fit their parameters.
    pub(crate) fn fitting(&self, fits: impl Fn(&str, &str) -> bool) -> Option<Found> {
        let operation = self.shared?;
        let path = self.path.as_ref()?.path();
        let templates = segments(operation.base_path).chain(segments(operation.path));
        let mut other = None;
        let mut start = 1;
        for (template, text) in templates.zip(segments(path)) {
            let (segment, names) = Segment::parse(template);
            let divisions = match names.len() {
                0 | 1 => Vec::new(),
                _ => segment.divisions(text),
            };
            let is_fitting = |division: &&Vec<Range<usize>>| {
                let mut all = names.iter().zip(division.iter());
                all.all(|(name, range)| {
                    text.get(range.clone()).is_some_and(|text| fits(name, text))
                })
            };
            let mut fitting = divisions.iter().filter(is_fitting);
            if divisions.len() > 1
                && let (Some(only), None) = (fitting.next(), fitting.next())
            {
                let found: &mut Found = other.get_or_insert_with(|| self.found.clone());
                for (name, range) in names.iter().zip(only) {
                    let mut known = found.iter_mut();
                    if let Some((_, place)) = known.find(|(known, _)| known == name) {
                        *place = start + range.start..start + range.end;
                    }
                }
            }
            start += text.len() + 1;
        }
        other
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
