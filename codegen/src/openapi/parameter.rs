//! Parameters (OpenAPI 3.1.1 §4.8.12).

use super::media::Example;
use super::operation::IGNORED;
use super::{Key, Reader, node::Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Pointer;
use serde_json::Value;

/// The location of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ParamLocation {
    Path,
    Query,
    Header,
    Cookie,
}

impl ParamLocation {
    /// A place by its name.
    pub(crate) fn named(name: &str) -> Option<ParamLocation> {
        match name {
            "header" => Some(ParamLocation::Header),
            "query" => Some(ParamLocation::Query),
            "path" => Some(ParamLocation::Path),
            "cookie" => Some(ParamLocation::Cookie),
            _ => None,
        }
    }

    /// Whether a name is that of the parameter `wire` at this location: names of headers are the
    /// same in any case.
    pub(crate) fn is_named(self, wire: &str, name: &str) -> bool {
        match self {
            ParamLocation::Header => wire.eq_ignore_ascii_case(name),
            _ => wire == name,
        }
    }

    /// Whether a link means the parameter by its location and name, as in `path.id` (§4.8.20.1).
    pub(crate) fn is_qualified(self, wire: &str, name: &str) -> bool {
        name.split_once('.').is_some_and(|(place, name)| {
            ParamLocation::named(place) == Some(self) && self.is_named(wire, name)
        })
    }
}

/// The style of a parameter's value (§4.8.12.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the standard")]
pub enum Style {
    Simple,
    Label,
    Matrix,
    Form,
    SpaceDelimited,
    PipeDelimited,
    DeepObject,
    /// A text of JSON: a parameter with `content` instead of a schema.
    Json,
}

/// A parameter (§4.8.12).
#[derive(Debug)]
#[expect(missing_docs, reason = "the names are those of the standard")]
pub struct Parameter {
    pub at: Pointer,
    /// Its name under `components.parameters`, when it is written there.
    pub component: Option<String>,
    pub name: String,
    pub place: ParamLocation,
    pub required: bool,
    pub style: Style,
    pub explode: bool,
    pub schema: Key,
    pub description: Option<String>,
    pub deprecated: bool,
    pub examples: Vec<Example>,
}

impl<'a> Reader<'a> {
    /// An operation's own parameters replace those of its path item with the same location and name
    /// (§4.8.10).
    pub(super) fn parameters(
        &mut self,
        item: &Node<'a>,
        own: &Node<'a>,
        scope: &str,
    ) -> Vec<Parameter> {
        let mut parameters: Vec<Parameter> = Vec::new();
        for holder in [item, own] {
            let listed = holder
                .member("parameters")
                .map(|list| list.items())
                .unwrap_or_default();
            for node in listed {
                let Some(parameter) = self.parameter(node, scope) else {
                    continue;
                };
                let Parameter { place, name, .. } = &parameter;
                parameters.retain(|p| p.place != *place || !place.is_named(&p.name, name));
                parameters.push(parameter);
            }
        }
        parameters
    }

    fn parameter(&mut self, node: Node<'a>, scope: &str) -> Option<Parameter> {
        let node = self.resolve(node, "a parameter")?;
        if !node.value.is_object() {
            self.diagnostics.recover(
                Diagnostic::new(Code::Invalid, &node.at, "expected an object"),
                IGNORED,
            );
            return None;
        }
        let place = match node.text("in") {
            Some("path") => ParamLocation::Path,
            Some("query") => ParamLocation::Query,
            Some("header") => ParamLocation::Header,
            Some("cookie") => ParamLocation::Cookie,
            _ => {
                let message = "a parameter is `in` path, query, header or cookie";
                self.diagnostics
                    .recover(Diagnostic::new(Code::Parameter, &node.at, message), IGNORED);
                return None;
            }
        };
        let Some(name) = node.string("name") else {
            let message = "a parameter needs a `name`";
            self.diagnostics
                .recover(Diagnostic::new(Code::Parameter, &node.at, message), IGNORED);
            return None;
        };
        if place == ParamLocation::Header && !self.header_name(&name, &node.at, IGNORED) {
            return None;
        }
        if place == ParamLocation::Cookie && !self.cookie_name(&name, &node.at, IGNORED) {
            return None;
        }
        let ignored = ["accept", "content-type", "authorization"];
        if place == ParamLocation::Header && ignored.contains(&name.to_ascii_lowercase().as_str()) {
            // §4.8.12: such a definition SHALL be ignored.
            return None;
        }
        if place == ParamLocation::Path && !node.flag("required") {
            let message = "a parameter in the path is `required: true` (§4.8.12.2.1)";
            let fallback = "it is required, as every path has it";
            self.diagnostics.recover(
                Diagnostic::new(Code::Parameter, &node.at, message),
                fallback,
            );
        }
        let style = self.style(&node, place);
        let place_name = node.text("in").unwrap_or_default();
        let component = node.at.component("parameters");
        let wanted = match &component {
            Some(shared) => format!("parameters/{shared}"),
            None => format!("{scope}/{place_name}/{name}"),
        };
        let (schema, is_json) = self.value_schema(&node, wanted);
        let style = if is_json { Style::Json } else { style };
        Some(Parameter {
            component,
            place,
            required: node.flag("required") || place == ParamLocation::Path,
            style,
            explode: is_exploded(&node, style),
            schema,
            description: node.string("description"),
            deprecated: node.flag("deprecated"),
            examples: self.examples(&node),
            name,
            at: node.at,
        })
    }

    /// Whether a text can be the name of a header; other names can neither be read nor sent.
    pub(super) fn header_name(&mut self, name: &str, at: &Pointer, fallback: &str) -> bool {
        let fits = http::HeaderName::try_from(name).is_ok();
        if !fits {
            let message = format!("`{name}` cannot be the name of a header (RFC 9110 §5.1)");
            self.diagnostics
                .recover(Diagnostic::new(Code::Invalid, at, message), fallback);
        }
        fits
    }

    /// Whether a text can be the name of a cookie: a name ends at `=`, and the cookie at `;`.
    pub(super) fn cookie_name(&mut self, name: &str, at: &Pointer, fallback: &str) -> bool {
        let ends = |c: char| matches!(c, '=' | ';') || c.is_control();
        let fits = !name.is_empty() && name.trim() == name && !name.contains(ends);
        if !fits {
            let message = format!("`{name}` cannot be the name of a cookie (RFC 6265 §4.1.1)");
            self.diagnostics
                .recover(Diagnostic::new(Code::Invalid, at, message), fallback);
        }
        fits
    }

    pub(super) fn style(&mut self, node: &Node<'a>, place: ParamLocation) -> Style {
        match (node.text("style"), place) {
            (None, ParamLocation::Path | ParamLocation::Header) => Style::Simple,
            (None, ParamLocation::Query | ParamLocation::Cookie) => Style::Form,
            (Some("simple"), ParamLocation::Path | ParamLocation::Header) => Style::Simple,
            (Some("label"), ParamLocation::Path) => Style::Label,
            (Some("matrix"), ParamLocation::Path) => Style::Matrix,
            (Some("form"), ParamLocation::Query | ParamLocation::Cookie) => Style::Form,
            (Some("spaceDelimited"), ParamLocation::Query) => Style::SpaceDelimited,
            (Some("pipeDelimited"), ParamLocation::Query) => Style::PipeDelimited,
            (Some("deepObject"), ParamLocation::Query) => Style::DeepObject,
            (Some(other), _) => {
                let message = format!("the style `{other}` is not one for this place");
                let usual = match place {
                    ParamLocation::Path | ParamLocation::Header => Style::Simple,
                    ParamLocation::Query | ParamLocation::Cookie => Style::Form,
                };
                let fallback = "the usual style of the place is taken";
                self.diagnostics.recover(
                    Diagnostic::new(Code::Parameter, &node.at.child("style"), message),
                    fallback,
                );
                usual
            }
        }
    }
}

/// Whether the items or members of a value are written one by one, which is the default of some
/// styles.
pub(super) fn is_exploded(node: &Node<'_>, style: Style) -> bool {
    let explode = node.value.get("explode").and_then(Value::as_bool);
    explode.unwrap_or(matches!(style, Style::Form | Style::DeepObject))
}
