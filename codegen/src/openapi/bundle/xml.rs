//! `xml`: how a schema would be XML (OpenAPI 3.2.0 §4.26). Bodies of XML are texts here, so that all of it is for
//! readers; violations of the standard are reported all the same.

use crate::diagnostic::{Code, Diagnostic};
use crate::openapi::Reader;
use crate::openapi::operation::IGNORED;
use crate::openapi::version::{self, Version};
use crate::source::Pointer;
use serde_json::Value;

/// The kinds of nodes (§4.26.1).
const NODE_TYPES: &[&str] = &["element", "attribute", "text", "cdata", "none"];

impl Reader<'_> {
    /// Checks the operand of `xml`.
    pub(super) fn check_xml(&mut self, xml: &Value, at: &Pointer) {
        if let Some(namespace) = xml.get("namespace").and_then(Value::as_str)
            && !has_scheme(namespace)
        {
            let message = "a namespace must be an IRI that is not relative";
            self.invalid(&at.child("namespace"), message, IGNORED);
        }
        let Some(node_type) = xml.get("nodeType") else {
            return;
        };
        let here = at.child("nodeType");
        let own = self.bundle.version;
        version::check("`nodeType`", Version::V32, own, &here, self.diagnostics);
        let is_known = node_type
            .as_str()
            .is_some_and(|name| NODE_TYPES.contains(&name));
        if !is_known {
            let message = format!("expected one of {}", NODE_TYPES.join(", "));
            let problem = Diagnostic::new(Code::InvalidOperand, &here, message);
            self.diagnostics.recover(problem, IGNORED);
        }
        for older in ["attribute", "wrapped"] {
            if xml.get(older).is_some() {
                let message = format!("`{older}` must not stand beside `nodeType`");
                let problem = Diagnostic::new(Code::Invalid, &at.child(older), message)
                    .related(&here, "this is the other");
                self.diagnostics.recover(problem, IGNORED);
            }
        }
        if !std::mem::replace(&mut self.bundle.is_xml_told, true) {
            let message = "bodies of XML are texts, to which `nodeType` means nothing";
            let problem = Diagnostic::new(Code::Unsupported, &here, message);
            self.diagnostics
                .warn(problem.help("it is for readers of the document"));
        }
    }
}

/// Whether a text begins as a URI does that is relative to nothing (RFC 3986 §3.1).
fn has_scheme(text: &str) -> bool {
    let is_scheme = |scheme: &str| {
        let mut letters = scheme.chars();
        let rest = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
        letters.next().is_some_and(|c| c.is_ascii_alphabetic()) && letters.all(rest)
    };
    text.split_once(':')
        .is_some_and(|(scheme, _)| is_scheme(scheme))
}
