//! Where the violations of one value go, and the JSON pointer of the part
//! that is being looked at.
//!
//! A silent report only wants the verdict: nothing is formatted for it, and
//! evaluation may stop at the first violation.

use std::borrow::Cow;

use crate::issue::{Issue, Issues, Place};

/// How much of a pointer is reported, in characters.
const MAX_POINTER: usize = 256;

/// The state of a walk through a value.
pub struct Report<'i> {
    issues: Option<&'i mut Issues>,
    place: Place,
    at: String,
}

impl<'i> Report<'i> {
    /// Reports to `issues`, with `base` in front of every pointer.
    pub fn to(issues: &'i mut Issues, place: Place, base: &str) -> Self {
        Self {
            issues: Some(issues),
            place,
            at: base.to_owned(),
        }
    }

    /// Only the verdict is wanted.
    pub(crate) const fn silent() -> Self {
        Self {
            issues: None,
            place: Place::Body,
            at: String::new(),
        }
    }

    /// Whether the rest of an evaluation cannot add anything once something
    /// was refused.
    pub(crate) fn is_done(&self) -> bool {
        self.issues.as_ref().is_none_or(|issues| issues.is_full())
    }

    pub(crate) const fn is_silent(&self) -> bool {
        self.issues.is_none()
    }

    /// Records a violation here; always `false`, the verdict.
    pub fn refuse(&mut self, keyword: &'static str, message: impl FnOnce() -> String) -> bool {
        if let Some(issues) = &mut self.issues
            && !issues.is_full()
        {
            let (place, at) = (self.place, shown(&self.at));
            issues.push(Issue {
                place,
                at,
                keyword,
                message: message(),
            });
        }
        false
    }

    /// Steps into an item for the time of `walk`.
    pub fn in_item(&mut self, index: usize, walk: impl FnOnce(&mut Self) -> bool) -> bool {
        if self.is_silent() {
            return walk(self);
        }
        self.in_member(&index.to_string(), walk)
    }

    /// Steps into a member for the time of `walk`.
    pub fn in_member(&mut self, name: &str, walk: impl FnOnce(&mut Self) -> bool) -> bool {
        if self.is_silent() {
            return walk(self);
        }
        let length = self.at.len();
        self.at.push('/');
        self.at.push_str(&escape_pointer(name));
        let verdict = walk(self);
        self.at.truncate(length);
        verdict
    }
}

/// The place of a violation, cut where hostile member names make it long: an
/// answer must not grow with the request.
pub(crate) fn shown(at: &str) -> String {
    match at.char_indices().nth(MAX_POINTER) {
        Some((end, _)) => format!("{}…", at.get(..end).unwrap_or_default()),
        None => at.to_owned(),
    }
}

/// A reference token of a JSON pointer (RFC 6901, section 3).
pub(crate) fn escape_pointer(name: &str) -> Cow<'_, str> {
    if name.contains(['~', '/']) {
        Cow::Owned(name.replace('~', "~0").replace('/', "~1"))
    } else {
        Cow::Borrowed(name)
    }
}
