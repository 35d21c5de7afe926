//! The versions of OpenAPI that are read, and fields that a document's own version does not have.

use super::object_fields::Object;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Pointer;
use std::fmt;

/// A version of OpenAPI. Its patches have the same fields (3.2.0 §4.1.1).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    /// 3.0.
    V30,
    /// 3.1.
    #[default]
    V31,
    /// 3.2.
    V32,
}

impl Version {
    /// The version that `openapi` names, if it is read.
    pub(crate) fn of(text: &str) -> Option<Version> {
        let mut numbers = text.split('.');
        match (numbers.next()?, numbers.next()?) {
            ("3", "0") => Some(Version::V30),
            ("3", "1") => Some(Version::V31),
            ("3", "2") => Some(Version::V32),
            _ => None,
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Version::V30 => "3.0",
            Version::V31 => "3.1",
            Version::V32 => "3.2",
        })
    }
}

/// Reports a field that came with a later version than the document's own; it is read all the same.
pub(super) fn check_field(
    object: Object,
    name: &str,
    own: Version,
    at: &Pointer,
    diagnostics: &mut Diagnostics,
) {
    let since = object.since(name);
    check(&format!("`{name}`"), since, own, at, diagnostics);
}

/// The same for any other thing that came with the version `since`; `what` is its name.
pub(super) fn check(
    what: &str,
    since: Version,
    own: Version,
    at: &Pointer,
    diagnostics: &mut Diagnostics,
) {
    if since <= own {
        return;
    }
    let message = format!("{what} came with OpenAPI {since}, and this is a document of {own}");
    let mut problem = Diagnostic::new(Code::LaterField, at, message);
    if own == Version::V31 {
        problem = problem.help("with `openapi: 3.2.0`, everything else means the same");
    }
    diagnostics.recover(problem, &format!("it is read as OpenAPI {since} has it"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_known_by_its_first_two_numbers() {
        assert_eq!(Version::of("3.0.4"), Some(Version::V30));
        assert_eq!(Version::of("3.1"), Some(Version::V31));
        assert_eq!(Version::of("3.2.0"), Some(Version::V32));
        assert_eq!(Version::of("3.20.0"), None);
        assert_eq!(Version::of("2.0"), None);
        assert_eq!(Version::of("3"), None);
    }
}
