//! Unions: spread out where that is exact, and named by their discriminator.

use super::node::{Kind, Node, Notes, address};
use super::normal::{and, named};
use super::view::View;
use crate::openapi::key_of_reference;
use crate::schema::values::Values;
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashSet};
use std::rc::Rc;

/// The variants of an `anyOf`, those of one that is itself such a union in its place, and each once:
/// whether a variant holds twice or through another union makes no difference.
pub(super) fn flat<'a>(view: &'a View, variants: Vec<&'a Value>) -> Vec<&'a Value> {
    let mut open: Vec<&Value> = variants.into_iter().rev().collect();
    let mut seen = HashSet::new();
    let mut flat: Vec<&Value> = Vec::new();
    while let Some(schema) = open.pop() {
        let meant = named(view, schema);
        if !seen.insert(address(meant)) {
            continue;
        }
        let lone = meant.as_object().filter(|keywords| keywords.len() == 1);
        match lone.and_then(|keywords| keywords.get("anyOf")?.as_array()) {
            Some(inner) => open.extend(inner.iter().rev()),
            None if flat.iter().any(|known| named(view, known) == meant) => {}
            None => flat.push(schema),
        }
    }
    flat
}

/// One node for a union, where each kind of value is some variant's alone: then keywords, which
/// each speak of one kind, cannot meet a value of another variant.
pub(super) fn spread<'a>(nodes: &[Rc<Node<'a>>], exactly_one: bool) -> Option<Node<'a>> {
    if let [only] = nodes {
        return Some(Node::clone(only));
    }
    let nested = |node: &Rc<Node<'_>>| !node.unions.is_empty() || !node.opaque.is_empty();
    if nodes.iter().any(nested) {
        return None;
    }
    let listed = lists(nodes, exactly_one);
    if listed.is_some() {
        return listed;
    }
    let mut taken = BTreeSet::new();
    let kinds = || nodes.iter().flat_map(|node| node.kinds.iter().copied());
    if !kinds().all(|kind| taken.insert(kind)) {
        return None;
    }
    let some_listed = nodes.iter().any(|node| node.listed.is_some());
    let mut listed = Vec::new();
    let mut merged = Node::any();
    for node in nodes {
        let mut node = Node::clone(node);
        if some_listed {
            listed.extend(values(&node)?);
            node.listed = None;
        }
        node.kinds = Kind::ALL.into();
        merged = and(merged, node);
    }
    merged.kinds = taken;
    merged.listed = some_listed.then_some(listed);
    merged.notes = shared(nodes);
    Some(merged)
}

/// Lists of values as one list; `oneOf` refuses what two of them have in common.
fn lists<'a>(nodes: &[Rc<Node<'a>>], exactly_one: bool) -> Option<Node<'a>> {
    let (mut listed, mut known) = (Vec::new(), Values::default());
    let mut merged = Node::any();
    for node in nodes {
        let bare = node.bounds.is_empty() && node.marks.is_empty() && node.required.is_empty();
        if !bare || !node.rests.is_empty() || !node.tuples.is_empty() {
            return None;
        }
        for value in values(node)? {
            if known.insert(&value) {
                listed.push(value);
            } else if exactly_one {
                return None;
            }
        }
    }
    merged.listed = Some(listed);
    merged.notes = shared(nodes);
    Some(merged)
}

/// Annotations of a union: what only one variant says may be said of the whole, what several say
/// depends on which of them holds.
fn shared(nodes: &[Rc<Node<'_>>]) -> Notes {
    let mut defaults = nodes.iter().filter_map(|node| node.notes.default.as_ref());
    let mut descriptions = nodes
        .iter()
        .filter_map(|node| node.notes.description.as_ref());
    Notes {
        default: defaults
            .next()
            .filter(|_| defaults.next().is_none())
            .cloned(),
        description: descriptions
            .next()
            .filter(|_| descriptions.next().is_none())
            .cloned(),
        deprecated: nodes.iter().all(|node| node.notes.deprecated),
        examples: Vec::new(),
        extensible: nodes.iter().any(|node| node.notes.extensible),
    }
}

/// All values that there are, where they are listed or those of a type.
fn values(node: &Node<'_>) -> Option<Vec<Value>> {
    let listed = node.listed.clone();
    listed.or_else(|| finite(&node.kinds))
}

/// Every value of kinds that have finitely many.
pub(super) fn finite(kinds: &BTreeSet<Kind>) -> Option<Vec<Value>> {
    let mut values = Vec::new();
    for kind in kinds {
        match kind {
            Kind::Null => values.push(Value::Null),
            Kind::Boolean => values.extend([Value::Bool(false), Value::Bool(true)]),
            _ => return None,
        }
    }
    Some(values)
}

/// A member and a value of it that name a variant (OpenAPI 3.1.1 §4.8.25).
pub(super) type Tag = (String, String);

/// The tags of each variant; none where the interpreter does not go by them either.
pub(super) fn tags(keywords: &Map<String, Value>, variants: &[&Value]) -> Vec<BTreeSet<Tag>> {
    let Some(discriminator) = keywords.get("discriminator") else {
        return Vec::new();
    };
    let Some(property) = discriminator.get("propertyName").and_then(Value::as_str) else {
        return Vec::new();
    };
    let mapping = discriminator.get("mapping").and_then(Value::as_object);
    let named = variants.iter().map(|variant| {
        if variant.get("type").is_some_and(|name| name == "null") {
            return Some(BTreeSet::new());
        }
        let reference = variant.get("$ref").and_then(Value::as_str);
        let key = key_of_reference(reference?)?;
        let mapped = mapping.into_iter().flatten();
        let mapped = mapped.filter(|(_, target)| target.as_str() == Some(&key));
        let mut tags: BTreeSet<Tag> = mapped
            .map(|(tag, _)| (property.to_owned(), tag.clone()))
            .collect();
        if tags.is_empty() {
            // Only components have a name of their own.
            let name = Some(key).filter(|key| !key.contains(['/', '~']))?;
            tags.insert((property.to_owned(), name));
        }
        Some(tags)
    });
    named.collect::<Option<_>>().unwrap_or_default()
}
