//! Specification extensions of this generator (OpenAPI 3.1.1 §4.9), and the objects that may have them.
//!
//! An extension of ours in another place, or a misspelt one, would be ignored in silence, so it is
//! an error. Other tools have extensions too, so that a name counts as misspelt only if it is
//! nearly one of ours.

use super::object_fields::{FieldType, Object};
use super::operation::IGNORED;
use crate::diagnostic::spelling::closest;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Pointer;
use serde_json::{Map, Value};

const OPERATION: &[FieldType] = &[FieldType::Object(Object::Operation)];
const DOCUMENT: &[FieldType] = &[FieldType::Object(Object::Document)];
const BODY: &[FieldType] = &[FieldType::Object(Object::Body)];
const SCHEMA: &[FieldType] = &[FieldType::Schema];
const ANSWER: &[FieldType] = &[
    FieldType::Object(Object::Response),
    FieldType::Object(Object::Header),
];

/// An extension, the objects that may have it, and their name in messages.
type Extension = (&'static str, &'static [FieldType], &'static str);

/// Every extension except `x-lint-allow`, which any object may have.
const EXTENSIONS: &[Extension] = &[
    ("x-body-limit", BODY, "a request body"),
    ("x-deprecated-at", OPERATION, "an operation"),
    ("x-extensions", OPERATION, "an operation"),
    ("x-framework-made", ANSWER, "a response or a header"),
    (
        "x-framework-responses",
        DOCUMENT,
        "the root of the document",
    ),
    ("x-lenient-request", OPERATION, "an operation"),
    ("x-message", SCHEMA, "the schema of a text"),
    ("x-metered", OPERATION, "an operation"),
    ("x-order", SCHEMA, "the schema of a list"),
    ("x-raw", OPERATION, "an operation"),
    ("x-raw-headers", OPERATION, "an operation"),
    ("x-rust-type", SCHEMA, "a schema"),
    ("x-sunset", OPERATION, "an operation"),
    ("x-unique", SCHEMA, "the schema of a list"),
];

/// The extensions that mean nothing to the readers of a published document.
pub(super) const STEERING: &[&str] = &[
    "x-body-limit",
    "x-extensions",
    "x-framework-made",
    "x-framework-responses",
    "x-lenient-request",
    "x-lint-allow",
    "x-message",
    "x-metered",
    "x-order",
    "x-raw",
    "x-raw-headers",
    "x-rust-type",
    "x-unique",
];

/// Checks the names of the extensions of an object or a schema.
pub(super) fn check(
    holder: FieldType,
    members: &Map<String, Value>,
    at: &Pointer,
    diagnostics: &mut Diagnostics,
) {
    for name in members.keys().filter(|name| name.starts_with("x-")) {
        if let Some((message, help)) = problem(holder, name) {
            let problem = Diagnostic::new(Code::UnknownKeyword, &at.child(name), message);
            diagnostics.recover(problem.help(help), IGNORED);
        }
    }
}

/// The message and the help for the name of an extension that is not right.
fn problem(holder: FieldType, name: &str) -> Option<(String, String)> {
    match EXTENSIONS.iter().find(|(known, ..)| *known == name) {
        Some((_, holders, _)) if holders.contains(&holder) => None,
        Some((_, _, place)) => Some((
            format!("`{name}` means nothing here"),
            format!("it belongs to {place}"),
        )),
        None if name == "x-lint-allow" => None,
        None => {
            let here = EXTENSIONS
                .iter()
                .filter(|(_, all, _)| all.contains(&holder));
            let names = here.map(|(known, ..)| *known).chain(["x-lint-allow"]);
            // All extensions begin with `x-`, so that it is no sign of similarity.
            let stems = names.filter_map(|known| known.strip_prefix("x-"));
            let meant = closest(name.strip_prefix("x-")?, stems)?;
            let message = format!("`{name}` is not an extension of this generator");
            Some((message, format!("did you mean `x-{meant}`?")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_near_misses_are_told() {
        let advice = |holder, name| problem(holder, name).map(|(_, help)| help);
        let operation = FieldType::Object(Object::Operation);
        assert_eq!(advice(operation, "x-metered"), None);
        assert_eq!(advice(operation, "x-codegen-request-body-name"), None);
        assert_eq!(advice(FieldType::Schema, "x-other"), None);
        assert_eq!(
            advice(operation, "x-meterd").as_deref(),
            Some("did you mean `x-metered`?")
        );
        assert_eq!(
            advice(operation, "x-lenient-requests").as_deref(),
            Some("did you mean `x-lenient-request`?")
        );
        assert_eq!(
            advice(FieldType::Schema, "x-uniq").as_deref(),
            Some("did you mean `x-unique`?")
        );
        assert_eq!(
            advice(FieldType::Schema, "x-mesage").as_deref(),
            Some("did you mean `x-message`?")
        );
        // A schema's misspelt extension is never taken for one of an operation.
        assert_eq!(advice(FieldType::Schema, "x-meterd"), None);
        assert_eq!(
            advice(FieldType::Schema, "x-metered").as_deref(),
            Some("it belongs to an operation")
        );
        assert_eq!(advice(FieldType::Object(Object::Tag), "x-lint-allow"), None);
    }
}
