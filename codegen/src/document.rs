//! The second stage: the envelope of an OpenAPI document, typed and without references.
//!
//! Path-level parameters, servers and security are inherited here; every schema is lifted out into
//! the [`Bundle`] and named by its key. Info, servers, tags and security schemes are the types of
//! `openapiv3`, which models them faithfully; whatever OpenAPI 3.1 changed is read by our own code,
//! because `openapiv3` drops parts of it without a word.

mod bundle;
mod node;
mod operation;

pub use bundle::{Bundle, Key};
pub(crate) use bundle::{escape, key_of_reference};
pub use operation::{
    Body, Example, Header, Link, Media, Operation, Parameter, Place, Response, Status, Style,
};

use crate::diagnostic::{Code, Diagnostics};
use crate::source::Pointer;
use node::Node;
use serde_json::Value;

/// A document whose envelope is typed; its schemas are in the bundle.
#[derive(Debug)]
pub struct Document {
    /// OpenAPI 3.1.1 §4.8.2.
    pub info: openapiv3::Info,
    /// The servers of the whole document, in order.
    pub servers: Vec<openapiv3::Server>,
    /// The declared tags, in order.
    pub tags: Vec<openapiv3::Tag>,
    /// The security schemes by their names, in order.
    pub schemes: Vec<(String, SecurityScheme)>,
    /// The operations in the order of the document.
    pub operations: Vec<Operation>,
    /// Responses that belong to no operation: `x-framework-responses` at the root.
    pub framework_responses: Vec<Response>,
    /// Every schema.
    pub bundle: Bundle,
}

/// A security scheme.
#[derive(Debug)]
pub enum SecurityScheme {
    /// One that OpenAPI 3.0 knows.
    Known(Box<openapiv3::SecurityScheme>),
    /// `mutualTLS`, new in 3.1.
    MutualTls,
}

/// Reads the envelope; what is wrong with it goes to `found`.
pub(crate) fn parse(root: &Value, found: &mut Diagnostics) -> Document {
    let version = root
        .get("openapi")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let is_30 = version.starts_with("3.0");
    if !is_30 && !version.starts_with("3.1") {
        let at = Pointer::default().child("openapi");
        let message = format!("OpenAPI {version:?} is not supported; 3.0 and 3.1 are");
        found.error(Code::Version, &at, message);
    }
    let mut reader = Reader {
        root,
        found,
        bundle: Bundle::new(is_30),
    };
    reader.bundle.lift_components(root, reader.found);
    let mut document = reader.document();
    let Reader {
        mut bundle, found, ..
    } = reader;
    bundle.close(root, found);
    document.bundle = bundle;
    document
}

/// Reads objects of the document, following references.
struct Reader<'a> {
    root: &'a Value,
    found: &'a mut Diagnostics,
    bundle: Bundle,
}

impl<'a> Reader<'a> {
    fn document(&mut self) -> Document {
        let root = Node::root(self.root);
        let info = root.member("info").and_then(|node| node.typed(self.found));
        if info.is_none() {
            self.found.error(
                Code::Invalid,
                &root.at,
                "a document needs `info` with title and version",
            );
        }
        Document {
            info: info.unwrap_or_default(),
            servers: self.all(&root, "servers"),
            tags: self.all(&root, "tags"),
            schemes: self.schemes(&root),
            operations: self.operations(&root),
            framework_responses: self.framework_responses(&root),
            bundle: Bundle::new(false),
        }
    }

    /// The items of an array member, each read as an `openapiv3` type.
    fn all<T: serde::de::DeserializeOwned>(&mut self, node: &Node<'a>, name: &str) -> Vec<T> {
        let items = node
            .member(name)
            .map(|list| list.items())
            .unwrap_or_default();
        items
            .iter()
            .filter_map(|item| item.typed(self.found))
            .collect()
    }

    fn schemes(&mut self, root: &Node<'a>) -> Vec<(String, SecurityScheme)> {
        let declared = root
            .member("components")
            .and_then(|c| c.member("securitySchemes"));
        let mut schemes = Vec::new();
        for (name, node) in declared.map(|node| node.members()).unwrap_or_default() {
            let Some(node) = self.resolve(node) else {
                continue;
            };
            if node.text("in") == Some("header") {
                self.header_name(node.text("name").unwrap_or_default(), &node.at);
            }
            let scheme = if node.text("type") == Some("mutualTLS") {
                Some(SecurityScheme::MutualTls)
            } else {
                node.typed(self.found)
                    .map(|known| SecurityScheme::Known(Box::new(known)))
            };
            schemes.extend(scheme.map(|scheme| (name.to_owned(), scheme)));
        }
        schemes
    }

    fn framework_responses(&mut self, root: &Node<'a>) -> Vec<Response> {
        let listed = root
            .member("x-framework-responses")
            .map(|list| list.members());
        let mut responses = Vec::new();
        for (status, node) in listed.unwrap_or_default() {
            match Status::parse(status) {
                Some(status) => responses.extend(self.response(node, status, "framework")),
                None => {
                    self.found
                        .error(Code::Status, &node.at, "expected a status");
                }
            }
        }
        responses
    }

    /// Follows `$ref`s until something else; a reference to nothing is reported.
    fn resolve(&mut self, node: Node<'a>) -> Option<Node<'a>> {
        let mut current = node;
        for _ in 0..64 {
            let Some(reference) = current.text("$ref") else {
                return Some(current);
            };
            let at = current.at.child("$ref");
            let Some(pointer) = Pointer::of_reference(reference) else {
                let message = format!("`{reference}` is in another file");
                self.found.error_with_help(
                    Code::ExternalReference,
                    &at,
                    message,
                    "bundle the document into one file first",
                );
                return None;
            };
            let Some(target) = Node::root(self.root).find(&pointer) else {
                let message = format!("`{reference}` points to nothing");
                self.found.error(Code::DanglingReference, &at, message);
                return None;
            };
            current = target;
        }
        self.found.error(
            Code::CircularReference,
            &current.at,
            "this reference leads back to itself",
        );
        None
    }
}
