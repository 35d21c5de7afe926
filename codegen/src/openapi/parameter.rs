//! Parameters (OpenAPI 3.1.1 §4.8.12).

use super::example::Example;
use super::media::Media;
use super::object_fields::Object;
use super::operation::IGNORED;
use super::version::{self, Version};
use super::{Key, Reader, node::Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::message::ParamLocation;
use crate::source::Pointer;
use json_schema::style::Style;
use openapiv3::{CookieStyle, HeaderStyle, PathStyle, QueryStyle};
use serde::de::DeserializeOwned;
use serde_json::Value;

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
    pub allow_reserved: bool,
    pub schema: Key,
    /// The form that a query string is, where it is one.
    pub form: Option<Media>,
    pub description: Option<String>,
    pub deprecated: bool,
    pub examples: Vec<Example>,
}

/// The place of a parameter that is the whole query (OpenAPI 3.2.0 §4.12.1).
const QUERY_STRING: &str = "querystring";

/// Whether two parameters have the same location and name.
fn is_same(one: &Parameter, other: &Parameter) -> bool {
    one.place == other.place
        && one.style.is_whole_query() == other.style.is_whole_query()
        && one.place.is_named(&one.name, &other.name)
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
                parameters.retain(|known| !is_same(known, &parameter));
                parameters.push(parameter);
            }
        }
        self.check_query_string(&mut parameters);
        parameters
    }

    /// A query string stands alone: neither another one nor parameters of the query may be beside it
    /// (OpenAPI 3.2.0 §4.12.1).
    fn check_query_string(&mut self, parameters: &mut Vec<Parameter>) {
        let is_whole = |one: &Parameter| one.style.is_whole_query();
        let Some(first) = parameters.iter().position(is_whole) else {
            return;
        };
        let beside = parameters
            .iter()
            .enumerate()
            .filter(|(index, one)| *index != first && one.place == ParamLocation::Query);
        let beside: Vec<_> = beside
            .map(|(_, one)| (one.at.clone(), is_whole(one)))
            .collect();
        let has_pairs = beside.iter().any(|(_, is_whole)| !is_whole);
        for (at, is_whole) in &beside {
            let (message, fallback) = match is_whole {
                true => (
                    "an operation must have at most one query string",
                    "the first is taken",
                ),
                false => (
                    "a parameter of the query must not stand beside a query string",
                    "the query string is ignored",
                ),
            };
            let problem = Diagnostic::new(Code::InvalidParameter, at, message);
            let problem = match parameters.get(first) {
                Some(first) => problem.related(&first.at, "this is the query string"),
                None => problem,
            };
            self.diagnostics.recover(problem, fallback);
        }
        let mut index = 0;
        parameters.retain(|one| {
            let is_first = index == first;
            index += 1;
            !is_whole(one) || (is_first && !has_pairs)
        });
    }

    pub(super) fn parameter(&mut self, node: Node<'a>, scope: &str) -> Option<Parameter> {
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
            let message = "a parameter in the path must be `required: true` (§4.8.12.2.1)";
            let fallback = "it is required, as every path has it";
            self.diagnostics.recover(
                Diagnostic::new(Code::InvalidParameter, &node.at, message),
                fallback,
            );
        }
        let place_name = node.text("in").unwrap_or_default();
        let allow_reserved = node.flag("allowReserved");
        let component = node.at.component("parameters");
        let wanted = match &component {
            Some(shared) => format!("parameters/{shared}"),
            None => format!("{scope}/{}/{name}", place_name),
        };
        let mut form = None;
        let (schema, style) = match place_name {
            QUERY_STRING => {
                let (schema, style, read) = self.query_string(&node, wanted);
                form = read;
                (schema, style)
            }
            _ => {
                let style = self.style(&node, place);
                let (schema, is_json) = self.value_schema(&node, wanted);
                (schema, if is_json { Style::Json } else { style })
            }
        };
        if allow_reserved {
            self.check_reserved(&node, place, style);
        }
        if node.flag("allowEmptyValue") && (place_name != "query") {
            let message = "only a parameter of the query may be empty instead of absent";
            let at = node.at.child("allowEmptyValue");
            let problem = Diagnostic::new(Code::InvalidParameter, &at, message);
            self.diagnostics.recover(problem, IGNORED);
        } else if node.flag("allowEmptyValue") && self.has_no_empty_text(&schema) {
            let message = "an empty text is no value of this schema, whatever it would mean";
            let at = node.at.child("allowEmptyValue");
            let problem = Diagnostic::new(Code::Unsupported, &at, message);
            self.diagnostics
                .recover(problem, "an empty value is rejected");
        }
        Some(Parameter {
            component,
            place,
            required: fields.required || place == ParamLocation::Path,
            style,
            explode: fields.explode.unwrap_or(style.is_exploded()),
            allow_reserved,
            schema,
            form,
            description: fields.description,
            deprecated: fields.deprecated.unwrap_or_default(),
            examples: self.examples_of(&node),
            name,
            at: node.at,
        })
    }

    /// Whether a schema has a type of which no value is written as an empty text.
    fn has_no_empty_text(&self, key: &str) -> bool {
        let ty = self.bundle.get(key).and_then(|schema| schema.get("type"));
        let ty = ty.and_then(Value::as_str);
        matches!(ty, Some("boolean" | "integer" | "number"))
    }

    /// The examples of a parameter: its own, or those of its media type.
    fn examples_of(&mut self, node: &Node<'a>) -> Vec<Example> {
        let mut examples = self.examples(node);
        let media = node.member("content").and_then(|content| {
            let (_, media) = content.entries().into_iter().next()?;
            self.media_type(media)
        });
        examples.extend(media.iter().flat_map(|media| self.examples(media)));
        examples
    }

    /// Reports `allowReserved` where the version does not have it, and warns where nothing is percent-encoded,
    /// so that it has no effect (OpenAPI 3.2.0 §4.12.2.2).
    fn check_reserved(&mut self, node: &Node<'a>, place: ParamLocation, style: Style) {
        let (at, own) = (node.at.child("allowReserved"), self.bundle.version);
        if place == ParamLocation::Header || style == Style::Cookie || style.is_whole_query() {
            let message = "`allowReserved` means nothing where nothing is percent-encoded";
            let problem = Diagnostic::new(Code::InvalidParameter, &at, message);
            // Before 3.2, it is a field of query parameters alone (3.1.1 §4.8.12.2.1).
            match own < Version::V32 {
                true => self.diagnostics.recover(problem, IGNORED),
                false => self.diagnostics.warn(problem),
            }
        } else if place != ParamLocation::Query {
            let what = "`allowReserved` outside of the query";
            version::check(what, Version::V32, own, &at, self.diagnostics);
        }
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
            ParamLocation::Cookie if node.text("style") == Some("cookie") => {
                let (at, own) = (node.at.child("style"), self.bundle.version);
                let what = "the style `cookie`";
                version::check(what, Version::V32, own, &at, self.diagnostics);
                Style::Cookie
            }
            ParamLocation::Cookie => match self.choice(node) {
                CookieStyle::Form => Style::Form,
            },
        }
    }

    /// One of the styles of a place. A wrong one is reported here, and not with the object around it,
    /// which `openapiv3` would refuse as a whole.
    fn choice<T: DeserializeOwned + Default>(&mut self, node: &Node<'a>) -> T {
        let style = node.choice("style").unwrap_or_else(|mut problem| {
            problem.code = Code::InvalidParameter;
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
        // `openapiv3` knows neither the place nor the style.
        let mut members = node.value.as_object().cloned().unwrap_or_default();
        if node.text("in") == Some(QUERY_STRING) {
            members.insert("in".into(), "query".into());
        }
        let known = Value::Object(members);
        let known = Node {
            value: if node.value.is_object() {
                &known
            } else {
                node.value
            },
            at: node.at.clone(),
        };
        let parameter = known.fields(Object::Parameter).map_err(|mut problem| {
            if node.value.is_object() {
                problem.code = Code::InvalidParameter;
                let help = "a parameter must have a `name`, and be `in` path, query, querystring, header or cookie";
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
