//! Operations, with the parameters, servers and security that they inherit from path items and the
//! document.
//!
//! [`openapiv3::PathItem`] has its operations in an order of its own; ours is that of the document.

use super::deprecation::Deprecation;
use super::media::Body;
use super::object_fields::{Object, is_method};
use super::parameter::Parameter;
use super::response::Response;
use super::server::repeated;
use super::version::Version;
use super::{Reader, node::Node, template};
use crate::diagnostic::{Code, Diagnostic};
use crate::message::ParamLocation;
use crate::source::Pointer;
use json_schema::style::Style;

/// The fallback for a part that the rest of an operation can do without.
pub(super) const IGNORED: &str = "it is ignored";

/// The fallback for an operation that cannot be read or expressed in full.
pub(crate) const RAW: &str =
    "the operation is raw: its handler reads the request and writes the answer";

/// The fallback for an operation that cannot be read at all.
pub(crate) const LEFT_OUT: &str = "the operation is left out";

/// The field of a path item with the operations whose methods have no field.
pub(super) const ADDITIONAL: &str = "additionalOperations";

/// An operation, with all that it inherits from its path item and the document.
#[derive(Debug)]
#[expect(missing_docs, reason = "the names are those of the standard, §4.8.10")]
pub struct Operation {
    pub at: Pointer,
    pub path: String,
    /// As it is sent: the usual ones in capitals.
    pub method: String,
    pub id: Option<String>,
    pub tags: Vec<String>,
    pub summary: Option<String>,
    pub description: Option<String>,
    pub deprecated: bool,
    /// The dates of its deprecation.
    pub deprecation: Deprecation,
    /// Its own servers, or its path item's, which replace the document's.
    pub servers: Vec<openapiv3::Server>,
    pub parameters: Vec<Parameter>,
    pub body: Option<Body>,
    pub responses: Vec<Response>,
    /// Alternatives, each of which requires all of its schemes with their scopes.
    pub security: Vec<Vec<(String, Vec<String>)>>,
    /// Whether neither it nor the document has `security`.
    pub is_silent_on_security: bool,
    /// `x-metered`: whether the operation counts against limits; `true` by default.
    pub metered: bool,
    /// `x-lenient-request`: whether undeclared query parameters and `Accept` are ignored.
    pub lenient: bool,
    /// `x-raw`, or parts of it could not be read: the handler gets the request as it is.
    pub raw: bool,
    /// `x-extensions`: whether the handler gets the request's extensions.
    pub extensions: bool,
    /// `x-raw-headers`: whether the handler gets all headers of the request.
    pub raw_headers: bool,
}

/// The operation at a pointer, through its path or at the place where it is written.
#[must_use]
pub fn operation_at(operations: &[Operation], pointer: &Pointer) -> Option<usize> {
    let tokens: Vec<String> = pointer.tokens().collect();
    let path = match tokens.as_slice() {
        [paths, path, field] if paths == "paths" => Some((path, field.to_ascii_uppercase())),
        [paths, path, additional, method] if paths == "paths" && additional == ADDITIONAL => {
            Some((path, method.clone()))
        }
        _ => None,
    };
    operations.iter().position(|one| match &path {
        Some((path, method)) => one.path == **path && one.method == *method,
        None => one.at == *pointer,
    })
}

/// Whether a request can have such a method.
fn is_token(method: &str) -> bool {
    http::Method::from_bytes(method.as_bytes()).is_ok()
}

/// A path without the names of its variables.
fn without_names(path: &str) -> String {
    let mut parts = path.split('{');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |before, part| {
        let (_, after) = part.split_once('}').unwrap_or((part, ""));
        format!("{before}{{}}{after}")
    })
}

/// The operations of a path item in their order, each with its method as it is sent.
fn by_method<'a>(item: &Node<'a>) -> Vec<(String, Node<'a>)> {
    let mut operations = Vec::new();
    for (field, node) in item.members() {
        if field == ADDITIONAL {
            let additional = node.entries().into_iter();
            let additional = additional.filter(|(method, _)| is_token(method));
            operations.extend(additional.map(|(method, node)| (method.to_owned(), node)));
        } else if is_method(field) {
            operations.push((field.to_ascii_uppercase(), node));
        }
    }
    operations
}

/// Makes path parameters that stand in the query of the path's key, as in
/// `/forecast?lat={latitude}`, parameters of the query.
fn move_to_query(path: &str, parameters: &mut [Parameter]) {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    for (name, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
        let variable = value
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'));
        let Some(variable) = variable.filter(|_| !path.contains(value)) else {
            continue;
        };
        let of_path = |p: &&mut Parameter| p.place == ParamLocation::Path && p.name == variable;
        if let Some(parameter) = parameters.iter_mut().find(of_path) {
            name.clone_into(&mut parameter.name);
            parameter.place = ParamLocation::Query;
            if !parameter.style.is_json() {
                parameter.style = Style::Form;
            }
        }
    }
}

impl<'a> Reader<'a> {
    /// The operations that can be read, and the number of all.
    pub(super) fn operations(&mut self, root: &Node<'a>) -> (Vec<Operation>, usize) {
        let mut operations = Vec::new();
        let mut documented = 0;
        let paths = root
            .member("paths")
            .map(|paths| paths.members())
            .unwrap_or_default();
        let mut templates = Vec::new();
        for (path, item) in paths {
            self.check_path(path, &item);
            self.check_template(path, &item, &mut templates);
            let at = item.at.clone();
            let (of_item, count) = self.item(item, path);
            documented += count;
            // That of an operation is told where it is routed.
            if count == 0 && !path.starts_with('/') {
                let problem =
                    Diagnostic::new(Code::PathTemplate, &at, "a path must begin with `/`");
                self.diagnostics.recover(problem, "nothing is there");
            }
            for (operation, node) in of_item {
                self.callbacks_of(&operation, &node);
                operations.push(operation);
            }
        }
        (operations, documented)
    }

    /// Checks that a path has each of its names once, and is of the characters of paths, which OpenAPI 3.2 asks
    /// for (3.2.0 §4.8.1, §4.8.2).
    fn check_path(&mut self, path: &str, item: &Node<'a>) {
        if self.bundle.version < Version::V32 {
            return;
        }
        for name in repeated(path) {
            let message = format!("a path must not name `{{{name}}}` twice");
            let problem = Diagnostic::new(Code::PathTemplate, &item.at, message);
            self.diagnostics
                .recover(problem, "both must have the same text");
        }
        if let Some(message) = template::problem_of_path(path) {
            let problem = Diagnostic::new(Code::PathTemplate, &item.at, message);
            self.diagnostics.recover(problem, "it is taken as it is");
        }
    }

    /// Checks that no other path differs in the names of its variables alone (OpenAPI 3.1.1 §4.8.8.2). Operations
    /// of one method are told where they are routed.
    fn check_template(
        &mut self,
        path: &str,
        item: &Node<'a>,
        templates: &mut Vec<(String, Node<'a>)>,
    ) {
        let template = without_names(path);
        let shares = |other: &Node<'a>| {
            let other = by_method(other);
            let is_there = |method: &String| other.iter().any(|(known, _)| known == method);
            by_method(item).iter().any(|(method, _)| is_there(method))
        };
        let known = templates.iter().find(|(known, _)| *known == template);
        if let Some((_, first)) = known.filter(|(_, first)| !shares(first)) {
            let message = "another path differs in the names of its variables alone";
            let problem = Diagnostic::new(Code::DuplicatePath, &item.at, message)
                .related(&first.at, "this one")
                .help("let one path have the operations of both");
            self.diagnostics.recover(problem, "it has both");
        }
        templates.push((template, item.clone()));
    }

    /// The operations of a path item that can be read, each with its place, and the number of all.
    pub(super) fn item(
        &mut self,
        item: Node<'a>,
        path: &str,
    ) -> (Vec<(Operation, Node<'a>)>, usize) {
        let (mut operations, mut documented) = (Vec::new(), 0);
        let Some(item) = self.resolve(item, "a path item") else {
            return (operations, documented);
        };
        for (method, node) in by_method(&item) {
            documented += 1;
            let checkpoint = self.diagnostics.checkpoint();
            let node = self.resolve(node, "an operation");
            let read = node.and_then(|node| {
                let operation = self.operation(&item, path, method, node.clone())?;
                Some((operation, node))
            });
            match read {
                Some(read) => operations.push(read),
                None => _ = self.diagnostics.degraded_since(checkpoint, LEFT_OUT),
            }
        }
        documented += self.check_additional(&item);
        (operations, documented)
    }

    /// Checks the methods of additional operations: none may have a field of its own (OpenAPI 3.2.0
    /// §4.9.1). Gives the number of those that no request can have.
    fn check_additional(&mut self, item: &Node<'a>) -> usize {
        let mut left_out = 0;
        for (method, node) in item.map(ADDITIONAL) {
            let field = method.to_ascii_lowercase();
            if !is_token(method) {
                let message = format!("`{method}` is no method (RFC 9110 §9.1)");
                self.invalid(&node.at, message, LEFT_OUT);
                left_out += 1;
            } else if is_method(&field) && method == field.to_ascii_uppercase() {
                let message = format!("the method `{method}` must be in its own field");
                let problem = Diagnostic::new(Code::Invalid, &node.at, message);
                let help = format!("move it out of `{ADDITIONAL}`, and call it `{field}`");
                let fallback = "it is an operation of that method";
                self.diagnostics.recover(problem.help(help), fallback);
            }
        }
        left_out
    }

    fn operation(
        &mut self,
        item: &Node<'a>,
        path: &str,
        method: String,
        node: Node<'a>,
    ) -> Option<Operation> {
        let fields: openapiv3::Operation = match node.fields(Object::Operation) {
            Ok(fields) => fields,
            Err(problem) => {
                self.diagnostics.error(*problem);
                return None;
            }
        };
        let checkpoint = self.diagnostics.checkpoint();
        let security = self.non_blank(&node, "security");
        let security = security.or_else(|| self.non_blank(&Node::root(self.root), "security"));
        let security = security.map(|node| self.requirements(&node));
        // Without its security, a raw operation would let anybody in.
        if self.diagnostics.degraded_since(checkpoint, LEFT_OUT) {
            return None;
        }
        let checkpoint = self.diagnostics.checkpoint();
        let id = fields.operation_id;
        let scope = id.clone().unwrap_or_else(|| format!("{method} {path}"));
        let mut operation = Operation {
            path: path.to_owned(),
            method,
            id,
            tags: fields.tags,
            summary: fields.summary,
            description: fields.description,
            deprecated: fields.deprecated,
            deprecation: self.deprecation(&node, fields.deprecated),
            servers: self.own_servers(item, &node),
            parameters: self.parameters(item, &node, &scope),
            body: node
                .member("requestBody")
                .map(|body| self.body(body, &scope)),
            responses: self.responses(&node, &scope),
            is_silent_on_security: security.is_none(),
            security: security.unwrap_or_default(),
            metered: self.extension_flag(&node, "x-metered", true),
            lenient: self.extension_flag(&node, "x-lenient-request", false),
            raw: self.extension_flag(&node, "x-raw", false),
            extensions: self.extension_flag(&node, "x-extensions", false),
            raw_headers: self.extension_flag(&node, "x-raw-headers", false),
            at: node.at,
        };
        move_to_query(&operation.path, &mut operation.parameters);
        operation.raw |= self.diagnostics.degraded_since(checkpoint, RAW);
        Some(operation)
    }

    /// The servers of an operation, or else those of its path item (OpenAPI 3.1.1 §4.8.9.1, §4.8.10.1).
    fn own_servers(&mut self, item: &Node<'a>, node: &Node<'a>) -> Vec<openapiv3::Server> {
        let own = self.servers(node);
        match own.is_empty() {
            true => self.servers(item),
            false => own,
        }
    }

    /// Reads an extension that is true or false.
    fn extension_flag(&mut self, operation: &Node<'a>, name: &str, default: bool) -> bool {
        let Some(member) = operation.member(name) else {
            return default;
        };
        member.value.as_bool().unwrap_or_else(|| {
            self.invalid(
                &member.at,
                format!("`{name}` must be true or false"),
                IGNORED,
            );
            default
        })
    }

    /// A member that is not blank; a blank one is null in YAML, and is reported.
    fn non_blank(&mut self, node: &Node<'a>, name: &str) -> Option<Node<'a>> {
        let member = node.member(name)?;
        if member.value.is_null() {
            let message = format!("`{name}` must not be blank");
            let fallback = "it is as if it were not there";
            self.invalid(&member.at, message, fallback);
            return None;
        }
        Some(member)
    }
}
