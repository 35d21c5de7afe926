//! Fields of which an object has one or the other, and maps whose names or sizes the standard restricts.

use super::object_fields::Object;
use super::operation::IGNORED;
use super::version::Version;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Pointer;
use serde_json::{Map, Value};

/// Fields that stand beside none of others: those that count, and those that are ignored beside them.
type Exclusion = (
    &'static [Object],
    &'static [&'static str],
    &'static [&'static str],
);

/// The exclusions of all versions.
const EXCLUSIONS: &[Exclusion] = &[
    (
        &[Object::Parameter, Object::Header, Object::Media],
        &["example"],
        &["examples"],
    ),
    (&[Object::License], &["identifier"], &["url"]),
    (&[Object::Example], &["dataValue"], &["value"]),
    (
        &[Object::Example],
        &["value", "serializedValue"],
        &["externalValue"],
    ),
    (&[Object::Example], &["value"], &["serializedValue"]),
    (
        &[Object::Parameter, Object::Header],
        &["content"],
        &["style", "explode", "allowReserved"],
    ),
    (
        &[Object::Media, Object::Encoding],
        &["encoding"],
        &["prefixEncoding", "itemEncoding"],
    ),
];

/// Reports fields that exclude one another.
pub(super) fn check(
    object: Object,
    members: &Map<String, Value>,
    at: &Pointer,
    version: Version,
    diagnostics: &mut Diagnostics,
) {
    let rules = EXCLUSIONS.iter();
    for (_, fields, others) in rules.filter(|(objects, ..)| objects.contains(&object)) {
        let Some(field) = fields.iter().find(|field| members.contains_key(**field)) else {
            continue;
        };
        for other in others.iter().filter(|other| members.contains_key(**other)) {
            let message = format!("`{other}` must not stand beside `{field}`");
            let problem = Diagnostic::new(Code::Invalid, &at.child(other), message)
                .related(&at.child(field), "this is the other");
            diagnostics.recover(problem, kept(object, other));
        }
    }
    match object {
        Object::ServerVariable if version > Version::V30 => no_values(members, at, diagnostics),
        Object::Components => {
            let sections = members.iter().filter(|(name, _)| !name.starts_with("x-"));
            for (section, named) in sections {
                names(named, &at.child(section), "a component", diagnostics);
            }
        }
        Object::Response => {
            if let Some(links) = members.get("links") {
                names(links, &at.child("links"), "a link", diagnostics);
            }
        }
        _ => {}
    }
}

/// The fallback for a field that another excludes.
fn kept(object: Object, other: &str) -> &'static str {
    match (object, other) {
        (Object::Parameter | Object::Header | Object::Media, "examples") => "both are shown",
        (Object::License, _) => "both are kept",
        _ => IGNORED,
    }
}

/// Reports a server variable that lists its values, and has none (OpenAPI 3.1.1 §4.8.6.1).
fn no_values(members: &Map<String, Value>, at: &Pointer, diagnostics: &mut Diagnostics) {
    let listed = members.get("enum").and_then(Value::as_array);
    if listed.is_some_and(Vec::is_empty) {
        let message = "a list of the variable's values must have at least one";
        let problem = Diagnostic::new(Code::Invalid, &at.child("enum"), message);
        diagnostics.recover(problem, "it takes any value");
    }
}

/// Reports components and links whose names are not made of letters, digits, `.`, `-` and `_` (OpenAPI
/// 3.1.1 §4.8.7.1 and §4.8.17.1).
fn names(named: &Value, at: &Pointer, what: &str, diagnostics: &mut Diagnostics) {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let names = named
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, _)| name);
    for name in names.filter(|name| name.is_empty() || !name.chars().all(is_plain)) {
        let message =
            format!("the name of {what} must consist of letters, digits, `.`, `-` and `_`");
        let problem = Diagnostic::new(Code::Invalid, &at.child(name), message);
        diagnostics.recover(problem, "it has the name all the same");
    }
}
