//! The keys of an operation that are this generator's own.

use super::operation::IGNORED;
use super::{Reader, node::Node};
use crate::diagnostic::spelling::closest;
use crate::diagnostic::{Code, Diagnostic};
use serde_json::Value;

/// The keys that an operation may have, all of them flags: whether its requests count against
/// limits, whether its handler gets the request's extensions, whether it gets all its headers, and
/// whether it gets the request as it is.
const FLAGS: &[&str] = &["x-metered", "x-extensions", "x-raw-headers", "x-raw"];

/// The keys that belong elsewhere; an operation that has one means another place.
const ELSEWHERE: &[(&str, &str)] = &[
    ("x-framework-made", "a response or a header"),
    ("x-framework-responses", "the root of the document"),
];

impl<'a> Reader<'a> {
    /// Reports own keys of an operation that are misspelt, misplaced or no flags. Keys of other
    /// tools are theirs.
    pub(super) fn check_own_keys(&mut self, operation: &Node<'a>) {
        let members = operation.value.as_object().into_iter().flatten();
        for (name, value) in members.filter(|(name, _)| name.starts_with("x-")) {
            let at = operation.at.child(name);
            if FLAGS.contains(&name.as_str()) {
                if !value.is_boolean() {
                    let message = format!("`{name}` is true or false");
                    self.diagnostics
                        .recover(Diagnostic::new(Code::Invalid, &at, message), IGNORED);
                }
            } else if let Some((_, place)) = ELSEWHERE.iter().find(|(own, _)| own == name) {
                let message = format!("`{name}` means nothing here; it belongs to {place}");
                self.diagnostics
                    .warn(Diagnostic::new(Code::UnknownKeyword, &at, message));
            } else if let Some(meant) = closest(name, FLAGS.iter().copied()) {
                let message = format!("`{name}` is not a key of this generator");
                let help = format!("`{meant}` is");
                self.diagnostics
                    .warn(Diagnostic::new(Code::UnknownKeyword, &at, message).help(help));
            }
        }
    }
}

/// The value of a flag.
pub(super) fn flag(operation: &Node<'_>, name: &str, usual: bool) -> bool {
    match operation.value.get(name) {
        Some(Value::Bool(value)) => *value,
        _ => usual,
    }
}
