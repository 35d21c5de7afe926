//! The head of a document: the version of OpenAPI, and the info object.

use super::node::Node;
use super::object_fields::{Object, referred};
use super::version::Version;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Pointer;
use serde_json::Value;
use std::borrow::Cow;

/// The version of OpenAPI that a document declares.
pub(super) fn version(root: &Value, diagnostics: &mut Diagnostics) -> Version {
    let text = named(root);
    let text = text.as_deref().unwrap_or_default();
    if let Some(version) = Version::of(text) {
        check_number(text, version, diagnostics);
        check_parts(root, version, diagnostics);
        check_self(root, diagnostics);
        return version;
    }
    if root.get("swagger").is_some() {
        let at = Pointer::default().child("swagger");
        let help = "convert it to OpenAPI 3 first, with `swagger2openapi` for one";
        let message = "this is Swagger, which OpenAPI 3 replaced; 3.0, 3.1 and 3.2 are supported";
        diagnostics.fatal(Diagnostic::new(Code::UnsupportedVersion, &at, message).help(help));
    } else if root.get("openapi").is_none() {
        let message = "this is no OpenAPI document: `openapi` does not say which version it is of";
        diagnostics.fatal(Diagnostic::new(Code::Invalid, &Pointer::default(), message));
    } else {
        let at = Pointer::default().child("openapi");
        let message = format!("OpenAPI {text:?} is not supported; 3.0, 3.1 and 3.2 are");
        diagnostics.fatal(Diagnostic::new(Code::UnsupportedVersion, &at, message));
    }
    Version::default()
}

/// The text of `openapi`; without quotes, `3.1` is a number.
pub(crate) fn named(root: &Value) -> Option<Cow<'_, str>> {
    match root.get("openapi")? {
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Number(number) => Some(Cow::Owned(number.to_string())),
        _ => None,
    }
}

/// Checks that a version has all of its numbers (OpenAPI 3.2.0 §4.1.1).
fn check_number(text: &str, version: Version, diagnostics: &mut Diagnostics) {
    if text.split('.').count() < 3 {
        let at = Pointer::default().child("openapi");
        let message =
            format!("the version of OpenAPI must have three numbers, such as {version}.0");
        let problem = Diagnostic::new(Code::Invalid, &at, message);
        diagnostics.recover(problem, &format!("it is {version}"));
    }
}

/// Checks that a document has a part that describes something (OpenAPI 3.0.4 §4.7.1, 3.2.0 §4.1).
fn check_parts(root: &Value, version: Version, diagnostics: &mut Diagnostics) {
    let has = |name: &str| root.get(name).is_some_and(|part| !part.is_null());
    let message = match version {
        Version::V30 if !has("paths") => "a document of OpenAPI 3.0 must have `paths`",
        Version::V31 | Version::V32
            if !["paths", "webhooks", "components"].into_iter().any(has) =>
        {
            "a document must have `paths`, `webhooks` or `components`"
        }
        _ => return,
    };
    let at = Pointer::default().child("paths");
    let problem = Diagnostic::new(Code::Invalid, &at, message);
    diagnostics.recover(problem, "it has no operations");
}

/// Checks that the URI of a document leads to the whole of it (OpenAPI 3.2.0 §4.1.1).
fn check_self(root: &Value, diagnostics: &mut Diagnostics) {
    let uri = root.get("$self").and_then(Value::as_str);
    if uri.is_some_and(|uri| uri.is_empty() || uri.contains('#')) {
        let at = Pointer::default().child("$self");
        let message = "`$self` must be the URI of the document, without a fragment";
        let problem = Diagnostic::new(Code::Invalid, &at, message);
        diagnostics.recover(problem, "no reference is relative to it");
    }
}

/// The info object of a document (OpenAPI 3.1.1 §4.8.2).
pub(super) fn info(root: &Node<'_>, diagnostics: &mut Diagnostics) -> openapiv3::Info {
    let Some(node) = root.member("info") else {
        let message = "a document must have `info` with title and version";
        diagnostics.recover(
            Diagnostic::new(Code::Invalid, &root.at, message),
            "it has no name",
        );
        return openapiv3::Info::default();
    };
    let node = match referred(root.value, node.value) {
        Some((at, value)) => Node { value, at },
        None => node,
    };
    node.fields(Object::Info).unwrap_or_else(|problem| {
        diagnostics.recover(*problem, "it has no name");
        openapiv3::Info::default()
    })
}
