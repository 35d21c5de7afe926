//! Headers that stand on several lines.
//!
//! The lines of a header are one text, with commas between them (RFC 9110,
//! section 5.3), but for cookies: each line sets one.

use std::borrow::Cow;

use http::header::SET_COOKIE;
use http::{HeaderMap, HeaderName};

use crate::decode::candidates;
use crate::decode::param::{Param, ParamShape};
use crate::decode::param_text::{self, Flaw};
use json_schema::coerce::raw::Raw;

/// A header that is there.
pub(crate) enum Lines<'r> {
    /// One text.
    Joined(Cow<'r, str>),
    /// A text for each line, the first apart from the others.
    Apart(&'r str, Vec<&'r str>),
}

/// Whether each item of a list has a line of its own.
pub(crate) fn are_apart(name: &HeaderName) -> bool {
    *name == SET_COOKIE
}

/// A header that may be there; nothing in it where that is no text.
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

/// A header of one value that may be there; a proxy may have said the same again.
pub(crate) fn one<'r>(headers: &'r HeaderMap, name: &str) -> Option<Option<Cow<'r, str>>> {
    let mut lines = headers.get_all(name).iter();
    let first = lines.next()?;
    if lines.all(|line| line == first) {
        let text = std::str::from_utf8(first.as_bytes()).ok();
        return Some(text.map(Cow::Borrowed));
    }
    Some(of(headers, name)?.map(|lines| Cow::Owned(lines.text().to_owned())))
}

/// What a header is where it is not there: a list whose items have a line each
/// has none where it is empty.
pub(crate) fn absent(param: &Param) -> Option<Raw<'static>> {
    let is_list = matches!(param.shape, ParamShape::Array);
    (is_list && is_cookies(param.name)).then(|| Raw::List(Vec::new()))
}

fn is_cookies(name: &str) -> bool {
    name.eq_ignore_ascii_case(SET_COOKIE.as_str())
}

impl Lines<'_> {
    /// What is taken for one text.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Joined(text) => text,
            Self::Apart(first, _) => first,
        }
    }

    /// What may be meant by it, in the style `simple`.
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
