//! Operations with their parameters, bodies and responses.

use super::{Key, Reader, node::Node};
use crate::diagnostic::Code;
use crate::source::Pointer;
use serde_json::Value;

/// The methods of a path item (OpenAPI 3.1.1 §4.8.9).
const METHODS: &[&str] = &[
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

/// An operation; what its path item and the document say for it is part of it.
#[derive(Debug)]
#[expect(missing_docs, reason = "the names are those of the standard, §4.8.10")]
pub struct Operation {
    pub at: Pointer,
    pub path: String,
    /// In capitals.
    pub method: String,
    pub id: Option<String>,
    pub tags: Vec<String>,
    pub summary: Option<String>,
    pub description: Option<String>,
    pub deprecated: bool,
    pub parameters: Vec<Parameter>,
    pub body: Option<Body>,
    pub responses: Vec<Response>,
    /// Alternatives, each of which wants all of its schemes with their scopes.
    pub security: Vec<Vec<(String, Vec<String>)>>,
    /// `x-metered`: whether the operation counts against limits; it does unless said otherwise.
    pub metered: bool,
}

/// Where a parameter travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Place {
    Path,
    Query,
    Header,
    Cookie,
}

/// How a parameter's value is written (§4.8.12.3).
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
}

/// A parameter (§4.8.12).
#[derive(Debug)]
#[expect(missing_docs, reason = "the names are those of the standard")]
pub struct Parameter {
    pub at: Pointer,
    pub name: String,
    pub place: Place,
    pub required: bool,
    pub style: Style,
    pub explode: bool,
    pub schema: Key,
    pub description: Option<String>,
    pub deprecated: bool,
    pub examples: Vec<Example>,
}

/// A request body (§4.8.13).
#[derive(Debug)]
#[expect(missing_docs, reason = "the names are those of the standard")]
pub struct Body {
    pub at: Pointer,
    pub description: Option<String>,
    pub required: bool,
    pub content: Vec<Media>,
}

/// One media type of a body (§4.8.14).
#[derive(Debug)]
#[expect(missing_docs, reason = "the names are those of the standard")]
pub struct Media {
    pub at: Pointer,
    pub media_type: String,
    pub schema: Option<Key>,
    pub examples: Vec<Example>,
}

/// A named example (§4.8.19).
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the names are those of the standard")]
pub struct Example {
    pub name: String,
    pub summary: Option<String>,
    pub value: Value,
}

/// Which statuses a response stands for (§4.8.16).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// One status.
    Code(u16),
    /// All statuses of that hundred: `4XX`.
    Range(u16),
    /// All that are not listed.
    Default,
}

/// A response (§4.8.17).
#[derive(Debug)]
#[expect(missing_docs, reason = "the names are those of the standard")]
pub struct Response {
    pub at: Pointer,
    pub status: Status,
    /// The name under `components.responses`, when the response is written there.
    pub component: Option<String>,
    pub description: String,
    pub headers: Vec<Header>,
    pub content: Vec<Media>,
    pub links: Vec<Link>,
    /// `x-framework-made`: the kinds of fault that the framework answers with this response, each
    /// with the component schema of its body; such a response is not the handler's to give.
    pub framework_made: Option<FrameworkMade>,
}

/// Kinds of fault, each with the schema of its body.
pub(super) type FrameworkMade = Vec<(String, Option<Key>)>;

/// A response header (§4.8.21).
#[derive(Debug)]
#[expect(missing_docs, reason = "the names are those of the standard")]
pub struct Header {
    pub at: Pointer,
    pub name: String,
    pub required: bool,
    pub description: Option<String>,
    pub schema: Key,
    pub examples: Vec<Example>,
    /// `x-framework-made`: set by the layers around the handler, never by the handler.
    pub framework_made: bool,
}

/// A link to the operation that takes what a response gives (§4.8.20).
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the names are those of the standard")]
pub struct Link {
    pub name: String,
    pub operation_id: Option<String>,
    pub description: Option<String>,
    pub parameters: Vec<(String, Value)>,
}

impl<'a> Reader<'a> {
    pub(super) fn operations(&mut self, root: &Node<'a>) -> Vec<Operation> {
        let mut operations = Vec::new();
        let paths = root
            .member("paths")
            .map(|paths| paths.members())
            .unwrap_or_default();
        for (path, item) in paths {
            let Some(item) = self.resolve(item) else {
                continue;
            };
            for (method, node) in item.members() {
                if METHODS.contains(&method) {
                    operations.extend(self.operation(root, &item, path, method, node));
                }
            }
        }
        operations
    }

    fn operation(
        &mut self,
        root: &Node<'a>,
        item: &Node<'a>,
        path: &str,
        method: &str,
        node: Node<'a>,
    ) -> Option<Operation> {
        if !node.value.is_object() {
            self.found
                .error(Code::Invalid, &node.at, "an operation is an object");
            return None;
        }
        let method = method.to_ascii_uppercase();
        let id = node.string("operationId");
        let scope = id.clone().unwrap_or_else(|| format!("{method} {path}"));
        let tags = node
            .member("tags")
            .map(|tags| tags.items())
            .unwrap_or_default();
        let security = node.member("security").or_else(|| root.member("security"));
        Some(Operation {
            path: path.to_owned(),
            method,
            id,
            tags: tags
                .iter()
                .filter_map(|tag| Some(tag.value.as_str()?.to_owned()))
                .collect(),
            summary: node.string("summary"),
            description: node.string("description"),
            deprecated: node.flag("deprecated"),
            parameters: self.parameters(item, &node, &scope),
            body: node
                .member("requestBody")
                .and_then(|body| self.body(body, &scope)),
            responses: self.responses(&node, &scope),
            security: security
                .map(|node| self.security(&node))
                .unwrap_or_default(),
            metered: node.value.get("x-metered") != Some(&Value::Bool(false)),
            at: node.at,
        })
    }

    fn security(&mut self, node: &Node<'a>) -> Vec<Vec<(String, Vec<String>)>> {
        let mut alternatives = Vec::new();
        for alternative in node.items() {
            let mut schemes = Vec::new();
            for (name, scopes) in alternative.members() {
                let declared = format!(
                    "/components/securitySchemes/{}",
                    super::bundle::escape(name)
                );
                if self.root.pointer(&declared).is_none() {
                    let message = format!("the security scheme `{name}` is not declared");
                    self.found.error(Code::SecurityScheme, &scopes.at, message);
                }
                let scopes = scopes.items();
                let scopes = scopes.iter().filter_map(|scope| scope.value.as_str());
                schemes.push((name.to_owned(), scopes.map(str::to_owned).collect()));
            }
            alternatives.push(schemes);
        }
        alternatives
    }

    /// An operation's own parameters replace its path item's of the same place and name (§4.8.10).
    fn parameters(&mut self, item: &Node<'a>, own: &Node<'a>, scope: &str) -> Vec<Parameter> {
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
                parameters.retain(|p| p.place != parameter.place || p.name != parameter.name);
                parameters.push(parameter);
            }
        }
        parameters
    }

    fn parameter(&mut self, node: Node<'a>, scope: &str) -> Option<Parameter> {
        let node = self.resolve(node)?;
        let place = match node.text("in") {
            Some("path") => Place::Path,
            Some("query") => Place::Query,
            Some("header") => Place::Header,
            Some("cookie") => Place::Cookie,
            _ => {
                let message = "a parameter is `in` path, query, header or cookie";
                self.found.error(Code::Parameter, &node.at, message);
                return None;
            }
        };
        let Some(name) = node.string("name") else {
            self.found
                .error(Code::Parameter, &node.at, "a parameter needs a `name`");
            return None;
        };
        if place == Place::Header {
            self.header_name(&name, &node.at);
        }
        let ignored = ["accept", "content-type", "authorization"];
        if place == Place::Header && ignored.contains(&name.to_ascii_lowercase().as_str()) {
            // §4.8.12: such a definition SHALL be ignored.
            return None;
        }
        let style = self.style(&node, place)?;
        let Some(schema) = node.member("schema") else {
            let message = "a parameter without `schema` is not supported";
            self.found.error(Code::Unsupported, &node.at, message);
            return None;
        };
        let place_name = node.text("in").unwrap_or_default();
        let wanted = format!("{scope}/{place_name}/{name}");
        let schema = self
            .bundle
            .lift(wanted, schema.value, schema.at, self.found);
        Some(Parameter {
            place,
            required: node.flag("required") || place == Place::Path,
            style,
            explode: node
                .value
                .get("explode")
                .and_then(Value::as_bool)
                .unwrap_or(style == Style::Form || style == Style::DeepObject),
            schema,
            description: node.string("description"),
            deprecated: node.flag("deprecated"),
            examples: self.examples(&node),
            name,
            at: node.at,
        })
    }

    /// What is no header name could neither be read nor sent.
    pub(super) fn header_name(&mut self, name: &str, at: &Pointer) {
        if http::HeaderName::try_from(name).is_err() {
            let message = format!("`{name}` cannot be the name of a header (RFC 9110 §5.1)");
            self.found.error(Code::Invalid, at, message);
        }
    }

    fn style(&mut self, node: &Node<'a>, place: Place) -> Option<Style> {
        Some(match (node.text("style"), place) {
            (None, Place::Path | Place::Header) => Style::Simple,
            (None, Place::Query | Place::Cookie) => Style::Form,
            (Some("simple"), Place::Path | Place::Header) => Style::Simple,
            (Some("label"), Place::Path) => Style::Label,
            (Some("matrix"), Place::Path) => Style::Matrix,
            (Some("form"), Place::Query | Place::Cookie) => Style::Form,
            (Some("spaceDelimited"), Place::Query) => Style::SpaceDelimited,
            (Some("pipeDelimited"), Place::Query) => Style::PipeDelimited,
            (Some("deepObject"), Place::Query) => Style::DeepObject,
            (Some(other), _) => {
                let message = format!("the style `{other}` is not one for this place");
                self.found
                    .error(Code::Parameter, &node.at.child("style"), message);
                return None;
            }
        })
    }

    fn body(&mut self, node: Node<'a>, scope: &str) -> Option<Body> {
        let node = self.resolve(node)?;
        Some(Body {
            description: node.string("description"),
            required: node.flag("required"),
            content: self.content(&node, &format!("{scope}/body")),
            at: node.at,
        })
    }

    fn content(&mut self, node: &Node<'a>, scope: &str) -> Vec<Media> {
        let listed = node
            .member("content")
            .map(|content| content.members())
            .unwrap_or_default();
        let several = listed.len() > 1;
        let mut content = Vec::new();
        for (media_type, node) in listed {
            if !is_media_type(media_type) {
                let message = format!("`{media_type}` is no media type (RFC 9110 §8.3.1)");
                self.found.error(Code::Invalid, &node.at, message);
                continue;
            }
            let wanted = if several {
                format!("{scope}/{media_type}")
            } else {
                scope.to_owned()
            };
            let schema = node.member("schema");
            content.push(Media {
                media_type: media_type.to_owned(),
                schema: schema.map(|s| self.bundle.lift(wanted, s.value, s.at, self.found)),
                examples: self.examples(&node),
                at: node.at,
            });
        }
        content
    }

    fn examples(&mut self, node: &Node<'a>) -> Vec<Example> {
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
            .map(|named| named.members())
            .unwrap_or_default();
        for (name, node) in named {
            let Some(node) = self.resolve(node) else {
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

    fn responses(&mut self, operation: &Node<'a>, scope: &str) -> Vec<Response> {
        let listed = operation
            .member("responses")
            .map(|node| node.members())
            .unwrap_or_default();
        let mut responses = Vec::new();
        for (status, node) in listed {
            let Some(parsed) = Status::parse(status) else {
                let message =
                    format!("`{status}` is neither a status, a range (`4XX`) nor `default`");
                self.found.error(Code::Status, &node.at, message);
                continue;
            };
            responses.extend(self.response(node, parsed, &format!("{scope}/{status}")));
        }
        responses
    }

    pub(super) fn response(
        &mut self,
        node: Node<'a>,
        status: Status,
        scope: &str,
    ) -> Option<Response> {
        let component = node
            .text("$ref")
            .and_then(|reference| reference.strip_prefix("#/components/responses/"))
            .map(str::to_owned);
        let node = self.resolve(node)?;
        // A shared response's schemas are lifted once, under the response's own name.
        let scope = match &component {
            Some(name) => format!("responses/{name}"),
            None => scope.to_owned(),
        };
        let content = self.content(&node, &scope);
        Some(Response {
            status,
            component,
            description: node.string("description").unwrap_or_default(),
            headers: self.headers(&node, &scope),
            links: self.links(&node),
            framework_made: self.framework_made(&node, &content),
            content,
            at: node.at,
        })
    }

    fn headers(&mut self, response: &Node<'a>, scope: &str) -> Vec<Header> {
        let listed = response
            .member("headers")
            .map(|node| node.members())
            .unwrap_or_default();
        let mut headers = Vec::new();
        for (name, node) in listed {
            // §4.8.17: a `Content-Type` entry SHALL be ignored.
            if name.eq_ignore_ascii_case("content-type") {
                continue;
            }
            self.header_name(name, &node.at);
            let Some(node) = self.resolve(node) else {
                continue;
            };
            let Some(schema) = node.member("schema") else {
                let message = "a header without `schema` is not supported";
                self.found.error(Code::Unsupported, &node.at, message);
                continue;
            };
            let wanted = format!("{scope}/header/{name}");
            headers.push(Header {
                name: name.to_owned(),
                required: node.flag("required"),
                description: node.string("description"),
                schema: self
                    .bundle
                    .lift(wanted, schema.value, schema.at, self.found),
                examples: self.examples(&node),
                framework_made: node.flag("x-framework-made"),
                at: node.at,
            });
        }
        headers
    }

    /// Reads `x-framework-made`: one kind, whose body is the response's own, or an object from each
    /// kind to the component schema of its body.
    fn framework_made(&mut self, response: &Node<'a>, content: &[Media]) -> Option<FrameworkMade> {
        let node = response.member("x-framework-made")?;
        if let Some(kind) = node.value.as_str() {
            let own = content.first().and_then(|media| media.schema.clone());
            return Some(vec![(kind.to_owned(), own)]);
        }
        let Some(kinds) = node.value.as_object() else {
            let message = "expected a kind of fault, or an object from kinds to component schemas";
            self.found.error(Code::FrameworkMade, &node.at, message);
            return None;
        };
        let kinds = kinds.iter().map(|(kind, schema)| {
            let key = schema.as_str().map(str::to_owned);
            if key
                .as_ref()
                .is_none_or(|key| self.bundle.get(key).is_none())
            {
                let message = "there is no component schema of that name";
                self.found
                    .error(Code::DanglingReference, &node.at.child(kind), message);
            }
            (kind.clone(), key)
        });
        Some(kinds.collect())
    }

    fn links(&mut self, response: &Node<'a>) -> Vec<Link> {
        let listed = response
            .member("links")
            .map(|node| node.members())
            .unwrap_or_default();
        let mut links = Vec::new();
        for (name, node) in listed {
            let Some(node) = self.resolve(node) else {
                continue;
            };
            let parameters = node
                .member("parameters")
                .map(|node| node.members())
                .unwrap_or_default();
            links.push(Link {
                name: name.to_owned(),
                operation_id: node.string("operationId"),
                description: node.string("description"),
                parameters: parameters
                    .into_iter()
                    .map(|(name, node)| (name.to_owned(), node.value.clone()))
                    .collect(),
            });
        }
        links
    }
}

impl Status {
    pub(super) fn parse(text: &str) -> Option<Status> {
        if text == "default" {
            return Some(Status::Default);
        }
        if let Some(hundred) = text.strip_suffix("XX").or_else(|| text.strip_suffix("xx")) {
            return hundred
                .parse()
                .ok()
                .filter(|n| (1..=5).contains(n))
                .map(Status::Range);
        }
        text.parse()
            .ok()
            .filter(|code| (100..600).contains(code))
            .map(Status::Code)
    }
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
