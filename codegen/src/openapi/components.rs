//! Components as such, and path items without operations: each is read for what is wrong in it, whether or not
//! anything is made of it. What is right in them is read again where they are used.

use super::object_fields::is_method;
use super::operation::ADDITIONAL;
use super::{Document, Reader, node::Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::message::Status;

/// The fallback for a component that nothing refers to.
const UNUSED: &str = "nothing is made of it";

impl<'a> Reader<'a> {
    /// Reports what is wrong in the components; schemas and security schemes are read anyhow. Nothing of it
    /// stays: an unused component is no part of what is generated.
    pub(super) fn check_components(&mut self, document: &Document) {
        let bundle = self.bundle.clone();
        self.schemes.clone_from(&document.schemes);
        let root = Node::root(self.root);
        let paths = root
            .member("paths")
            .iter()
            .flat_map(Node::members)
            .collect::<Vec<_>>();
        let items = paths.into_iter().chain(root.map("webhooks"));
        for (_, item) in items.filter(|(_, item)| has_no_operations(item)) {
            self.check_item(item);
        }
        if let Some(components) = root.member("components") {
            for (section, section_node) in components.members() {
                for (name, node) in section_node.entries() {
                    self.check_component(section, name, node);
                }
            }
            self.examples(&components);
            self.check_links(&components);
        }
        self.lift_targets();
        self.bundle = bundle;
    }

    fn check_component(&mut self, section: &str, name: &str, node: Node<'a>) {
        let scope = format!("{section}/{name}");
        match section {
            "parameters" => _ = self.parameter(node, &scope),
            "headers" => _ = self.header(name, node, &scope),
            "requestBodies" => _ = self.body(node, &scope),
            "responses" => _ = self.response(node, Status::Default, &scope),
            "mediaTypes" => {
                if let Some(node) = self.media_type(node) {
                    let media_type = likely_type(&node);
                    self.media(node, media_type, &scope);
                }
            }
            "pathItems" => self.check_item(node),
            "callbacks" => {
                let callback = self.resolve_part(node, "a callback", UNUSED);
                let items = callback.iter().flat_map(Node::members);
                items.for_each(|(_, item)| self.check_item(item));
            }
            _ => {}
        }
    }

    fn check_item(&mut self, item: Node<'a>) {
        if has_no_operations(&item) {
            self.parameters(&item, &item, "unused");
            self.servers(&item);
        }
        let (operations, _) = self.item(item, "/");
        for (operation, node) in operations {
            self.callbacks_of(&operation, &node);
        }
    }

    /// A link names one operation (OpenAPI 3.1.1 §4.8.20.1); where it leads is told where it stands.
    fn check_links(&mut self, components: &Node<'a>) {
        for link in self.links(components) {
            let (code, why) = match (&link.operation_id, &link.operation_ref) {
                (Some(_), Some(_)) => (Code::Invalid, "names its operation twice"),
                (None, None) => (Code::DeadLink, "names no operation"),
                _ => continue,
            };
            let message = format!("the link `{}` {why}", link.name);
            let problem = Diagnostic::new(code, &link.at, message);
            self.diagnostics.recover(problem, UNUSED);
        }
    }
}

/// A media type that a component may be one of, by what it says of encodings.
fn likely_type(media: &Node<'_>) -> &'static str {
    let says = |name: &str| media.member(name).is_some();
    match says("prefixEncoding") || says("itemEncoding") {
        true => "multipart/mixed",
        false => "multipart/form-data",
    }
}

/// Whether a path item has no operation, and is none elsewhere.
fn has_no_operations(item: &Node<'_>) -> bool {
    let is_operation = |name: &str| is_method(name) || matches!(name, ADDITIONAL | "$ref");
    !item.members().iter().any(|(name, _)| is_operation(name))
}
