//! Values of parameters and headers: described by a schema, or as a text of a media type (OpenAPI
//! 3.1.1 §4.8.12.1).

use super::media::Media;
use super::version::{self, Version};
use super::{Key, Reader, node::Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::message::{essence, is_json};
use crate::source::Pointer;
use json_schema::style::Style;
use serde_json::{Value, json};
use std::borrow::Cow;

/// The media type of forms, which a query is written as.
const FORM: &str = "application/x-www-form-urlencoded";

/// How many schemas are searched for a list or an object.
const MAX_SEARCHED: usize = 64;

/// The fallback for a value that is described as a list or an object, or not at all.
const FALLBACK: &str = "any text is taken";

/// The schema of a value, where it stands, and how the value is written.
struct ValueSchema<'a> {
    schema: Cow<'a, Value>,
    at: Pointer,
    is_json: bool,
}

impl<'a> Reader<'a> {
    /// The schema of a parameter or header, and whether its value is written as JSON, as `content`
    /// can tell; other media types of `content` are texts.
    pub(super) fn value_schema(&mut self, node: &Node<'a>, wanted: String) -> (Key, bool) {
        let value = match (node.member("schema"), node.member("content")) {
            (Some(schema), content) => {
                if let Some(content) = content {
                    let message = "`schema` and `content` must not stand together (§4.8.12)";
                    let fallback = "`content` is ignored";
                    self.invalid(&content.at, message, fallback);
                }
                ValueSchema::of(schema, false)
            }
            (None, Some(content)) => self.content_schema(&content),
            (None, None) => self.undescribed(node),
        };
        let key = self.lift(wanted, &value.schema, value.at);
        (key, value.is_json)
    }

    /// A value that is one text of a media type.
    fn content_schema(&mut self, content: &Node<'a>) -> ValueSchema<'a> {
        let mut listed = content.entries().into_iter();
        let Some((name, media)) = listed.next() else {
            return self.undescribed(content);
        };
        if let Some((_, other)) = listed.next() {
            let message =
                "the `content` of a parameter or header must have one media type (§4.8.12.1)";
            let fallback = format!("it is `{name}`");
            self.invalid(&other.at, message, &fallback);
        }
        let is_json = is_json(name);
        let Some(media) = self.media_type(media) else {
            return ValueSchema::anything(content.at.clone(), is_json);
        };
        let Some(schema) = media.member("schema") else {
            return ValueSchema::anything(media.at.child("schema"), is_json);
        };
        if is_json || !self.has_parts(&schema) {
            return ValueSchema::of(schema, is_json);
        }
        let message = format!("lists and objects are not read from a text of `{name}`");
        self.diagnostics.recover(
            Diagnostic::new(Code::Unsupported, &schema.at, message),
            FALLBACK,
        );
        ValueSchema {
            schema: Cow::Owned(json!({ "type": "string" })),
            at: schema.at,
            is_json,
        }
    }

    /// The schema of a query string and its style, which its one media type tells (OpenAPI 3.2.0
    /// §4.12.2.3).
    /// A form comes with its encodings.
    pub(super) fn query_string(
        &mut self,
        node: &Node<'a>,
        wanted: String,
    ) -> (Key, Style, Option<Media>) {
        let at = node.at.child("in");
        let what = "a parameter that is the query string";
        version::check(
            what,
            Version::V32,
            self.bundle.version,
            &at,
            self.diagnostics,
        );
        let content = node.member("content");
        if let Some(schema) = node.member("schema").filter(|_| content.is_none()) {
            let message = "a query string must have `content`, which tells how it is written";
            self.invalid(&schema.at, message, "it is written as a form is");
            let key = self.lift(wanted, schema.value, schema.at);
            return (key, Style::QueryForm, None);
        }
        let media = content.as_ref().map(|content| content.entries());
        let media = media.unwrap_or_default().into_iter().next();
        if let Some((name, media)) = media
            && essence(name) == FORM
            && let Some(media) = self.media_type(media)
            && let Some(schema) = media.member("schema")
            && schema.text("type") != Some("array")
        {
            let encoding = self.encoding(&media, name, &wanted);
            let key = self.lift(wanted, schema.value, schema.at);
            let form = Media {
                media_type: name.to_owned(),
                schema: Some(key.clone()),
                encoding,
                ..Media::of_bytes(media.at)
            };
            return (key, Style::QueryForm, Some(form));
        }
        let (key, is_json) = self.value_schema(node, wanted);
        match is_json {
            true => (key, Style::QueryJson, None),
            false => (key, Style::QueryText, None),
        }
    }

    fn undescribed(&mut self, node: &Node<'a>) -> ValueSchema<'a> {
        let message = "`schema` or `content` must describe the value";
        self.invalid(&node.at, message, FALLBACK);
        ValueSchema::anything(node.at.child("schema"), false)
    }

    /// Whether a schema describes lists or objects, itself or behind references and unions.
    fn has_parts(&self, schema: &Node<'a>) -> bool {
        let mut open = vec![schema.clone()];
        for _ in 0..MAX_SEARCHED {
            let Some(schema) = open.pop() else {
                return false;
            };
            if describes_parts(schema.value) {
                return true;
            }
            let unions = ["allOf", "anyOf", "oneOf"].map(|keyword| schema.member(keyword));
            open.extend(unions.into_iter().flatten().flat_map(|list| list.items()));
            let referred = schema
                .text("$ref")
                .and_then(|reference| Pointer::parse(reference.strip_prefix('#')?))
                .and_then(|pointer| Node::root(self.root).find(&pointer));
            open.extend(referred);
        }
        false
    }
}

impl<'a> ValueSchema<'a> {
    fn of(schema: Node<'a>, is_json: bool) -> ValueSchema<'a> {
        ValueSchema {
            schema: Cow::Borrowed(schema.value),
            at: schema.at,
            is_json,
        }
    }

    /// Where no schema describes the value.
    fn anything(at: Pointer, is_json: bool) -> ValueSchema<'a> {
        ValueSchema {
            schema: Cow::Owned(Value::Bool(true)),
            at,
            is_json,
        }
    }
}

fn describes_parts(schema: &Value) -> bool {
    let is_part = |name: &Value| name == "array" || name == "object";
    let typed = schema.get("type").is_some_and(|types| match types {
        Value::Array(types) => types.iter().any(is_part),
        only => is_part(only),
    });
    let mut keywords = ["properties", "additionalProperties", "items"].into_iter();
    typed || keywords.any(|keyword| schema.get(keyword).is_some())
}
