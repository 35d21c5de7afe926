//! Bodies by media type (OpenAPI 3.1.1 §4.8.14), with their examples.

use super::operation::IGNORED;
use super::parameter::{ParamLocation, Parameter, Style, is_exploded};
use super::{Key, Reader, node::Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Pointer;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

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
            examples: Vec::new(),
        }
    }
}

/// The fallback for a body without a usable description.
pub(crate) const ANY_BYTES: &str = "any bytes are taken";

/// How one field of a form is written (§4.8.15).
#[derive(Debug)]
pub struct Encoding {
    pub(crate) at: Pointer,
    /// The name of the field.
    pub field: String,
    /// The media types of its value, as written.
    pub content_type: Option<String>,
    /// The style, and whether it is exploded, where either is given: then the media types are
    /// ignored (§4.8.15.1.2).
    pub style: Option<(Style, bool)>,
    /// The headers of each part of `multipart/form-data`, written like headers of a request.
    /// `Content-Type` is none of them (§4.8.15.1.1), nor is `Content-Disposition`, which names the
    /// part's field (RFC 7578 §4.2).
    pub headers: Vec<Parameter>,
}

impl Encoding {
    /// The media types that a part may have; none where a style is given, which takes precedence
    /// (§4.8.15.1.2).
    pub(crate) fn types(&self) -> Vec<String> {
        let content_type = self
            .content_type
            .as_deref()
            .filter(|_| self.style.is_none());
        let listed = content_type.unwrap_or_default().split(',').map(str::trim);
        let listed = listed.filter(|name| !name.is_empty());
        listed.map(str::to_owned).collect()
    }

    /// The style of a field of `application/x-www-form-urlencoded` that is one text for its whole
    /// value.
    pub(crate) fn one_text(&self) -> Option<Style> {
        match self.style {
            Some((style @ (Style::Form | Style::SpaceDelimited | Style::PipeDelimited), false)) => {
                Some(style)
            }
            Some(_) => None,
            None => {
                let content_type = self.content_type.as_deref()?;
                is_json(content_type).then_some(Style::Json)
            }
        }
    }
}

/// A named example (§4.8.19).
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the names are those of the standard")]
pub struct Example {
    pub name: String,
    pub summary: Option<String>,
    pub value: Value,
}

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
        Body {
            description: node.string("description"),
            required: node.flag("required"),
            limit: self.body_limit(&node),
            content: self.content(&node, &format!("{scope}/body")),
            at: node.at,
        }
    }

    fn body_limit(&mut self, body: &Node<'a>) -> Option<u64> {
        let node = body.member("x-body-limit")?;
        let limit = node.value.as_u64();
        if limit.is_none() {
            let message = "a limit is a number of bytes";
            self.diagnostics
                .recover(Diagnostic::new(Code::Invalid, &node.at, message), IGNORED);
        }
        limit
    }

    pub(super) fn content(&mut self, node: &Node<'a>, scope: &str) -> Vec<Media> {
        let mut listed = node
            .member("content")
            .map(|content| content.entries())
            .unwrap_or_default();
        // Media types may begin so, too.
        listed.retain(|(name, _)| !name.starts_with("x-") || is_media_type(name));
        let several = listed.len() > 1;
        let (mut content, mut seen) = (Vec::new(), BTreeMap::new());
        for (media_type, node) in listed {
            if !is_media_type(media_type) {
                let message = format!("`{media_type}` is no media type (RFC 9110 §8.3.1)");
                self.diagnostics
                    .recover(Diagnostic::new(Code::Invalid, &node.at, message), IGNORED);
                continue;
            }
            if let Some(known) = seen.insert(canonical(media_type), media_type) {
                let message = format!("`{media_type}` is `{known}` once more (RFC 9110 §8.3.1)");
                self.diagnostics
                    .recover(Diagnostic::new(Code::Invalid, &node.at, message), IGNORED);
                continue;
            }
            let Some(node) = self.resolve_part(node, "a media type", IGNORED) else {
                continue;
            };
            let wanted = if several {
                format!("{scope}/{media_type}")
            } else {
                scope.to_owned()
            };
            let mut lift = |member: &str, wanted: String| {
                let schema = node.member(member)?;
                let key = self
                    .bundle
                    .lift(wanted, schema.value, schema.at, self.diagnostics);
                Some(key)
            };
            content.push(Media {
                media_type: media_type.to_owned(),
                item_schema: lift("itemSchema", format!("{wanted}/item")),
                schema: lift("schema", wanted.clone()),
                encoding: self.encoding(&node, media_type, &wanted),
                examples: self.examples(&node),
                at: node.at,
            });
        }
        content
    }

    pub(super) fn examples(&mut self, node: &Node<'a>) -> Vec<Example> {
        let mut examples = Vec::new();
        if let Some(value) = node.value.get("example") {
            examples.push(Example {
                name: "example".into(),
                summary: None,
                value: value.clone(),
            });
        }
        let named = node
            .member("examples")
            .map(|named| named.entries())
            .unwrap_or_default();
        for (name, node) in named {
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

    /// The headers that `encoding` declares for the parts of a field.
    fn headers_of_parts(&mut self, encoding: &Node<'a>, scope: &str) -> Vec<Parameter> {
        let listed = encoding.member("headers").map(|node| node.entries());
        let mut headers: Vec<Parameter> = Vec::new();
        for (name, node) in listed.unwrap_or_default() {
            let is = |known: &str| known.eq_ignore_ascii_case(name);
            // The form itself sets a part's media type and field name.
            if is("content-type") || is("content-disposition") {
                continue;
            }
            if headers.iter().any(|header| is(&header.name)) {
                let message = format!("the header `{name}` is declared twice, in two cases");
                self.diagnostics
                    .recover(Diagnostic::new(Code::Invalid, &node.at, &message), IGNORED);
                continue;
            }
            if !self.header_name(name, &node.at, IGNORED) {
                continue;
            }
            let Some(node) = self.resolve_part(node, "a header", IGNORED) else {
                continue;
            };
            let (schema, is_json) = self.value_schema(&node, format!("{scope}/header/{name}"));
            headers.push(Parameter {
                component: None,
                name: name.to_owned(),
                place: ParamLocation::Header,
                required: node.flag("required"),
                style: if is_json { Style::Json } else { Style::Simple },
                explode: node.flag("explode"),
                schema,
                description: node.string("description"),
                deprecated: node.flag("deprecated"),
                examples: self.examples(&node),
                at: node.at,
            });
        }
        headers
    }

    /// The media types that parts may have, without invalid ones.
    fn types_of_parts(&mut self, encoding: &Node<'a>) -> Option<String> {
        let node = encoding.member("contentType")?;
        let listed = node.value.as_str()?.split(',').map(str::trim);
        let (types, others): (Vec<_>, Vec<_>) = listed.partition(|name| is_media_type(name));
        for other in others {
            let message = format!("`{other}` is no media type (RFC 9110 §8.3.1)");
            self.diagnostics
                .recover(Diagnostic::new(Code::Invalid, &node.at, message), IGNORED);
        }
        (!types.is_empty()).then(|| types.join(", "))
    }

    /// Reports an `encoding` for a field that the form's schema does not have (§4.8.14.1).
    fn report_unknown_field(&mut self, node: &Node<'a>, field: &str) -> bool {
        let message = format!("the schema has no property `{field}`");
        self.diagnostics
            .recover(Diagnostic::new(Code::Invalid, &node.at, message), IGNORED);
        false
    }

    /// The encoding of each field; the styles are those of a query parameter.
    fn encoding(&mut self, media: &Node<'a>, media_type: &str, scope: &str) -> Vec<Encoding> {
        let has_parts = essence(media_type) == "multipart/form-data";
        let listed = media.member("encoding").map(|node| node.entries());
        let mut each = listed.unwrap_or_default();
        if let Some(schema) = media.member("schema").filter(|_| !each.is_empty())
            && let Some(names) = self.property_names(schema)
        {
            each.retain(|(field, node)| {
                names.contains(*field) || self.report_unknown_field(node, field)
            });
        }
        let each = each.into_iter();
        each.map(|(field, node)| {
            let says = node.member("style").is_some() || node.member("explode").is_some();
            let style = says.then(|| {
                let style = self.style(&node, ParamLocation::Query);
                (style, is_exploded(&node, style))
            });
            let headers = match has_parts {
                true => self.headers_of_parts(&node, &format!("{scope}/{field}")),
                false => Vec::new(),
            };
            Encoding {
                field: field.to_owned(),
                content_type: self.types_of_parts(&node),
                style,
                headers,
                at: node.at,
            }
        })
        .collect()
    }
}

/// A media type without its parameters.
fn essence(media_type: &str) -> String {
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    essence.to_ascii_lowercase()
}

/// Whether a media type is XML (WHATWG MIME Sniffing §4.6).
pub(crate) fn is_xml(media_type: &str) -> bool {
    essence(media_type).ends_with("xml")
}

/// Whether a media type is JSON (WHATWG MIME Sniffing §4.6; RFC 6838 §4.2.8 for `+json`).
#[must_use]
pub fn is_json(media_type: &str) -> bool {
    let essence = essence(media_type);
    matches!(essence.as_str(), "application/json" | "text/json") || essence.ends_with("+json")
}

/// Whether a body of a media type is a text that may be one value of its schema (RFC 2046 §4.1).
/// XML is not: schemas do not describe it.
#[must_use]
pub fn is_text(media_type: &str) -> bool {
    let essence = essence(media_type);
    essence.starts_with("text/") && !essence.ends_with("xml") && !is_json(&essence)
}

/// A media type in the form in which it is compared: its name in lower case, and the parameters but
/// for a charset in any order (RFC 9110 §8.3.1). The case of a parameter's value is kept, because
/// it may count (§5.6.6).
#[must_use]
pub fn canonical(media_type: &str) -> String {
    let mut parts = media_type.split(';').map(str::trim);
    let essence = parts.next().unwrap_or_default().to_ascii_lowercase();
    let compared = parts.filter(|part| !part.is_empty()).map(|part| {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        format!("{}={}", name.to_ascii_lowercase(), value.replace('"', ""))
    });
    let compared: BTreeSet<String> = compared
        .filter(|part| !part.starts_with("charset="))
        .collect();
    compared
        .into_iter()
        .fold(essence, |name, part| name + ";" + &part)
}

/// Whether a text is a type and a subtype with, perhaps, parameters, in visible characters.
fn is_media_type(text: &str) -> bool {
    let essence = text.split(';').next().unwrap_or_default().trim();
    let visible = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_graphic());
    let halves = essence.split_once('/');
    halves.is_some_and(|(kind, subtype)| {
        visible(kind) && visible(subtype) && http::HeaderValue::from_str(text).is_ok()
    })
}
