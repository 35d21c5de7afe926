//! Headers that are sent in several lines.
//!
//! The lines of a header are one text, joined by commas (RFC 9110, section 5.3).
//! `Set-Cookie` is the exception: each of its lines sets a cookie.

use std::borrow::Cow;

use http::HeaderMap;
use http::header::SET_COOKIE;

use crate::decode::candidates;
use crate::decode::param::{Param, ParamShape};
use crate::decode::param_text::{self, Flaw};
use json_schema::coerce::raw::Raw;

/// The lines of a header.
pub(crate) enum Lines<'r> {
    /// One text.
    Joined(Cow<'r, str>),
    /// A text for each line, the first apart from the others.
    Apart(&'r str, Vec<&'r str>),
}

/// The lines of a header: `None` if it is absent, `Some(None)` if a line is no text.
pub(crate) fn of<'r>(headers: &'r HeaderMap, name: &str) -> Option<Option<Lines<'r>>> {
    let mut lines = headers.get_all(name).iter();
    let first = lines.next()?;
    let text = |line: &'r http::HeaderValue| std::str::from_utf8(line.as_bytes()).ok();
    let others = || lines.map(text).collect::<Option<Vec<_>>>();
    Some(text(first).zip(others()).map(|(first, others)| {
        if is_cookies(name) {
            return Lines::Apart(first, others);
        }
        let joined = |all: Cow<'r, str>, line| Cow::Owned(format!("{all}, {line}"));
        Lines::Joined(others.into_iter().fold(Cow::Borrowed(first), joined))
    }))
}

/// A header of a single value, as [`of`]. Equal lines count as one, because proxies repeat them.
pub(crate) fn one<'r>(headers: &'r HeaderMap, name: &str) -> Option<Option<Cow<'r, str>>> {
    let mut lines = headers.get_all(name).iter();
    let first = lines.next()?;
    if lines.all(|line| line == first) {
        let text = std::str::from_utf8(first.as_bytes()).ok();
        return Some(text.map(Cow::Borrowed));
    }
    Some(of(headers, name)?.map(|lines| Cow::Owned(lines.text().to_owned())))
}

/// The value of an absent header: an empty list, if each item would have a line.
pub(crate) fn absent(param: &Param) -> Option<Raw<'static>> {
    let is_list = matches!(param.shape, ParamShape::Array);
    (is_list && is_cookies(param.name)).then(|| Raw::List(Vec::new()))
}

/// Whether each item of a list has a line of its own.
pub(crate) fn is_cookies(name: &str) -> bool {
    name.eq_ignore_ascii_case(SET_COOKIE.as_str())
}

impl Lines<'_> {
    /// The text where a single one is read.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Joined(text) => text,
            Self::Apart(first, _) => first,
        }
    }

    /// The values that it may stand for, in the style `simple`.
    pub(crate) fn readings(&self, param: &Param) -> Result<Vec<Raw<'_>>, Flaw> {
        match self {
            Self::Joined(text) => candidates::of_text(param, text),
            Self::Apart(first, others) => {
                let take = |one: &Param| match one.shape {
                    ParamShape::Array => {
                        let all = std::iter::once(first).chain(others);
                        let items = all.map(|line| Raw::Text(Cow::Borrowed(*line)));
                        Ok(Some(Raw::List(items.collect())))
                    }
                    _ => param_text::single(one, first, param_text::verbatim).map(Some),
                };
                match param.shape {
                    ParamShape::AnyOf(shapes) => candidates::readings(param, shapes, take),
                    _ => take(param).map(|raw| raw.into_iter().collect()),
                }
            }
        }
    }
}
