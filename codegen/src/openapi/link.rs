//! Links to operations (OpenAPI 3.1.1 §4.8.20).
//!
//! [`openapiv3::Link`] cannot hold a link that names no operation, and takes the first name of a link
//! that names two: both are told to the author, with the names, where links are followed.

use super::operation::IGNORED;
use super::{Reader, node::Node};
use crate::source::Pointer;
use serde_json::Value;

/// A link to an operation that takes values of the response (§4.8.20).
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the names are those of the standard")]
pub struct LinkObject {
    /// The place of the link in the response.
    pub at: Pointer,
    pub name: String,
    pub operation_id: Option<String>,
    pub operation_ref: Option<String>,
    pub description: Option<String>,
    pub parameters: Vec<(String, Value)>,
    pub request_body: Option<Value>,
    /// Whether the link has a server of its own.
    pub has_server: bool,
}

impl<'a> Reader<'a> {
    pub(super) fn links(&mut self, response: &Node<'a>) -> Vec<LinkObject> {
        let mut links = Vec::new();
        for (name, node) in response.map("links") {
            let at = node.at.clone();
            let Some(node) = self.resolve_part(node, "a link", IGNORED) else {
                continue;
            };
            let parameters = node.map("parameters").into_iter();
            let parameters = parameters.map(|(name, node)| (name.to_owned(), node.value.clone()));
            links.push(LinkObject {
                at,
                name: name.to_owned(),
                operation_id: node.string("operationId"),
                operation_ref: node.string("operationRef"),
                description: node.string("description"),
                parameters: parameters.collect(),
                request_body: node.member("requestBody").map(|node| node.value.clone()),
                has_server: node.member("server").is_some(),
            });
        }
        links
    }
}
