//! Members of the objects around the schemas that the standard does not know.
//!
//! No reader looks at them, so that a misspelt `paramaters` would remove all its parameters in
//! silence.

use super::bundle::is_of_schemas;
use super::exclusions;
use super::extensions;
use super::object_fields::{self, FieldType, Object};
use super::operation::IGNORED;
use super::uris;
use super::version::{self, Version};
use crate::diagnostic::spelling::closest;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Pointer;
use serde_json::Value;

/// The help for a schema in the place of a body's `content`.
const UNDER_CONTENT: &str =
    "a schema is that of a media type: `content: { application/json: { schema } }`";

/// Reports each member that is not a field, or not yet one in this version.
pub(super) fn report(root: &Value, version: Version, diagnostics: &mut Diagnostics) {
    object_fields::each(root, |at, value, kind| {
        if let FieldType::Object(object) = kind {
            of_object(object, at, value, version, diagnostics);
        }
        true
    });
}

pub(super) fn of_object(
    object: Object,
    at: &Pointer,
    value: &Value,
    version: Version,
    diagnostics: &mut Diagnostics,
) {
    let Some(members) = value.as_object() else {
        return;
    };
    // The lint rule `reference-sibling` checks the siblings of a reference.
    if members.get("$ref").is_some_and(Value::is_string) {
        return;
    }
    extensions::check(FieldType::Object(object), members, at, diagnostics);
    exclusions::check(object, members, at, version, diagnostics);
    uris::check(object, members, at, diagnostics);
    let Some(fields) = object.fields() else {
        return;
    };
    let is_known = |name: &str| fields.clone().any(|field| field == name);
    let (known, unknown): (Vec<_>, Vec<_>) = members.keys().partition(|name| is_known(name));
    for name in known {
        version::check_field(object, name, version, &at.child(name), diagnostics);
    }
    // Swagger is told as another version.
    let is_told = |name: &str| name.starts_with("x-") || name == "swagger";
    for name in unknown.into_iter().filter(|name| !is_told(name)) {
        let at = &at.child(name);
        let message = format!("`{name}` is not a field of {}", object.name());
        let problem = Diagnostic::new(Code::UnknownKeyword, at, message);
        let problem = match misplaced(object, name) {
            Some(place) => problem.help(place),
            None => problem.did_you_mean(closest(name, fields.clone())),
        };
        diagnostics.recover(problem, IGNORED);
    }
}

/// The right place of a member that is valid elsewhere, or was in Swagger 2.0.
fn misplaced(object: Object, name: &str) -> Option<&'static str> {
    let is_keyword =
        matches!(name, "schema" | "format" | "default" | "nullable") || is_of_schemas(name);
    match object {
        Object::Operation if matches!(name, "consumes" | "produces") => {
            Some("media types are the names of the members of `content`")
        }
        Object::Response | Object::Body if is_keyword => Some(UNDER_CONTENT),
        Object::Parameter | Object::Header | Object::Media if is_keyword => {
            Some("a keyword of a schema is a member of `schema`")
        }
        _ => None,
    }
}
