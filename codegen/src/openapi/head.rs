//! The head of a document: the version of OpenAPI, and the info object.

use super::node::Node;
use super::object_fields::{Object, referred};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Pointer;
use serde_json::Value;

/// The version of OpenAPI that a document declares.
pub(super) fn version<'a>(root: &'a Value, diagnostics: &mut Diagnostics) -> &'a str {
    let version = root.get("openapi").and_then(Value::as_str);
    let version = version.unwrap_or_default();
    let at = Pointer::default().child("openapi");
    if version.starts_with("3.2") {
        let message = "OpenAPI 3.2 is not supported; 3.0 and 3.1 are";
        let fallback = "what 3.2 shares with 3.1 is read, the rest is ignored";
        diagnostics.recover(Diagnostic::new(Code::Version, &at, message), fallback);
    } else if root.get("swagger").is_some() {
        let at = Pointer::default().child("swagger");
        let help = "convert it to OpenAPI 3 first, with `swagger2openapi` for one";
        let message = "this is Swagger, which OpenAPI 3 replaced; 3.0 and 3.1 are supported";
        diagnostics.fatal(Diagnostic::new(Code::Version, &at, message).help(help));
    } else if root.get("openapi").is_none() {
        let message = "this is no OpenAPI document: `openapi` does not say which version it is of";
        diagnostics.fatal(Diagnostic::new(Code::Invalid, &Pointer::default(), message));
    } else if !version.starts_with("3.0") && !version.starts_with("3.1") {
        let message = format!("OpenAPI {version:?} is not supported; 3.0 and 3.1 are");
        diagnostics.fatal(Diagnostic::new(Code::Version, &at, message));
    }
    version
}

/// The info object of a document (OpenAPI 3.1.1 §4.8.2).
pub(super) fn info(root: &Node<'_>, diagnostics: &mut Diagnostics) -> openapiv3::Info {
    let Some(node) = root.member("info") else {
        let message = "a document needs `info` with title and version";
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
