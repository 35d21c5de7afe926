//! Examples (OpenAPI 3.1.1 §4.8.19).
//!
//! `openapiv3` takes the value `null` of an example for no value.

use super::operation::IGNORED;
use super::{Reader, node::Node};
use crate::diagnostic::{Code, Diagnostic};
use serde_json::Value;

/// A named example (§4.8.19).
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the names are those of the standard")]
pub struct Example {
    pub name: String,
    pub summary: Option<String>,
    pub value: Value,
}

/// The value of an example: as data, or else as it is sent, where that text is read again (OpenAPI 3.2.0
/// §4.19.1). One that is elsewhere, `externalValue`, has none here.
fn value(example: &Node<'_>, read: fn(&str) -> Option<Value>) -> Option<Value> {
    let given = |name: &str| example.value.get(name).cloned();
    let data = given("dataValue").or_else(|| given("value"));
    data.or_else(|| read(example.text("serializedValue")?))
}

impl<'a> Reader<'a> {
    /// Says of an example that is elsewhere that it is not shown.
    fn report_external(&mut self, example: &Node<'a>) {
        if let Some(external) = example.member("externalValue") {
            let message =
                "an example in another file is not fetched: it is not shown, and not checked";
            let problem = Diagnostic::new(Code::Unsupported, &external.at, message);
            self.diagnostics
                .warn(problem.help("`dataValue` beside it is shown"));
        }
    }

    pub(super) fn examples(&mut self, node: &Node<'a>) -> Vec<Example> {
        self.examples_by(node, |_| None)
    }

    /// The same where the text that is sent is `read` as a value.
    pub(super) fn examples_by(
        &mut self,
        node: &Node<'a>,
        read: fn(&str) -> Option<Value>,
    ) -> Vec<Example> {
        let mut examples = Vec::new();
        if let Some(value) = node.value.get("example") {
            examples.push(Example {
                name: "example".into(),
                summary: None,
                value: value.clone(),
            });
        }
        for (name, node) in node.map("examples") {
            let Some(node) = self.resolve_part(node, "an example", IGNORED) else {
                continue;
            };
            let Some(value) = value(&node, read) else {
                self.report_external(&node);
                continue;
            };
            examples.push(Example {
                name: name.to_owned(),
                summary: node.string("summary"),
                value,
            });
        }
        examples
    }
}
