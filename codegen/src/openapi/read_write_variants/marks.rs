//! The members that are marked as read-only or write-only, and the schemas that lead to them.

use super::Direction;
use crate::openapi::bundle::{Bundle, Key, schemas_in};
use json_schema::keyword;
use json_schema::reference::key_of_reference;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// How many references are followed to find the annotations of one member.
const MAX_DEPTH: usize = 16;

/// Whether the schemas of a keyword hold for the same value as the schema around them. Those of
/// `if` and `not` do not: they test it, and a member left out there would change the result.
pub(super) fn is_in_place(keyword: &str) -> bool {
    keyword::is_in_place(keyword) && !matches!(keyword, "if" | "not")
}

/// The schemas that differ by direction.
pub(super) struct Marks {
    /// The targets of each schema's references.
    refers: BTreeMap<Key, BTreeSet<Key>>,
    in_requests: BTreeSet<Key>,
    in_responses: BTreeSet<Key>,
    /// The members that discriminators name.
    tags: BTreeSet<String>,
}

/// Whether anything is marked at all.
pub(super) fn are_in(bundle: &Bundle) -> bool {
    let mut is_marked = false;
    for schema in bundle.schemas().values() {
        visit(schema, &mut |members| {
            is_marked |= members.contains_key("readOnly") || members.contains_key("writeOnly");
        });
    }
    is_marked
}

impl Marks {
    pub(super) fn of(bundle: &Bundle) -> Marks {
        let mut marks = Marks {
            refers: BTreeMap::new(),
            in_requests: BTreeSet::new(),
            in_responses: BTreeSet::new(),
            tags: BTreeSet::new(),
        };
        for (key, schema) in bundle.schemas() {
            let mut refers = BTreeSet::new();
            visit(schema, &mut |members| {
                refers.extend(reference(members));
                let discriminator = members.get("discriminator");
                let tag = discriminator.and_then(|d| d.get("propertyName")?.as_str());
                marks.tags.extend(tag.map(str::to_owned));
            });
            marks.refers.insert(key.clone(), refers);
        }
        marks.in_requests = marks.differing(bundle, Direction::Request);
        marks.in_responses = marks.differing(bundle, Direction::Response);
        marks
    }

    /// Whether the schema has a variant of its own in that direction.
    pub(super) fn differs(&self, key: &Key, direction: Direction) -> bool {
        match direction {
            Direction::Request => self.in_requests.contains(key),
            Direction::Response => self.in_responses.contains(key),
        }
    }

    /// Whether both variants differ from the schema as it is written.
    pub(super) fn differs_both_ways(&self, key: &Key) -> bool {
        self.in_requests.contains(key) && self.in_responses.contains(key)
    }

    /// These schemas and all that they lead to.
    pub(super) fn reached(&self, roots: BTreeSet<Key>) -> BTreeSet<Key> {
        let mut open: Vec<Key> = roots.into_iter().collect();
        let mut reached = BTreeSet::new();
        while let Some(key) = open.pop() {
            if reached.insert(key.clone()) {
                open.extend(self.refers.get(&key).into_iter().flatten().cloned());
            }
        }
        reached
    }

    /// The members that values of the schema lack in that direction.
    pub(super) fn hidden(
        &self,
        bundle: &Bundle,
        members: &Map<String, Value>,
        direction: Direction,
    ) -> BTreeSet<String> {
        let mut hidden = BTreeSet::new();
        self.gather(bundle, members, direction, MAX_DEPTH, &mut hidden);
        hidden
    }

    fn gather(
        &self,
        bundle: &Bundle,
        members: &Map<String, Value>,
        direction: Direction,
        depth: usize,
        hidden: &mut BTreeSet<String>,
    ) {
        let Some(depth) = depth.checked_sub(1) else {
            return;
        };
        let properties = members.get("properties").and_then(Value::as_object);
        for (name, schema) in properties.into_iter().flatten() {
            if !self.tags.contains(name)
                && is_annotated(bundle, schema, direction.hides(), MAX_DEPTH)
            {
                hidden.insert(name.clone());
            }
        }
        for schema in parts(bundle, members) {
            if let Some(members) = schema.as_object() {
                self.gather(bundle, members, direction, depth, hidden);
            }
        }
    }

    /// The schemas that hold a marked member, and all that lead to one of them.
    fn differing(&self, bundle: &Bundle, direction: Direction) -> BTreeSet<Key> {
        let mut led_from: BTreeMap<&Key, Vec<&Key>> = BTreeMap::new();
        for (key, targets) in &self.refers {
            for target in targets {
                led_from.entry(target).or_default().push(key);
            }
        }
        let marked = bundle.schemas().iter().filter(|(key, schema)| {
            let mut is_different = false;
            visit(schema, &mut |members| {
                is_different = is_different || !self.hidden(bundle, members, direction).is_empty();
            });
            // The target of a dynamic reference is unknown before there is a value.
            is_different && !bundle.is_dynamic(key)
        });
        let mut open: Vec<&Key> = marked.map(|(key, _)| key).collect();
        let mut differing = BTreeSet::new();
        while let Some(key) = open.pop() {
            if !bundle.is_dynamic(key) && differing.insert(key.clone()) {
                open.extend(led_from.get(key).into_iter().flatten());
            }
        }
        differing
    }
}

/// Whether a member has an annotation: beside its schema's other keywords, or in the schemas that
/// these refer to (JSON Schema 2020-12 Core §7.7).
fn is_annotated(bundle: &Bundle, schema: &Value, word: &str, depth: usize) -> bool {
    let (Some(members), Some(depth)) = (schema.as_object(), depth.checked_sub(1)) else {
        return false;
    };
    members.get(word) == Some(&Value::Bool(true))
        || parts(bundle, members).any(|schema| is_annotated(bundle, schema, word, depth))
}

/// The target of a schema's reference and its parts for the same value; a single variant counts as
/// a part.
fn parts<'v>(
    bundle: &'v Bundle,
    members: &'v Map<String, Value>,
) -> impl Iterator<Item = &'v Value> {
    let listed = |keyword| members.get(keyword).and_then(Value::as_array);
    let only = ["anyOf", "oneOf"].into_iter().filter_map(listed);
    let only = only.filter(|variants| variants.len() == 1);
    let target = reference(members).and_then(|key| bundle.get(&key));
    let all = listed("allOf").into_iter().chain(only);
    target.into_iter().chain(all.flatten())
}

/// The key that `$ref` names.
pub(super) fn reference(members: &Map<String, Value>) -> Option<Key> {
    key_of_reference(members.get("$ref")?.as_str()?)
}

/// Visits a schema and all schemas inside it.
fn visit(schema: &Value, see: &mut impl FnMut(&Map<String, Value>)) {
    let Some(members) = schema.as_object() else {
        return;
    };
    see(members);
    for (keyword, operand) in members {
        for schema in schemas_in(keyword, operand) {
            visit(schema, see);
        }
    }
}
