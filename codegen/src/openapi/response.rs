//! Responses (OpenAPI 3.1.1 §4.8.17).

use super::header::Header;
use super::link::LinkObject;
use super::media::Media;
use super::object_fields::Object;
use super::operation::IGNORED;
use super::{Key, Reader, node::Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::message::Status;
use crate::source::Pointer;

/// The fallback for a response that cannot be found.
pub(super) const STATUS_ALONE: &str = "no more than its status is known";

/// A response (§4.8.17).
#[derive(Debug)]
#[expect(missing_docs, reason = "the names are those of the standard")]
pub struct Response {
    pub at: Pointer,
    pub status: Status,
    /// The name under `components.responses`, when the response is written there.
    pub component: Option<String>,
    pub summary: Option<String>,
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

impl Response {
    /// A response of which only the status is known.
    fn unknown(status: Status, at: Pointer) -> Response {
        let any = status.has_body().then(|| Media::of_bytes(at.clone()));
        Response {
            status,
            component: None,
            summary: None,
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
                self.diagnostics.recover(
                    Diagnostic::new(Code::InvalidStatus, &node.at, message),
                    IGNORED,
                );
                continue;
            };
            if status.ends_with("xx") {
                let message = format!("a range must have a capital `X`, which `{status}` has not");
                let problem = Diagnostic::new(Code::InvalidStatus, &node.at, message);
                self.diagnostics
                    .recover(problem, "it is a range all the same");
            }
            responses.push(self.response(node, parsed, &format!("{scope}/{status}")));
        }
        if responses.is_empty() {
            if member.is_some() || self.bundle.is_30() {
                let message = "an operation must have at least one response (§4.8.16)";
                self.invalid(&at, message, "any answer is one");
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
        let Some(node) = self.resolve_part(node, "a response", STATUS_ALONE) else {
            return Response::unknown(status, at);
        };
        // The schemas of a shared response are lifted once, under the response's own name.
        let scope = match &component {
            Some(name) => format!("responses/{name}"),
            None => scope.to_owned(),
        };
        let fields = self.fields::<openapiv3::Response>(&node, Object::Response, IGNORED);
        let content = match status.has_body() {
            true => self.content(&node, &scope),
            false => self.no_content(&node, status),
        };
        Response {
            status,
            component,
            summary: node.string("summary"),
            description: fields.unwrap_or_default().description,
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
            let message = format!(
                "a response with the status {status} must have no body (RFC 9110 §{section})"
            );
            self.invalid(&content.at, message, IGNORED);
        }
        Vec::new()
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
            let message =
                "expected a kind of rejection, or an object from kinds to component schemas";
            self.error(Code::FrameworkMade, &node.at, message);
            return None;
        };
        let kinds = kinds.iter().map(|(kind, schema)| {
            let key = schema.as_str().map(str::to_owned);
            if key
                .as_ref()
                .is_none_or(|key| self.bundle.get(key).is_none())
            {
                let message = "there is no component schema of that name";
                self.error(Code::DanglingReference, &node.at.child(kind), message);
            }
            (kind.clone(), key)
        });
        Some(kinds.collect())
    }
}
