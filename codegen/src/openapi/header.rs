//! Headers of responses and of parts of forms (OpenAPI 3.1.1 §4.8.21).

use super::example::Example;
use super::object_fields::Object;
use super::operation::IGNORED;
use super::{Key, Reader, node::Node};
use crate::message::ParamLocation;
use crate::source::Pointer;

/// A response header (§4.8.21).
#[derive(Debug)]
#[expect(missing_docs, reason = "the names are those of the standard")]
pub struct Header {
    pub at: Pointer,
    pub name: String,
    pub required: bool,
    pub description: Option<String>,
    pub deprecated: bool,
    pub schema: Key,
    /// Whether its value is a text of JSON: a header with `content` in the place of a schema.
    pub is_json: bool,
    pub explode: bool,
    pub examples: Vec<Example>,
    /// `x-framework-made`: set by the layers around the handler, never by the handler.
    pub framework_made: bool,
}

impl<'a> Reader<'a> {
    pub(super) fn headers(&mut self, response: &Node<'a>, scope: &str) -> Vec<Header> {
        let mut headers = response.map("headers");
        // §4.8.17: a `Content-Type` entry SHALL be ignored.
        headers.retain(|(name, _)| !name.eq_ignore_ascii_case("content-type"));
        let headers = headers.into_iter();
        headers
            .filter_map(|(name, node)| self.header(name, node, scope))
            .collect()
    }

    pub(super) fn header(&mut self, name: &str, node: Node<'a>, scope: &str) -> Option<Header> {
        if !self.header_name(name, &node.at, IGNORED) {
            return None;
        }
        let node = self.resolve_part(node, "a header", IGNORED)?;
        let fields: openapiv3::Header = self.fields(&node, Object::Header, IGNORED)?;
        self.style(&node, ParamLocation::Header);
        for field in ["allowEmptyValue", "allowReserved"] {
            if node.flag(field) {
                let message = format!("`{field}` means nothing in a header");
                self.invalid(&node.at.child(field), message, IGNORED);
            }
        }
        let (schema, is_json) = self.value_schema(&node, format!("{scope}/header/{name}"));
        Some(Header {
            name: name.to_owned(),
            required: fields.required,
            description: fields.description,
            deprecated: fields.deprecated.unwrap_or_default(),
            schema,
            is_json,
            // `openapiv3` does not know it for headers.
            explode: node.flag("explode"),
            examples: self.examples(&node),
            framework_made: node.flag("x-framework-made"),
            at: node.at,
        })
    }
}
