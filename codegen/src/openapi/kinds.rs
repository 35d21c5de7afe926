//! The kind of object that a reference names, as far as its pointer tells: the sections of
//! `components` hold objects of one kind each (OpenAPI 3.1.1 §4.8.7).

use super::operation::METHODS;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Pointer;
use crate::source::files::MOUNT;

/// The sections of `components`, with the word for one of their objects.
const SECTIONS: [(&str, &str); 10] = [
    ("schemas", "a schema"),
    ("responses", "a response"),
    ("parameters", "a parameter"),
    ("examples", "an example"),
    ("requestBodies", "a request body"),
    ("headers", "a header"),
    ("securitySchemes", "a security scheme"),
    ("links", "a link"),
    ("callbacks", "a callback"),
    ("pathItems", "a path item"),
];

/// Whether a place is a component schema.
pub(super) fn is_schema(at: &Pointer) -> bool {
    section(at).is_some_and(|(section, _)| section == "schemas")
}

/// The kind of object at a place where no schema can stand; `None` where one may.
pub(super) fn no_schema(at: &Pointer) -> Option<&'static str> {
    let tokens: Vec<String> = at.tokens().collect();
    let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
    match tokens.as_slice() {
        [] => Some("the whole document"),
        ["components"] => Some("all components"),
        ["components", section] if SECTIONS.iter().any(|(known, _)| known == section) => {
            Some("a section of the components")
        }
        ["paths"] => Some("all paths"),
        ["paths", _] => Some("a path item"),
        ["paths", _, method] if METHODS.contains(method) => Some("an operation"),
        _ => section(at)
            .filter(|(section, _)| *section != "schemas")
            .map(|(_, name)| name),
    }
}

/// The section of `components`, of any file, whose component a place is.
fn section(at: &Pointer) -> Option<(&'static str, &'static str)> {
    let tokens: Vec<String> = at.tokens().collect();
    let within = match tokens.as_slice() {
        [mount, _, within @ ..] if mount == MOUNT => within,
        within => within,
    };
    let [components, folder, _] = within else {
        return None;
    };
    let sections = SECTIONS.iter().filter(|_| components == "components");
    sections.copied().find(|(section, _)| section == folder)
}

/// Reports a reference to an object of another kind than is wanted.
pub(super) fn misplaced(reference: &str, at: &Pointer, is: &str, wanted: &str) -> Diagnostic {
    let message = match reference {
        "" => format!("an empty reference names {is}, and {wanted} is wanted"),
        _ => format!("`{reference}` names {is}, and {wanted} is wanted"),
    };
    Diagnostic::new(Code::MisplacedReference, at, message)
}
