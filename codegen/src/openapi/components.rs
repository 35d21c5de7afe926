//! Checks components, and path items without operations, whether they are used or not. A used one is read again
//! in its place.

use super::object_fields::is_method;
use super::operation::ADDITIONAL;
use super::{Document, Reader, node::Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::message::Status;

/// The fallback for a component that nothing refers to.
const FALLBACK: &str = "it is not used";

impl<'a> Reader<'a> {
    /// Reports the errors of all components but schemas and security schemes, which are read before. The bundle is
    /// restored: an unused component is not generated.
    pub(super) fn check_components(&mut self, document: &Document) {
        let bundle = self.bundle.clone();
        self.schemes.clone_from(&document.schemes);
        let root = Node::root(self.root);
        self.check_idle_items(&root);
        if let Some(components) = root.member("components") {
            self.check_sections(&components);
        }
        self.lift_targets();
        self.bundle = bundle;
    }

    /// Checks the path items that no operation leads to.
    fn check_idle_items(&mut self, root: &Node<'a>) {
        let paths = root
            .member("paths")
            .iter()
            .flat_map(Node::members)
            .collect::<Vec<_>>();
        let items = paths.into_iter().chain(root.map("webhooks"));
        for (_, item) in items.filter(|(_, item)| has_no_operations(item)) {
            self.check_item(item);
        }
    }

    fn check_sections(&mut self, components: &Node<'a>) {
        for (section, section_node) in components.members() {
            for (name, node) in section_node.entries() {
                self.check_component(section, name, node);
            }
        }
        self.examples(components);
        self.check_links(components);
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
                let callback = self.resolve_part(node, "a callback", FALLBACK);
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

    /// A link names one operation (OpenAPI 3.1.1 §4.8.20.1); its target is checked where the link is used.
    fn check_links(&mut self, components: &Node<'a>) {
        for link in self.links(components) {
            let (code, why) = match (&link.operation_id, &link.operation_ref) {
                (Some(_), Some(_)) => (Code::Invalid, "names its operation twice"),
                (None, None) => (Code::DeadLink, "names no operation"),
                _ => continue,
            };
            let message = format!("the link `{}` {why}", link.name);
            let problem = Diagnostic::new(code, &link.at, message);
            self.diagnostics.recover(problem, FALLBACK);
        }
    }
}

/// The media type that a component of `mediaTypes` is checked as: its encodings tell which multipart it is.
fn likely_type(media: &Node<'_>) -> &'static str {
    let says = |name: &str| media.member(name).is_some();
    match says("prefixEncoding") || says("itemEncoding") {
        true => "multipart/mixed",
        false => "multipart/form-data",
    }
}

/// Whether a path item has neither an operation nor a `$ref`.
fn has_no_operations(item: &Node<'_>) -> bool {
    let leads_to_operations = |name: &str| is_method(name) || matches!(name, ADDITIONAL | "$ref");
    !item
        .members()
        .iter()
        .any(|(name, _)| leads_to_operations(name))
}
