//! Parameters (OpenAPI 3.1.1 §4.8.12).

use super::example::Example;
use super::object_fields::Object;
use super::operation::IGNORED;
use super::{Key, Reader, node::Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::message::ParamLocation;
use crate::source::Pointer;
use json_schema::style::Style;
use openapiv3::{CookieStyle, HeaderStyle, PathStyle, QueryStyle};
use serde::de::DeserializeOwned;

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
            for node in holder.list("parameters") {
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
        let (place, fields) = match self.located(&node) {
            Ok(located) => located,
            Err(problem) => {
                self.diagnostics.recover(*problem, IGNORED);
                return None;
            }
        };
        let name = fields.name;
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
        if place == ParamLocation::Path && !fields.required {
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
            None => format!("{scope}/{}/{name}", place_name),
        };
        let (schema, is_json) = self.value_schema(&node, wanted);
        let style = if is_json { Style::Json } else { style };
        Some(Parameter {
            component,
            place,
            required: fields.required || place == ParamLocation::Path,
            style,
            explode: fields.explode.unwrap_or(style.is_exploded()),
            schema,
            description: fields.description,
            deprecated: fields.deprecated.unwrap_or_default(),
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
            self.invalid(at, message, fallback);
        }
        fits
    }

    /// Whether a text can be the name of a cookie: a name ends at `=`, and the cookie at `;`.
    pub(super) fn cookie_name(&mut self, name: &str, at: &Pointer, fallback: &str) -> bool {
        let ends = |c: char| matches!(c, '=' | ';') || c.is_control();
        let fits = !name.is_empty() && name.trim() == name && !name.contains(ends);
        if !fits {
            let message = format!("`{name}` cannot be the name of a cookie (RFC 6265 §4.1.1)");
            self.invalid(at, message, fallback);
        }
        fits
    }

    /// The style of a value, by default the usual one of its place.
    pub(super) fn style(&mut self, node: &Node<'a>, place: ParamLocation) -> Style {
        match place {
            ParamLocation::Path => match self.choice(node) {
                PathStyle::Simple => Style::Simple,
                PathStyle::Label => Style::Label,
                PathStyle::Matrix => Style::Matrix,
            },
            ParamLocation::Query => match self.choice(node) {
                QueryStyle::Form => Style::Form,
                QueryStyle::SpaceDelimited => Style::SpaceDelimited,
                QueryStyle::PipeDelimited => Style::PipeDelimited,
                QueryStyle::DeepObject => Style::DeepObject,
            },
            ParamLocation::Header => match self.choice(node) {
                HeaderStyle::Simple => Style::Simple,
            },
            ParamLocation::Cookie => match self.choice(node) {
                CookieStyle::Form => Style::Form,
            },
        }
    }

    /// One of the styles of a place. A wrong one is reported here, and not with the object around it,
    /// which `openapiv3` would refuse as a whole.
    fn choice<T: DeserializeOwned + Default>(&mut self, node: &Node<'a>) -> T {
        let style = node.choice("style").unwrap_or_else(|mut problem| {
            problem.code = Code::Parameter;
            self.diagnostics
                .recover(*problem, "the usual style of the place is taken");
            None
        });
        style.unwrap_or_default()
    }

    /// A parameter's location and its fixed fields.
    fn located(
        &self,
        node: &Node<'a>,
    ) -> Result<(ParamLocation, openapiv3::ParameterData), Box<Diagnostic>> {
        use openapiv3::Parameter::{Cookie, Header, Path, Query};
        let parameter = node.fields(Object::Parameter).map_err(|mut problem| {
            if node.value.is_object() {
                problem.code = Code::Parameter;
                let help = "a parameter has a `name`, and is `in` path, query, header or cookie";
                problem.help = Some(help.to_owned());
            }
            problem
        })?;
        let location = match &parameter {
            Path { .. } => ParamLocation::Path,
            Query { .. } => ParamLocation::Query,
            Header { .. } => ParamLocation::Header,
            Cookie { .. } => ParamLocation::Cookie,
        };
        Ok((location, parameter.parameter_data()))
    }
}
