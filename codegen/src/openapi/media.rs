//! Request bodies (OpenAPI 3.1.1 §4.8.13), and the media types of any body (§4.8.14).
//!
//! Nothing of a media type is left for [`openapiv3::MediaType`]: its schemas, examples and encodings are
//! read at their own places.

use super::encoding::{Encoding, Positions};
use super::example::Example;
use super::object_fields::Object;
use super::operation::IGNORED;
use super::version::{self, Version};
use super::{Key, Reader, node::Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::message::{canonical, is_json, is_media_type};
use crate::source::Pointer;
use serde_json::Value;
use std::collections::BTreeMap;

/// A request body (§4.8.13).
#[derive(Debug)]
#[expect(missing_docs, reason = "the names are those of the standard")]
pub struct Body {
    pub at: Pointer,
    pub description: Option<String>,
    pub required: bool,
    /// `x-body-limit`: how many bytes it has at most.
    pub limit: Option<u64>,
    pub content: Vec<Media>,
}

/// One media type of a body (§4.8.14).
#[derive(Debug)]
#[expect(missing_docs, reason = "the names are those of the standard")]
pub struct Media {
    pub at: Pointer,
    pub media_type: String,
    pub schema: Option<Key>,
    /// The schema of each item of a sequence: new in OpenAPI 3.2, read in any version.
    pub item_schema: Option<Key>,
    pub encoding: Vec<Encoding>,
    /// `prefixEncoding` and `itemEncoding`: new in OpenAPI 3.2.
    pub positions: Positions,
    pub examples: Vec<Example>,
}

impl Media {
    /// A body without a description.
    pub(crate) fn of_bytes(at: Pointer) -> Media {
        Media {
            at,
            media_type: "*/*".into(),
            schema: None,
            item_schema: None,
            encoding: Vec::new(),
            positions: Positions::default(),
            examples: Vec::new(),
        }
    }
}

/// The function that reads the text of an example: JSON is data, and any other text stands for itself.
fn reader(media_type: &str) -> fn(&str) -> Option<Value> {
    match is_json(media_type) {
        true => |text| serde_json::from_str(text).ok(),
        false => |text| Some(text.into()),
    }
}

/// The fallback for a body without a usable description.
pub(crate) const ANY_BYTES: &str = "any bytes are taken";

impl<'a> Reader<'a> {
    pub(super) fn body(&mut self, node: Node<'a>, scope: &str) -> Body {
        let at = node.at.clone();
        let Some(node) = self.resolve_part(node, "a request body", ANY_BYTES) else {
            return Body {
                description: None,
                required: false,
                limit: None,
                content: vec![Media::of_bytes(at.clone())],
                at,
            };
        };
        let fields = self.fields::<openapiv3::RequestBody>(&node, Object::Body, IGNORED);
        let fields = fields.unwrap_or_default();
        let mut content = self.content(&node, &format!("{scope}/body"));
        if content.is_empty() {
            self.report_no_content(&node);
            content.push(Media::of_bytes(node.at.clone()));
        }
        Body {
            description: fields.description,
            required: fields.required,
            limit: self.body_limit(&node),
            content,
            at: node.at,
        }
    }

    /// Reports a body that names no media type: `content` is required, and should not be empty (OpenAPI 3.2.0
    /// §4.13.1).
    fn report_no_content(&mut self, body: &Node<'a>) {
        let Some(content) = body.member("content") else {
            let message = "a request body must have `content`, by media types";
            return self.invalid(&body.at, message, ANY_BYTES);
        };
        if content.entries().is_empty() {
            let message = "a request body should name a media type; any bytes are taken";
            let problem = Diagnostic::new(Code::Invalid, &content.at, message);
            self.diagnostics.warn(problem);
        }
    }

    fn body_limit(&mut self, body: &Node<'a>) -> Option<u64> {
        let node = body.member("x-body-limit")?;
        let limit = node.value.as_u64();
        if limit.is_none() {
            let message = "a limit must be a number of bytes";
            self.invalid(&node.at, message, IGNORED);
        }
        limit
    }

    /// The media type that a reference leads to, since OpenAPI 3.2; any other is itself.
    pub(super) fn media_type(&mut self, node: Node<'a>) -> Option<Node<'a>> {
        // A reference for a whole map has become one for each member.
        let to_component = |reference: &str| {
            let at = Pointer::of_reference(reference)?;
            at.component("mediaTypes")
        };
        if node.text("$ref").and_then(to_component).is_some() {
            let (at, own) = (node.at.child("$ref"), self.bundle.version);
            let what = "a reference to a media type";
            version::check(what, Version::V32, own, &at, self.diagnostics);
        }
        self.resolve_part(node, "a media type", IGNORED)
    }

    pub(super) fn content(&mut self, node: &Node<'a>, scope: &str) -> Vec<Media> {
        let mut listed = node.map("content");
        // Media types may begin so, too.
        listed.retain(|(name, _)| !name.starts_with("x-") || is_media_type(name));
        let several = listed.len() > 1;
        let (mut content, mut seen) = (Vec::new(), BTreeMap::new());
        for (media_type, node) in listed {
            if !is_media_type(media_type) {
                let message = format!("`{media_type}` is no media type (RFC 9110 §8.3.1)");
                self.invalid(&node.at, message, IGNORED);
                continue;
            }
            if let Some(known) = seen.insert(canonical(media_type), media_type) {
                let message = format!("`{media_type}` is `{known}` once more (RFC 9110 §8.3.1)");
                self.invalid(&node.at, message, IGNORED);
                continue;
            }
            let Some(node) = self.media_type(node) else {
                continue;
            };
            let wanted = match node.at.component("mediaTypes") {
                Some(shared) => format!("mediaTypes/{shared}"),
                None if several => format!("{scope}/{media_type}"),
                None => scope.to_owned(),
            };
            content.push(self.media(node, media_type, &wanted));
        }
        content
    }

    /// A media type by its name, whose schemas are called as `wanted`.
    pub(super) fn media(&mut self, node: Node<'a>, media_type: &str, wanted: &str) -> Media {
        let mut lift = |member: &str, wanted: String| {
            let schema = node.member(member)?;
            let key = self.lift(wanted, schema.value, schema.at);
            Some(key)
        };
        Media {
            media_type: media_type.to_owned(),
            item_schema: lift("itemSchema", format!("{wanted}/item")),
            schema: lift("schema", wanted.to_owned()),
            encoding: self.encoding(&node, media_type, wanted),
            positions: self.positions(&node, media_type, wanted),
            examples: self.examples_by(&node, reader(media_type)),
            at: node.at,
        }
    }
}
