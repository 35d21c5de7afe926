//! The second stage: the OpenAPI document around its schemas, typed and without references.
//!
//! Operations inherit parameters, servers and security here; every schema is lifted out into the
//! [`Bundle`] and named by its key.
//!
//! Objects are read as types of `openapiv3`, one by one, because a reference to any place may stand
//! for each, and a wrong one must not cost the others. `openapiv3` is a model of OpenAPI 3.0 without
//! places: schemas, references and places are read here. The objects that it cannot hold have readers
//! of their own, which say why: links, examples, encodings and path items.

mod bundle;
mod components;
mod deprecation;
mod encoding;
mod example;
mod exclusions;
mod extensions;
mod head;
mod header;
mod link;
mod media;
mod node;
pub(crate) mod object_fields;
mod operation;
mod outgoing;
mod parameter;
mod properties;
mod read_write_variants;
mod references;
mod requirement;
mod response;
mod security_scheme;
mod server;
mod spread;
mod steering;
mod tag;
mod template;
mod type_errors;
mod unknown_fields;
mod uris;
mod value_schema;
mod version;

pub(crate) use crate::message::is_xml;
pub use crate::message::{ParamLocation, Status, canonical, is_json, is_text};
pub use bundle::{Bundle, Key, Vendored};
pub(crate) use bundle::{DEFAULT_MAPPING, RUST_TYPE, renamed};
pub(crate) use deprecation::DEPRECATED_AT;
pub use deprecation::Deprecation;
pub use encoding::{Encoding, Positions};
pub use example::Example;
pub(crate) use head::named as named_version;
pub use header::Header;
pub use json_schema::style::Style;
pub use link::LinkObject;
pub use media::{Body, Media};
pub(crate) use object_fields::is_operation;
pub(crate) use operation::{LEFT_OUT, RAW};
pub use operation::{Operation, operation_at};
pub use outgoing::{Outgoing, Target};
pub use parameter::Parameter;
pub use response::Response;
pub(crate) use security_scheme::DEVICE_SCOPES;
pub use security_scheme::SecurityScheme;
pub(crate) use steering::without_steering;
pub use tag::Tag;
pub use version::Version;

use crate::Reading;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::files::{self, OriginalReferences};
use crate::source::{Pointer, Source};
use node::Node;
use object_fields::Object;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeSet;

/// A typed document; its schemas are in the bundle.
#[derive(Debug)]
pub struct Document {
    /// OpenAPI 3.1.1 §4.8.2.
    pub info: openapiv3::Info,
    /// The servers of the whole document, in order.
    pub servers: Vec<openapiv3::Server>,
    /// The declared tags, in order.
    pub tags: Vec<Tag>,
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
    /// The schemas of the items of sequences.
    fn item_schemas(&self) -> BTreeSet<Key> {
        let bodies = self.all_operations().flat_map(|operation| &operation.body);
        let responses = self
            .all_operations()
            .flat_map(|operation| &operation.responses);
        let responses = responses.chain(&self.framework_responses);
        let requests = bodies.flat_map(|body| &body.content);
        let content = requests.chain(responses.flat_map(|response| &response.content));
        content
            .filter_map(|media| media.item_schema.clone())
            .collect()
    }

    /// Every operation, webhooks and callbacks included.
    pub(crate) fn all_operations(&self) -> impl Iterator<Item = &Operation> {
        let outgoing = self.webhooks.iter().chain(&self.callbacks);
        self.operations
            .iter()
            .chain(outgoing.map(|one| &one.operation))
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
    let (root, originals) = value(source, &reading.files)?;
    let mut diagnostics = Diagnostics::default().with_originals(originals);
    let document = parse(&root, reading, &mut diagnostics);
    let problems = diagnostics.iter().cloned().collect();
    Ok((document, root, problems))
}

/// The document as one value: with its other files, and without references in place of whole maps.
pub(crate) fn value(
    source: &Source,
    files: &[Source],
) -> Result<(Value, OriginalReferences), Diagnostics> {
    let (mut root, originals) = files::read(source, files)?;
    spread::spread(&mut root);
    Ok((root, originals))
}

/// Reads a document; its problems go to `diagnostics`.
pub(crate) fn parse(root: &Value, reading: &Reading, diagnostics: &mut Diagnostics) -> Document {
    parse_with(root, reading, Components::Used, diagnostics)
}

/// The components whose problems are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Components {
    /// The components that something refers to.
    Used,
    All,
}

/// Reads a document, and perhaps the components that nothing refers to.
pub(crate) fn parse_with(
    root: &Value,
    reading: &Reading,
    components: Components,
    diagnostics: &mut Diagnostics,
) -> Document {
    let version = head::version(root, diagnostics);
    let root = &*type_errors::recovered(root, version, diagnostics);
    unknown_fields::report(root, version, diagnostics);
    let mut reader = Reader {
        root,
        diagnostics,
        bundle: Bundle::new(root, version, reading),
        schemes: Vec::new(),
        schemes_elsewhere: Vec::new(),
        undeclared: Vec::new(),
        callbacks: Vec::new(),
        callbacks_documented: 0,
    };
    reader.lift_components();
    let mut document = reader.document();
    reader.lift_targets();
    if components == Components::All {
        reader.check_components(&document);
    }
    let Reader {
        mut bundle,
        diagnostics,
        ..
    } = reader;
    bundle.rewrite_idioms(&document.item_schemas(), diagnostics);
    bundle.complete_discriminators(diagnostics);
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
    /// The names of schemes outside of the document's components, by their places.
    schemes_elsewhere: Vec<(Pointer, String)>,
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

    fn framework_responses(&mut self, root: &Node<'a>) -> Vec<Response> {
        let listed = root
            .member("x-framework-responses")
            .map(|all| all.members());
        let mut responses = Vec::new();
        for (status, node) in listed.unwrap_or_default() {
            match Status::parse(status) {
                Some(status) => responses.push(self.response(node, status, "framework")),
                None => {
                    self.error(Code::InvalidStatus, &node.at, "expected a status");
                }
            }
        }
        responses
    }

    /// The fixed fields of an object as a type of `openapiv3`; where it has none, that is reported
    /// together with the fallback.
    fn fields<T: DeserializeOwned>(
        &mut self,
        node: &Node<'a>,
        object: Object,
        fallback: &str,
    ) -> Option<T> {
        let fields = node.fields(object);
        fields
            .map_err(|problem| self.diagnostics.recover(*problem, fallback))
            .ok()
    }

    /// Reports a problem that costs the part around it.
    fn error(&mut self, code: Code, at: &Pointer, message: impl Into<String>) {
        self.diagnostics.error(Diagnostic::new(code, at, message));
    }

    /// Reports a violation of the standard, and the fallback for it.
    fn invalid(&mut self, at: &Pointer, message: impl Into<String>, fallback: &str) {
        let problem = Diagnostic::new(Code::Invalid, at, message);
        self.diagnostics.recover(problem, fallback);
    }
}
