//! Responses (OpenAPI 3.1.1 §4.8.17), their headers and links.

use super::media::{Example, Media};
use super::operation::IGNORED;
use super::{Key, Reader, node::Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Pointer;
use serde_json::Value;
use std::fmt;

/// The fallback for an invalid link.
const LEFT_OUT: &str = "the link is left out";

/// The fallback for a response that cannot be found.
pub(super) const UNKNOWN: &str = "no more than its status is known";

/// The statuses that a response stands for (§4.8.16).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// One status.
    Code(u16),
    /// All statuses of that hundred: `4XX`.
    Range(u16),
    /// All statuses that are not listed.
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
    pub links: Vec<LinkObject>,
    /// `x-framework-made`: the kinds of rejection that the framework answers with this response,
    /// each with the component schema of its body; a handler cannot give such a response.
    pub framework_made: Option<FrameworkMade>,
}

/// Kinds of rejection, each with the schema of its body.
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
    /// Whether its value is a text of JSON: a header with `content` in the place of a schema.
    pub is_json: bool,
    pub explode: bool,
    pub examples: Vec<Example>,
    /// `x-framework-made`: set by the layers around the handler, never by the handler.
    pub framework_made: bool,
}

/// A link to an operation that takes values of the response (§4.8.20).
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the names are those of the standard")]
pub struct LinkObject {
    /// The place of the link in the response.
    pub at: Pointer,
    pub name: String,
    pub operation_id: Option<String>,
    pub operation_ref: Option<String>,
    pub description: Option<String>,
    pub parameters: Vec<(String, Value)>,
    pub request_body: Option<Value>,
    /// Whether the link has a server of its own.
    pub has_server: bool,
}

impl Response {
    /// A response of which only the status is known.
    fn unknown(status: Status, at: Pointer) -> Response {
        let any = status.has_body().then(|| Media::of_bytes(at.clone()));
        Response {
            status,
            component: None,
            description: String::new(),
            headers: Vec::new(),
            links: Vec::new(),
            framework_made: None,
            content: any.into_iter().collect(),
            at,
        }
    }
}

impl<'a> Reader<'a> {
    /// The responses of an operation; without `responses`, which OpenAPI 3.1 allows, any response.
    pub(super) fn responses(&mut self, operation: &Node<'a>, scope: &str) -> Vec<Response> {
        let at = operation.at.child("responses");
        let member = operation.member("responses");
        let mut responses = Vec::new();
        for (status, node) in member.as_ref().map(Node::members).unwrap_or_default() {
            let Some(parsed) = Status::parse(status) else {
                let message =
                    format!("`{status}` is neither a status, a range (`4XX`) nor `default`");
                self.diagnostics
                    .recover(Diagnostic::new(Code::Status, &node.at, message), IGNORED);
                continue;
            };
            responses.push(self.response(node, parsed, &format!("{scope}/{status}")));
        }
        if responses.is_empty() {
            if member.is_some() || self.bundle.is_30 {
                let message = "an operation has one response at the least (§4.8.16)";
                self.diagnostics.recover(
                    Diagnostic::new(Code::Invalid, &at, message),
                    "any answer is one",
                );
            }
            responses.push(Response::unknown(Status::Default, at));
        }
        responses
    }

    pub(super) fn response(&mut self, node: Node<'a>, status: Status, scope: &str) -> Response {
        let component = node
            .text("$ref")
            .and_then(|reference| reference.strip_prefix("#/components/responses/"))
            .map(str::to_owned);
        let at = node.at.clone();
        let Some(node) = self.resolve_part(node, "a response", UNKNOWN) else {
            return Response::unknown(status, at);
        };
        // The schemas of a shared response are lifted once, under the response's own name.
        let scope = match &component {
            Some(name) => format!("responses/{name}"),
            None => scope.to_owned(),
        };
        let content = match status.has_body() {
            true => self.content(&node, &scope),
            false => self.no_content(&node, status),
        };
        Response {
            status,
            component,
            description: node.string("description").unwrap_or_default(),
            headers: self.headers(&node, &scope),
            links: self.links(&node),
            framework_made: self.framework_made(&node, &content),
            content,
            at: node.at,
        }
    }

    /// Reports a body of a status that has none (RFC 9110 §6.4.1): nobody would receive it.
    fn no_content(&mut self, response: &Node<'a>, status: Status) -> Vec<Media> {
        if let Some(content) = response
            .member("content")
            .filter(|it| !it.entries().is_empty())
        {
            let section = match status {
                Status::Code(205) => "15.3.6",
                _ => "6.4.1",
            };
            let message =
                format!("an answer with the status {status} has no body (RFC 9110 §{section})");
            self.diagnostics.recover(
                Diagnostic::new(Code::Invalid, &content.at, message),
                IGNORED,
            );
        }
        Vec::new()
    }

    fn headers(&mut self, response: &Node<'a>, scope: &str) -> Vec<Header> {
        let listed = response
            .member("headers")
            .map(|node| node.entries())
            .unwrap_or_default();
        let mut headers = Vec::new();
        for (name, node) in listed {
            // §4.8.17: a `Content-Type` entry SHALL be ignored.
            if name.eq_ignore_ascii_case("content-type") {
                continue;
            }
            if !self.header_name(name, &node.at, IGNORED) {
                continue;
            }
            let Some(node) = self.resolve_part(node, "a header", IGNORED) else {
                continue;
            };
            let wanted = format!("{scope}/header/{name}");
            let (schema, is_json) = self.value_schema(&node, wanted);
            headers.push(Header {
                name: name.to_owned(),
                required: node.flag("required"),
                description: node.string("description"),
                schema,
                is_json,
                explode: node.flag("explode"),
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
            self.diagnostics
                .error(Diagnostic::new(Code::FrameworkMade, &node.at, message));
            return None;
        };
        let kinds = kinds.iter().map(|(kind, schema)| {
            let key = schema.as_str().map(str::to_owned);
            if key
                .as_ref()
                .is_none_or(|key| self.bundle.get(key).is_none())
            {
                let message = "there is no component schema of that name";
                self.diagnostics.error(Diagnostic::new(
                    Code::DanglingReference,
                    &node.at.child(kind),
                    message,
                ));
            }
            (kind.clone(), key)
        });
        Some(kinds.collect())
    }

    fn links(&mut self, response: &Node<'a>) -> Vec<LinkObject> {
        let listed = response
            .member("links")
            .map(|node| node.entries())
            .unwrap_or_default();
        let mut links = Vec::new();
        for (name, node) in listed {
            let at = node.at.clone();
            let Some(node) = self.resolve_part(node, "a link", IGNORED) else {
                continue;
            };
            if let Some((at, message)) = misread(&node) {
                self.diagnostics
                    .recover(Diagnostic::new(Code::Invalid, &at, message), LEFT_OUT);
                continue;
            }
            let parameters = node.member("parameters").map(|node| node.entries());
            links.push(LinkObject {
                at,
                name: name.to_owned(),
                operation_id: node.string("operationId"),
                operation_ref: node.string("operationRef"),
                description: node.string("description"),
                parameters: parameters
                    .unwrap_or_default()
                    .into_iter()
                    .map(|(name, node)| (name.to_owned(), node.value.clone()))
                    .collect(),
                request_body: node.member("requestBody").map(|node| node.value.clone()),
                has_server: node.member("server").is_some(),
            });
        }
        links
    }
}

/// The first field of a link that has a wrong type, and its place.
fn misread(link: &Node<'_>) -> Option<(Pointer, String)> {
    if !link.value.is_object() {
        return Some((link.at.clone(), "a link is an object".to_owned()));
    }
    let wrong = |name: &str, expected: &str, is: fn(&Value) -> bool| {
        let member = link.member(name).filter(|member| !is(member.value))?;
        Some((member.at, format!("`{name}` of a link is {expected}")))
    };
    wrong("operationId", "a string", Value::is_string)
        .or_else(|| wrong("operationRef", "a string", Value::is_string))
        .or_else(|| wrong("parameters", "an object", Value::is_object))
}

impl fmt::Display for Status {
    /// The status as documents write it: `404`, `4XX` or `default`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Status::Code(code) => write!(f, "{code}"),
            Status::Range(hundred) => write!(f, "{hundred}XX"),
            Status::Default => f.write_str("default"),
        }
    }
}

impl Status {
    /// Whether a response with this status has a body (RFC 9110 §6.4.1, and §15.3.6 for 205).
    #[must_use]
    pub fn has_body(self) -> bool {
        !matches!(
            self,
            Status::Range(1) | Status::Code(100..=199 | 204 | 205 | 304)
        )
    }

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
