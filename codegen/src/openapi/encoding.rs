//! How the fields of forms are written (OpenAPI 3.1.1 §4.8.15).
//!
//! [`openapiv3::Encoding`] cannot tell an absent `explode`, whose default depends on the style, from
//! `false`.

use super::operation::IGNORED;
use super::parameter::Parameter;
use super::{Reader, node::Node};
use crate::message::{ParamLocation, essence, is_json, is_media_type};
use crate::source::Pointer;
use json_schema::style::Style;
use serde_json::Value;

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
        let has_parts = essence(media_type) == "multipart/form-data";
        let mut each = media.map("encoding");
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
                let explode = node.value.get("explode").and_then(Value::as_bool);
                (style, explode.unwrap_or(style.is_exploded()))
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
