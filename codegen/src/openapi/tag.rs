//! Tags (OpenAPI 3.2.0 §4.22).
//!
//! `openapiv3::Tag` has neither a summary nor a parent.

use super::operation::IGNORED;
use super::{Reader, node::Node};
use crate::diagnostic::{Code, Diagnostic};
use std::collections::BTreeMap;

/// How many tags may be above one another.
const MAX_DEPTH: usize = 16;

/// The fallback for a tag whose parent cannot be taken.
const FALLBACK: &str = "the tag stands below none";

/// A tag (§4.22).
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the names are those of the standard")]
pub struct Tag {
    pub name: String,
    pub summary: Option<String>,
    pub description: Option<String>,
    pub kind: Option<String>,
    /// The tag that it is below, which is declared too; no tag is below itself.
    pub parent: Option<String>,
}

impl<'a> Reader<'a> {
    /// The declared tags, in order.
    pub(super) fn tags(&mut self, root: &Node<'a>) -> Vec<Tag> {
        let mut tags = Vec::new();
        let mut nodes = Vec::new();
        for tag in root.list("tags") {
            let Some(node) = self.resolve_part(tag, "a tag", IGNORED) else {
                continue;
            };
            let Some(name) = node.string("name") else {
                continue;
            };
            if tags.iter().any(|known: &Tag| known.name == name) {
                let message = format!("another tag is called `{name}`");
                self.invalid(&node.at, message, "the first is taken");
                continue;
            }
            tags.push(Tag {
                name,
                summary: node.string("summary"),
                description: node.string("description"),
                kind: node.string("kind"),
                parent: node.string("parent"),
            });
            nodes.push(node);
        }
        let mut parents = BTreeMap::new();
        for tag in &tags {
            let parent = tag.parent.as_deref();
            parents.entry(tag.name.as_str()).or_insert(parent);
        }
        let wrong: Vec<_> = tags.iter().map(|tag| wrong_parent(&parents, tag)).collect();
        for ((tag, node), wrong) in tags.iter_mut().zip(&nodes).zip(wrong) {
            if let Some((code, message)) = wrong {
                let at = node.at.child("parent");
                self.diagnostics
                    .recover(Diagnostic::new(code, &at, message), FALLBACK);
                tag.parent = None;
            }
        }
        tags
    }
}

/// The error of a tag's parent: its code and its message.
fn wrong_parent(parents: &BTreeMap<&str, Option<&str>>, tag: &Tag) -> Option<(Code, String)> {
    let parent = tag.parent.as_deref()?;
    if !parents.contains_key(parent) {
        let message = format!("no tag is called `{parent}`");
        return Some((Code::Invalid, message));
    }
    let mut above = Some(parent);
    for _ in 0..MAX_DEPTH {
        let known = above?;
        if known == tag.name {
            let message = format!("the tag `{known}` must not be below itself");
            return Some((Code::Invalid, message));
        }
        above = parents.get(known).copied().flatten();
    }
    let message = format!("more than {MAX_DEPTH} tags are above one another");
    Some((Code::Unsupported, message))
}
