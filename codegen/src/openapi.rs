//! The second stage: the OpenAPI document around its schemas, typed and without references.
//!
//! Operations inherit parameters, servers and security here; every schema is lifted out into the
//! [`Bundle`] and named by its key. Info, servers, tags and security schemes are the types of
//! `openapiv3`, which models them faithfully; the parts that OpenAPI 3.1 changed are read by our
//! own code, because `openapiv3` drops some of them without a word.

mod bundle;
mod deprecation;
mod discriminators;
mod extensions;
mod fixed_fields;
mod head;
mod integers;
mod keywords;
mod kinds;
mod literal;
mod media;
mod node;
pub(crate) mod object_fields;
mod operands;
mod operation;
mod outgoing;
mod parameter;
mod properties;
mod read_write_variants;
mod references;
mod requirement;
mod resources;
mod response;
mod server;
mod shapes;
mod unknown_fields;
mod value;
mod vendored;

pub use bundle::{Bundle, Key};
pub(crate) use bundle::{escape, key_of_reference};
pub(crate) use deprecation::DEPRECATED_AT;
pub use deprecation::Deprecation;
pub(crate) use discriminators::renamed;
pub(crate) use media::{ANY_BYTES, is_xml};
pub use media::{Body, Encoding, Example, Media, canonical, is_json, is_text};
pub(crate) use operation::{LEFT_OUT, RAW};
pub use operation::{Operation, operation_at};
pub use outgoing::{Outgoing, Target};
pub use parameter::{ParamLocation, Parameter, Style};
pub use response::{Header, LinkObject, Response, Status};
pub use vendored::Vendored;

use crate::Reading;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::{Pointer, Source, files};
use fixed_fields::TAG;
use kinds::misplaced;
use node::Node;
use references::{dangling, unreached};
use resources::Resources;
use serde_json::Value;

/// A typed document; its schemas are in the bundle.
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
    /// How many operations there are, with those that could not be read.
    pub documented: usize,
    /// The webhooks' operations.
    pub webhooks: Vec<Outgoing>,
    /// The callbacks' operations.
    pub callbacks: Vec<Outgoing>,
    /// How many operations webhooks and callbacks have.
    pub outgoing_documented: usize,
    /// Responses that belong to no operation: `x-framework-responses` at the root.
    pub framework_responses: Vec<Response>,
    /// Every schema.
    pub bundle: Bundle,
}

impl Document {
    /// Every operation, webhooks and callbacks included.
    pub(crate) fn all_operations(&self) -> impl Iterator<Item = &Operation> {
        let outgoing = self.webhooks.iter().chain(&self.callbacks);
        self.operations
            .iter()
            .chain(outgoing.map(|one| &one.operation))
    }
}

/// The fallback for a security scheme that cannot be read.
const OWN_HOOK: &str = "the host's method for it is given the head of the request, and decides";

/// A security scheme.
#[derive(Debug)]
pub enum SecurityScheme {
    /// One that OpenAPI 3.0 knows.
    Known(Box<openapiv3::SecurityScheme>),
    /// `mutualTLS`, new in 3.1.
    MutualTls,
    /// A scheme that is not declared, or that cannot be read.
    Unknown,
}

impl SecurityScheme {
    /// The authentication scheme of its credentials in `Authorization`, in lower case (RFC 9110
    /// §11.1); `None` where they are sent elsewhere, or as a key, whose form is the API's own.
    pub(crate) fn authentication(&self) -> Option<String> {
        use openapiv3::SecurityScheme as Known;
        let SecurityScheme::Known(known) = self else {
            return None;
        };
        match known.as_ref() {
            Known::APIKey { .. } => None,
            Known::HTTP { scheme, .. } => Some(scheme.to_ascii_lowercase()),
            Known::OAuth2 { .. } | Known::OpenIDConnect { .. } => Some("bearer".into()),
        }
    }
}

/// Reads a document for tools that generate nothing: gives the typed document, the document as a
/// value, and the problems found, each of which leaves a part out.
///
/// # Errors
/// The problems that keep the text from being a document at all.
pub fn read(
    source: &Source,
    reading: &Reading,
) -> Result<(Document, Value, Vec<Diagnostic>), Diagnostics> {
    let (root, originals) = files::read(source, &reading.files)?;
    let mut diagnostics = Diagnostics::default().with_originals(originals);
    let document = parse(&root, reading, &mut diagnostics);
    let problems = diagnostics.iter().cloned().collect();
    Ok((document, root, problems))
}

/// Reads a document; its problems go to `diagnostics`.
pub(crate) fn parse(root: &Value, reading: &Reading, diagnostics: &mut Diagnostics) -> Document {
    let is_30 = head::version(root, diagnostics).starts_with("3.0");
    let root = &*shapes::recovered(root, diagnostics);
    unknown_fields::report(root, diagnostics);
    // No keyword of 3.0 identifies a schema.
    let identified = if is_30 { &Value::Null } else { root };
    let mut reader = Reader {
        root,
        diagnostics,
        bundle: Bundle::new(
            is_30,
            Resources::of(identified, &reading.vendored),
            reading.formats.clone(),
        ),
        schemes: Vec::new(),
        undeclared: Vec::new(),
        callbacks: Vec::new(),
        callbacks_documented: 0,
    };
    reader.bundle.lift_components(root, reader.diagnostics);
    let mut document = reader.document();
    let Reader {
        mut bundle,
        diagnostics,
        ..
    } = reader;
    bundle.close(root, diagnostics);
    bundle.settle_discriminators(diagnostics);
    document.bundle = bundle;
    read_write_variants::split(&mut document);
    document
}

/// Reads objects of the document, following references.
struct Reader<'a> {
    root: &'a Value,
    diagnostics: &'a mut Diagnostics,
    bundle: Bundle,
    schemes: Vec<(String, SecurityScheme)>,
    /// The names of schemes that operations require and nobody declares.
    undeclared: Vec<String>,
    /// The callbacks of the operations read so far.
    callbacks: Vec<Outgoing>,
    /// How many operations these have.
    callbacks_documented: usize,
}

impl<'a> Reader<'a> {
    fn document(&mut self) -> Document {
        let root = Node::root(self.root);
        let info = head::info(&root, self.diagnostics);
        self.schemes = self.schemes(&root);
        let (operations, documented) = self.operations(&root);
        let (webhooks, webhooks_documented) = self.webhooks(&root);
        Document {
            info,
            servers: self.servers(&root),
            tags: self.tags(&root),
            schemes: self.all_schemes(),
            operations,
            documented,
            webhooks,
            callbacks: std::mem::take(&mut self.callbacks),
            outgoing_documented: webhooks_documented + self.callbacks_documented,
            framework_responses: self.framework_responses(&root),
            bundle: Bundle::default(),
        }
    }

    fn tags(&mut self, root: &Node<'a>) -> Vec<openapiv3::Tag> {
        let listed = root.member("tags").map(|list| list.items());
        let mut tags = Vec::new();
        for tag in listed.unwrap_or_default() {
            let Some(tag) = self.resolve_part(tag, "a tag", operation::IGNORED) else {
                continue;
            };
            match tag.typed(TAG, self.diagnostics) {
                Ok(tag) => tags.push(tag),
                Err(problem) => self.diagnostics.recover(*problem, operation::IGNORED),
            }
        }
        tags
    }

    fn schemes(&mut self, root: &Node<'a>) -> Vec<(String, SecurityScheme)> {
        let declared = root
            .member("components")
            .and_then(|c| c.member("securitySchemes"));
        let mut schemes = Vec::new();
        for (name, node) in declared.map(|node| node.entries()).unwrap_or_default() {
            let checkpoint = self.diagnostics.checkpoint();
            let scheme = self.scheme(node);
            self.diagnostics.degraded_since(checkpoint, OWN_HOOK);
            let scheme = scheme.unwrap_or(SecurityScheme::Unknown);
            schemes.push((name.to_owned(), scheme));
        }
        schemes
    }

    fn scheme(&mut self, node: Node<'a>) -> Option<SecurityScheme> {
        let node = self.resolve(node, "a security scheme")?;
        if node.text("type") == Some("mutualTLS") {
            return Some(SecurityScheme::MutualTls);
        }
        let name = node.text("name").unwrap_or_default();
        let fits = match node.text("in") {
            Some("header") => self.header_name(name, &node.at, OWN_HOOK),
            Some("cookie") => self.cookie_name(name, &node.at, OWN_HOOK),
            _ => true,
        };
        if !fits {
            return None;
        }
        let fields = fixed_fields::of_scheme(&node);
        match fields.and_then(|fields| node.typed(fields, self.diagnostics)) {
            Ok(known) => Some(SecurityScheme::Known(Box::new(known))),
            Err(problem) => {
                self.diagnostics.error(*problem);
                None
            }
        }
    }

    /// All schemes: first the declared ones, then the undeclared ones by their names.
    fn all_schemes(&mut self) -> Vec<(String, SecurityScheme)> {
        let mut undeclared = std::mem::take(&mut self.undeclared);
        undeclared.sort();
        let undeclared = undeclared.into_iter();
        let mut schemes = std::mem::take(&mut self.schemes);
        schemes.extend(undeclared.map(|name| (name, SecurityScheme::Unknown)));
        schemes
    }

    fn framework_responses(&mut self, root: &Node<'a>) -> Vec<Response> {
        let listed = root
            .member("x-framework-responses")
            .map(|list| list.members());
        let mut responses = Vec::new();
        for (status, node) in listed.unwrap_or_default() {
            match Status::parse(status) {
                Some(status) => responses.push(self.response(node, status, "framework")),
                None => {
                    self.diagnostics.error(Diagnostic::new(
                        Code::Status,
                        &node.at,
                        "expected a status",
                    ));
                }
            }
        }
        responses
    }

    /// Follows `$ref`s to an object; reports a reference that leads to nothing, or to a schema
    /// where another kind of object is `wanted`.
    fn resolve(&mut self, node: Node<'a>, wanted: &str) -> Option<Node<'a>> {
        let followed = self.follow(node, wanted);
        followed
            .map_err(|problem| self.diagnostics.error(*problem))
            .ok()
    }

    /// Like [`Reader::resolve`], for a part that an operation can do without; `fallback` is used in
    /// its place.
    fn resolve_part(&mut self, node: Node<'a>, wanted: &str, fallback: &str) -> Option<Node<'a>> {
        let followed = self.follow(node, wanted);
        let recover = |problem: Box<_>| self.diagnostics.recover(*problem, fallback);
        followed.map_err(recover).ok()
    }

    fn follow(&self, node: Node<'a>, wanted: &str) -> Result<Node<'a>, Box<Diagnostic>> {
        let mut current = node;
        for _ in 0..64 {
            let Some(reference) = current.text("$ref") else {
                return Ok(current);
            };
            let at = current.at.child("$ref");
            let Some(pointer) = Pointer::of_reference(reference) else {
                return Err(Box::new(unreached(reference, &at, self.diagnostics)));
            };
            let Some(target) = Node::root(self.root).find(&pointer) else {
                let problem = dangling(reference, &at, self.diagnostics);
                let written = self.diagnostics.as_written(reference, &at);
                let meant = references::neighbour(self.root, &pointer, written);
                return Err(Box::new(problem.did_you_mean(meant)));
            };
            if kinds::is_schema(&pointer) {
                let reference = self.diagnostics.as_written(reference, &at);
                return Err(Box::new(misplaced(reference, &at, "a schema", wanted)));
            }
            current = target;
        }
        let message = "this reference leads back to itself";
        let code = Code::CircularReference;
        let problem = Diagnostic::new(code, &current.at, message);
        Err(Box::new(problem))
    }
}
