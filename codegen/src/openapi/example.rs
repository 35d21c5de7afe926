//! Examples (OpenAPI 3.1.1 §4.8.19).
//!
//! `openapiv3` takes the value `null` of an example for no value.

use super::operation::IGNORED;
use super::{Reader, node::Node};
use serde_json::Value;

/// A named example (§4.8.19).
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the names are those of the standard")]
pub struct Example {
    pub name: String,
    pub summary: Option<String>,
    pub value: Value,
}

impl<'a> Reader<'a> {
    pub(super) fn examples(&mut self, node: &Node<'a>) -> Vec<Example> {
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
            let Some(value) = node.value.get("value").cloned() else {
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
