//! How the fields of forms are written (OpenAPI 3.1.1 §4.8.15).
//!
//! [`openapiv3::Encoding`] cannot tell an absent `explode`, whose default depends on the style, from
//! `false`.

use super::operation::IGNORED;
use super::parameter::Parameter;
use super::{Reader, node::Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::message::{ParamLocation, essence, is_json, is_media_type};
use crate::source::Pointer;
use json_schema::style::Style;
use serde_json::Value;

/// The encodings of parts that have no names, but a place (OpenAPI 3.2.0 §4.14.5.2).
#[derive(Debug, Default)]
pub struct Positions {
    /// The encodings of the first parts, one each.
    pub prefix: Vec<Encoding>,
    /// The encoding of all others.
    pub rest: Option<Box<Encoding>>,
}

/// How one field of a form, or one part, is written (§4.8.15).
#[derive(Debug)]
pub struct Encoding {
    pub(crate) at: Pointer,
    /// The name of the field; a part without a name has none.
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
    /// The encodings of the parts that it has itself.
    pub positions: Positions,
}

impl Positions {
    /// Whether nothing is said of any part.
    pub(crate) fn is_empty(&self) -> bool {
        self.prefix.is_empty() && self.rest.is_none()
    }

    /// The encoding of the part at an index.
    #[must_use]
    pub fn at(&self, index: usize) -> Option<&Encoding> {
        self.prefix.get(index).or(self.rest.as_deref())
    }
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

impl<'a> Reader<'a> {
    /// The headers that `encoding` declares for the parts of a field.
    fn headers_of_parts(&mut self, encoding: &Node<'a>, scope: &str) -> Vec<Parameter> {
        let mut headers: Vec<Parameter> = Vec::new();
        for (name, node) in encoding.map("headers") {
            let is = |known: &str| known.eq_ignore_ascii_case(name);
            // The form itself sets a part's media type and field name.
            if is("content-type") || is("content-disposition") {
                continue;
            }
            if headers.iter().any(|header| is(&header.name)) {
                let message = format!("the header `{name}` is declared twice, in two cases");
                self.invalid(&node.at, message, IGNORED);
                continue;
            }
            let Some(header) = self.header(name, node, scope) else {
                continue;
            };
            headers.push(Parameter {
                component: None,
                name: header.name,
                place: ParamLocation::Header,
                required: header.required,
                style: if header.is_json {
                    Style::Json
                } else {
                    Style::Simple
                },
                explode: header.explode,
                allow_reserved: false,
                schema: header.schema,
                form: None,
                description: header.description,
                deprecated: header.deprecated,
                examples: header.examples,
                at: header.at,
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
            self.invalid(&node.at, message, IGNORED);
        }
        (!types.is_empty()).then(|| types.join(", "))
    }

    /// Reports an `encoding` for a field that the form's schema does not have (§4.8.14.1).
    fn report_unknown_field(&mut self, node: &Node<'a>, field: &str) -> bool {
        let message = format!("the schema has no property `{field}`");
        self.invalid(&node.at, message, IGNORED);
        false
    }

    /// The encoding of each field; the styles are those of a query parameter.
    pub(super) fn encoding(
        &mut self,
        media: &Node<'a>,
        media_type: &str,
        scope: &str,
    ) -> Vec<Encoding> {
        let essence = essence(media_type);
        let has_parts = essence == "multipart/form-data";
        let is_form = essence == "application/x-www-form-urlencoded";
        let mut each = media.map("encoding");
        if !is_form && !essence.starts_with("multipart/") && !each.is_empty() {
            let message = format!("this is about fields, which `{essence}` does not have");
            self.invalid(&media.at.child("encoding"), message, IGNORED);
            return Vec::new();
        }
        if let Some(schema) = media.member("schema").filter(|_| !each.is_empty())
            && let Some(names) = self.property_names(schema)
        {
            each.retain(|(field, node)| {
                names.contains(*field) || self.report_unknown_field(node, field)
            });
        }
        let each = each.into_iter();
        each.map(|(field, node)| {
            let encoding = self.one_encoding(&node, field, has_parts, scope);
            if !encoding.positions.is_empty() {
                self.report_nested(&node, "its parts are one file");
            }
            encoding
        })
        .collect()
    }

    fn one_encoding(
        &mut self,
        node: &Node<'a>,
        field: &str,
        has_parts: bool,
        scope: &str,
    ) -> Encoding {
        // What has no name is no parameter (OpenAPI 3.2.0 §4.15.1.2).
        let says = !field.is_empty()
            && (node.member("style").is_some() || node.member("explode").is_some());
        let style = says.then(|| {
            let style = self.style(node, ParamLocation::Query);
            let explode = node.value.get("explode").and_then(Value::as_bool);
            (style, explode.unwrap_or(style.is_exploded()))
        });
        let scope = match field {
            "" => scope.to_owned(),
            field => format!("{scope}/{field}"),
        };
        let headers = match has_parts {
            true => self.headers_of_parts(node, &scope),
            false => Vec::new(),
        };
        let content_type = self.types_of_parts(node);
        if node.member("encoding").is_some() {
            self.report_nested(node, IGNORED);
        }
        Encoding {
            field: field.to_owned(),
            style,
            headers,
            positions: self.positions(node, content_type.as_deref().unwrap_or_default(), &scope),
            content_type,
            at: node.at.clone(),
        }
    }

    /// Reports the encodings of parts within a part that cannot be told apart.
    fn report_nested(&mut self, node: &Node<'a>, fallback: &str) {
        let message = "parts within a part must have no names";
        let problem = Diagnostic::new(Code::Unsupported, &node.at, message);
        self.diagnostics.recover(problem, fallback);
    }

    /// The encodings of parts by their places, which only a body of parts has.
    pub(super) fn positions(
        &mut self,
        node: &Node<'a>,
        media_type: &str,
        scope: &str,
    ) -> Positions {
        let said = ["prefixEncoding", "itemEncoding"].map(|name| node.member(name));
        let essence = essence(media_type);
        let refused = match essence.as_str() {
            "multipart/form-data" => {
                Some((Code::Unsupported, "the parts of a form must have names"))
            }
            multipart if multipart.starts_with("multipart/") => None,
            _ => Some((
                Code::Invalid,
                "this is about parts, which only `multipart` has",
            )),
        };
        if let Some((code, message)) = refused {
            for node in said.into_iter().flatten() {
                let problem = Diagnostic::new(code, &node.at, message);
                self.diagnostics.recover(problem, IGNORED);
            }
            return Positions::default();
        }
        let [prefix, rest] = said;
        let prefix = prefix.map(|prefix| prefix.items()).unwrap_or_default();
        let prefix = prefix.into_iter().enumerate();
        let prefix = prefix.map(|(index, node)| {
            let place = format!("part{}", index + 1);
            self.one_encoding(&node, "", true, &format!("{scope}/{place}"))
        });
        Positions {
            prefix: prefix.collect(),
            rest: rest.map(|node| Box::new(self.one_encoding(&node, "", true, scope))),
        }
    }
}
