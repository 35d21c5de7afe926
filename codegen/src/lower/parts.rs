//! Bodies of parts that have no names, such as `multipart/mixed` (OpenAPI 3.2.0 §4.14.6): the type of each part,
//! by its place.

use super::forms;
use super::merge::{self, Merged};
use super::models::doc_of;
use super::operations::Lowering;
use super::sequences::{self, Item};
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{BodyParts, Content, Name, PartContent, PartKind, Rules, TypeKind};
use crate::message::{is_text, is_xml};
use crate::names::{self, Scope};
use crate::openapi::{self, Encoding, Positions, is_json};
use crate::schema::{self, JsonType, Keywords, Schema};
use std::borrow::Cow;

/// The fallback for parts that are not told apart.
const FALLBACK: &str = "the body is a stream of bytes, parts and all";

/// The schemas of parts by their places.
struct Listed<'a> {
    prefix: Vec<Item<'a>>,
    /// The schema of all others; `None` where none may follow.
    rest: Option<Item<'a>>,
}

impl<'a> Lowering<'_, 'a> {
    /// The parts of a body of the media type `essence`; `None` where it has none, or where its schema does
    /// not describe them one after the other.
    pub(super) fn parts(
        &mut self,
        media: &openapi::Media,
        essence: &str,
        hint: &str,
    ) -> Option<Content> {
        // The parts of a form have names, and those of an answer that is one are bytes.
        if !essence.starts_with("multipart/") || essence == "multipart/form-data" {
            return None;
        }
        let listed = match (&media.item_schema, &media.schema) {
            (Some(key), _) => Some(Listed {
                prefix: Vec::new(),
                rest: Some(Item::Whole(key.clone())),
            }),
            (None, Some(key)) => {
                let schema = sequences::parsed(self.models, key);
                self.listed(&schema)
            }
            (None, None) => None,
        };
        if listed.is_none() && !media.positions.is_empty() {
            let message =
                "parts in order must be described by `itemSchema`, or by a `schema` of an array";
            let problem = Diagnostic::new(Code::Unsupported, &media.at, message);
            self.models.diagnostics.recover(problem, FALLBACK);
        }
        let parts = self.body_parts(listed?, &media.positions, media, hint);
        Some(Content::Parts(parts))
    }

    /// The schemas of the items of an array by their places; `None` for anything else.
    fn listed(&mut self, schema: &Schema<'a>) -> Option<Listed<'a>> {
        let keywords = self.joined(schema)?;
        let prefix = self.prefix_items(&keywords);
        if !is_array(&keywords, !prefix.is_empty()) {
            return None;
        }
        let rest = match keywords.items {
            Some(Schema::Never) => None,
            items => Some(Item::Part(items.unwrap_or(Schema::Always))),
        };
        Some(Listed { prefix, rest })
    }

    /// A schema with its references and `allOf`, where one schema is equal to them.
    pub(super) fn joined(&mut self, schema: &Schema<'a>) -> Option<Keywords<'a>> {
        let keywords = self.models.resolved(schema)?;
        if keywords.all_of.is_empty() && keywords.reference.is_none() {
            return Some(keywords);
        }
        match merge::merge(self.models, &keywords)? {
            Merged::Whole(joined) => Some(*joined),
            Merged::One(only) => self.models.resolved(&only),
        }
    }

    fn prefix_items(&mut self, keywords: &Keywords<'a>) -> Vec<Item<'a>> {
        let Cow::Borrowed(raw) = keywords.raw else {
            return Vec::new();
        };
        let items = raw.get("prefixItems").and_then(|items| items.as_array());
        let at = keywords.at.child("prefixItems");
        let items = items.into_iter().flatten().enumerate();
        let items = items.map(|(index, value)| {
            let at = at.child(index.to_string());
            Item::Part(schema::parse(value, &at, self.models.diagnostics))
        });
        items.collect()
    }

    fn body_parts(
        &mut self,
        listed: Listed<'a>,
        positions: &Positions,
        media: &openapi::Media,
        hint: &str,
    ) -> BodyParts {
        let Listed { mut prefix, rest } = listed;
        // An encoding may tell apart what one schema describes.
        while prefix.len() < positions.prefix.len()
            && let Some(rest) = &rest
        {
            prefix.push(rest.clone());
        }
        let several = !prefix.is_empty();
        let name = match several {
            true => self.bodies.claim(Name::of(&format!("{hint} part"))),
            false => Name::default(),
        };
        let mut names = Scope::default();
        let count = prefix.len();
        let mut kind = |place: usize, item: Item<'a>| {
            let own = self.kind_name(&item);
            let own = own.unwrap_or_else(|| match place < count {
                true => format!("part{}", place + 1),
                false => "rest".to_owned(),
            });
            let name = names.claim(Name::of(&own));
            let hint = match several {
                true => format!("{hint} {name}"),
                false => format!("{hint} part"),
            };
            self.kind(item, name, positions.at(place), media, &hint)
        };
        let prefix: Vec<PartKind> = prefix
            .into_iter()
            .enumerate()
            .map(|(place, item)| kind(place, item))
            .collect();
        let rest = rest.map(|item| kind(count, item));
        BodyParts { name, prefix, rest }
    }

    /// The name of a kind of parts: that of its component, or its title.
    fn kind_name(&mut self, item: &Item<'a>) -> Option<String> {
        let schema = item.schema(self.models);
        let Schema::Keywords(keywords) = schema else {
            return None;
        };
        match keywords.lone_reference() {
            Some(key) => Some(names::of_key(self.models.bundle.component_of(key))),
            None => keywords.title.clone(),
        }
    }

    fn kind(
        &mut self,
        item: Item<'a>,
        name: Name,
        encoding: Option<&Encoding>,
        media: &openapi::Media,
        hint: &str,
    ) -> PartKind {
        let content = self.part_content(&item, encoding, media, hint);
        let headers = encoding.and_then(|encoding| {
            forms::headers_of(self.models, self.bodies, encoding, (hint, false))
        });
        PartKind {
            name,
            doc: doc_of(&item.schema(self.models)),
            types: encoding.map(Encoding::types).unwrap_or_default(),
            content,
            headers,
        }
    }

    /// The content of a part: by the media type of its encoding, or else by its schema (OpenAPI 3.2.0
    /// §4.15.1.1).
    fn part_content(
        &mut self,
        item: &Item<'a>,
        encoding: Option<&Encoding>,
        media: &openapi::Media,
        hint: &str,
    ) -> PartContent {
        let schema = item.schema(self.models);
        let content_type = encoding.and_then(|encoding| encoding.content_type.as_deref());
        if let Some(encoding) = encoding
            && content_type.is_some_and(|own| own.starts_with("multipart/"))
        {
            return self.inner_parts(&schema, encoding, media, hint);
        }
        if forms::holds(self.models, &schema, content_type) {
            return PartContent::Bytes;
        }
        if content_type.is_some_and(is_xml) {
            return PartContent::Text;
        }
        // A part may be of one of several types, such as a text or an image.
        let listed = encoding.map(Encoding::types).unwrap_or_default();
        if listed.iter().any(|own| !is_json(own) && !is_text(own)) {
            return PartContent::Bytes;
        }
        let (ty, key) = item.typed(self.models, hint);
        let is_scalar = forms::is_scalar(self.models, &ty);
        match content_type {
            Some(own) if is_json(own) => PartContent::Json(ty, key),
            None if !is_scalar => PartContent::Json(ty, key),
            _ if matches!(ty.kind, TypeKind::String) && *ty.rules == Rules::default() => {
                PartContent::Text
            }
            _ if is_scalar => PartContent::Scalar(ty, key),
            _ => {
                let message = "the schema of a text must accept plain values only";
                let problem = Diagnostic::new(Code::Unsupported, &media.at, message);
                let diagnostics = &mut self.models.diagnostics;
                diagnostics.recover(problem, "any text is taken for the part");
                PartContent::Text
            }
        }
    }

    /// The parts that a part has itself.
    fn inner_parts(
        &mut self,
        schema: &Schema<'a>,
        encoding: &Encoding,
        media: &openapi::Media,
        hint: &str,
    ) -> PartContent {
        let Some(listed) = self.listed(schema) else {
            let message = "parts within a part must be described by the `schema` of an array";
            let problem = Diagnostic::new(Code::Unsupported, &encoding.at, message);
            let diagnostics = &mut self.models.diagnostics;
            diagnostics.recover(problem, "the part is bytes");
            return PartContent::Bytes;
        };
        let inner = self.body_parts(listed, &encoding.positions, media, hint);
        PartContent::Parts(Box::new(inner))
    }
}

/// Whether a schema describes a list of parts: it takes arrays, or says of no other type than of these. A
/// body is never `null`, which the schema may take too.
fn is_array(keywords: &Keywords<'_>, has_places: bool) -> bool {
    let types = &keywords.types;
    let is_listed = |own: &JsonType| matches!(own, JsonType::Array | JsonType::Null);
    match types.contains(&JsonType::Array) {
        true => types.iter().all(is_listed),
        false => {
            let says_items = has_places || keywords.items.is_some();
            types.is_empty() && says_items && keywords.properties.is_empty()
        }
    }
}
