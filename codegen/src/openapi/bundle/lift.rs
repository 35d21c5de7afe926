//! Lifts schemas out of the document into the bundle.

use super::{Key, MAX_REFERENCES, lone_reference};
use crate::diagnostic::{Code, Diagnostic};
use crate::openapi::Reader;
use crate::openapi::references::ANYTHING;
use crate::source::Pointer;
use serde_json::Value;
use std::collections::BTreeMap;

/// How deep lists and objects may be nested in a schema: the bundle adds one level, and its reader
/// goes 127 deep.
const MAX_DEPTH: usize = 126;

impl Reader<'_> {
    pub(in crate::openapi) fn lift_components(&mut self) {
        let Some(schemas) = self
            .root
            .pointer("/components/schemas")
            .and_then(Value::as_object)
        else {
            return;
        };
        let folder = Pointer::default().child("components").child("schemas");
        for (name, schema) in schemas {
            self.bundle.components.push(name.clone());
            if let Some(place) = self.elsewhere(schema, folder.child(name)) {
                self.bundle
                    .names_by_place
                    .entry(place)
                    .or_insert_with(|| name.clone());
            }
        }
        let names_by_place = self.bundle.names_by_place.iter();
        let mut places: BTreeMap<Key, Pointer> = names_by_place
            .map(|(place, name)| (name.clone(), place.clone()))
            .collect();
        for (name, schema) in schemas {
            let place = places.remove(name);
            let there =
                place.and_then(|at| Some((self.bundle.resources.get(self.root, &at)?.clone(), at)));
            match there {
                Some((schema, at)) => self.insert(name.clone(), &schema, at),
                None => self.insert(name.clone(), schema, folder.child(name)),
            }
        }
    }

    /// The place of the schema that a component refers to, if the component is only a reference to
    /// a schema outside the components: that schema has no name, and gets the component's.
    fn elsewhere(&mut self, schema: &Value, at: Pointer) -> Option<Pointer> {
        let mut at = at;
        let mut reference = lone_reference(schema)?.to_owned();
        for _ in 0..MAX_REFERENCES {
            at = self.bundle.target(&reference, &at.child("$ref"))?.at;
            if at.as_str().starts_with("/components/") {
                return None;
            }
            match lone_reference(self.bundle.resources.get(self.root, &at)?) {
                Some(next) => reference = next.to_owned(),
                None => return Some(at),
            }
        }
        None
    }

    /// Lifts the schema used at one place and gives its key; for a plain reference, the key of its
    /// target.
    pub(in crate::openapi) fn lift(&mut self, wanted: String, schema: &Value, at: Pointer) -> Key {
        if let Some(reference) = lone_reference(schema)
            && let Some(key) = self.key_of(reference, &at.child("$ref"))
        {
            return key;
        }
        // A schema that several operations share is lifted once.
        if let Some(key) = self.bundle.keys.get(&at) {
            return key.clone();
        }
        let key = if self.bundle.schemas.contains_key(&wanted) {
            format!("{wanted}{at}")
        } else {
            wanted
        };
        self.insert(key.clone(), schema, at);
        key
    }

    fn insert(&mut self, key: Key, schema: &Value, at: Pointer) {
        let mut rewritten = self.rewrite(schema, &at);
        self.bundle.enter_scope(&mut rewritten, &at);
        if depth(&rewritten) > MAX_DEPTH {
            let message = format!("lists and objects are nested more than {MAX_DEPTH} deep here");
            let problem = Diagnostic::new(Code::Unsupported, &at, message);
            self.diagnostics.recover(problem, ANYTHING);
            rewritten = Value::Bool(true);
        }
        self.bundle.schemas.insert(key.clone(), rewritten);
        self.bundle.keys.insert(at.clone(), key.clone());
        self.bundle.places.insert(key, at);
    }

    /// Lifts the schemas outside the components that references name, until none is missing, and
    /// reports references that lead to nothing.
    pub(in crate::openapi) fn lift_targets(&mut self) {
        while let Some(key) = self.bundle.wanted.pop_first() {
            if self.bundle.schemas.contains_key(&key) {
                continue;
            }
            let Some(pointer) = Pointer::parse(&key) else {
                continue;
            };
            if let Some(schema) = self.bundle.resources.get(self.root, &pointer).cloned() {
                self.insert(key, &schema, pointer);
            }
        }
        self.bundle.find_dynamic();
        let mut unknown = std::mem::take(&mut self.bundle.unknown);
        unknown.extend(self.missing());
        self.bundle.accept_anything(unknown);
    }
}

/// How deep lists and objects are nested.
fn depth(value: &Value) -> usize {
    let deepest = match value {
        Value::Array(items) => items.iter().map(depth).max(),
        Value::Object(members) => members.values().map(depth).max(),
        _ => return 0,
    };
    1 + deepest.unwrap_or_default()
}
