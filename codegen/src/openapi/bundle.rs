//! All schemas of a document, lifted out and rewritten as JSON Schema 2020-12.
//!
//! References inside the bundle read `#/<key>`. Components keep their names as keys; other schemas
//! get a key made of the place where they are used, with a `/` in it, which no component name can
//! contain.

mod annotation;
mod discriminators;
mod integers;
mod keywords;
mod operands;
mod references;
mod regex_literal;
mod resources;
mod rewrite;
mod unknown;
mod upgrade;
mod vendored;

pub(crate) use discriminators::renamed;
pub(super) use keywords::{is_of_schemas, map_schemas, schemas_in};
pub use vendored::Vendored;

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Pointer;
use crate::{Formats, Reading};
use references::Reference;
use resources::Resources;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The name of a schema in the bundle.
pub type Key = String;

pub(super) const COMPONENTS: &str = "/components/schemas/";

/// How many references are followed to find the place of a schema.
const REFERENCES: usize = 32;

/// How deep lists and objects may be nested in a schema: the bundle adds one level, and its reader
/// goes 127 deep.
const DEEPEST: usize = 126;

/// Schemas by key, in the order in which they were lifted.
#[derive(Debug, Default)]
pub struct Bundle {
    schemas: Map<String, Value>,
    places: BTreeMap<Key, Pointer>,
    keys: BTreeMap<Pointer, Key>,
    components: Vec<Key>,
    /// The components that only refer to a schema elsewhere, by the place of that schema.
    names_by_place: BTreeMap<Pointer, Key>,
    /// The read or write variants of components; see [`super::read_write_variants`].
    variants: Vec<Key>,
    wanted: BTreeSet<Key>,
    /// The keys of schemas that could not be found.
    unknown: BTreeSet<Key>,
    /// Every reference that was followed.
    references: Vec<Reference>,
    resources: Resources,
    /// Schemas whose meaning depends on where they are used.
    dynamic: BTreeSet<Key>,
    /// Whether any schema has a discriminator.
    has_discriminators: bool,
    /// The regular expressions that were compiled, each with the reason if it cannot be matched.
    patterns: BTreeMap<String, Result<(), (Code, String)>>,
    formats: Formats,
    /// The formats named by schemas of strings.
    used_formats: BTreeSet<String>,
    pub(super) is_30: bool,
}

impl Bundle {
    /// The bundle, still empty, of a document.
    pub(super) fn new(root: &Value, is_30: bool, reading: &Reading) -> Bundle {
        // No keyword of 3.0 identifies a schema.
        let identified = if is_30 { &Value::Null } else { root };
        Bundle {
            resources: Resources::of(identified, &reading.vendored),
            formats: reading.formats.clone(),
            is_30,
            ..Bundle::default()
        }
    }

    /// The table of the formats that its schemas name.
    pub fn formats(&self) -> &Formats {
        &self.formats
    }

    /// The formats named by schemas of strings, without the ignored ones.
    pub fn used_formats(&self) -> &BTreeSet<String> {
        &self.used_formats
    }

    /// The schema of that key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.schemas.get(key)
    }

    /// The place in the document of the schema with that key.
    pub fn place(&self, key: &str) -> Pointer {
        self.places.get(key).cloned().unwrap_or_default()
    }

    /// The key of the schema at a place, if that has a key of its own.
    pub fn key_at(&self, at: &Pointer) -> Option<&Key> {
        self.keys.get(at)
    }

    /// Whether the schema's meaning depends on where it is used: it has a `$dynamicRef`, or refers
    /// to a schema that has one.
    pub fn is_dynamic(&self, key: &str) -> bool {
        self.dynamic.contains(key)
    }

    /// The keys of `components.schemas`, in the order of the document.
    pub fn components(&self) -> &[Key] {
        &self.components
    }

    /// The keys of components' read or write variants, for the direction in which they differ from
    /// the component itself.
    pub fn read_write_variants(&self) -> &[Key] {
        &self.variants
    }

    /// An unused key for a variant of a schema.
    pub(super) fn variant_key(&self, key: &str, suffix: &str) -> Key {
        // The last token names a type; the key of a place has more tokens in front of it.
        let between = if key.contains('/') { " " } else { "" };
        let mut variant = format!("{key}{between}{suffix}");
        while self.schemas.contains_key(&variant) {
            variant.push('\'');
        }
        variant
    }

    /// Adds a variant of a schema, or replaces the schema by it.
    pub(super) fn insert_variant(&mut self, key: &str, variant: Key, schema: Value) {
        if variant != key {
            let place = self.place(key);
            self.places.insert(variant.clone(), place);
            if self.components.iter().any(|component| component == key) {
                self.variants.push(variant.clone());
            }
        }
        self.schemas.insert(variant, schema);
    }

    /// All schemas by their keys.
    pub(crate) fn schemas(&self) -> &Map<String, Value> {
        &self.schemas
    }

    /// All schemas, as the one object that the generated crate's checker reads.
    pub fn into_schemas(self) -> Map<String, Value> {
        self.schemas
    }

    pub(super) fn lift_components(&mut self, root: &Value, diagnostics: &mut Diagnostics) {
        let Some(schemas) = root
            .pointer("/components/schemas")
            .and_then(Value::as_object)
        else {
            return;
        };
        let folder = Pointer::default().child("components").child("schemas");
        for (name, schema) in schemas {
            self.components.push(name.clone());
            if let Some(place) = self.elsewhere(root, schema, folder.child(name)) {
                self.names_by_place
                    .entry(place)
                    .or_insert_with(|| name.clone());
            }
        }
        let names_by_place = self.names_by_place.iter();
        let mut places: BTreeMap<Key, Pointer> = names_by_place
            .map(|(place, name)| (name.clone(), place.clone()))
            .collect();
        for (name, schema) in schemas {
            let place = places.remove(name);
            let there = place.and_then(|at| Some((self.resources.get(root, &at)?.clone(), at)));
            match there {
                Some((schema, at)) => self.insert(name.clone(), &schema, at, diagnostics),
                None => self.insert(name.clone(), schema, folder.child(name), diagnostics),
            }
        }
    }

    /// The place of the schema that a component refers to, if the component is only a reference to
    /// a schema outside the components: that schema has no name, and gets the component's.
    fn elsewhere(&mut self, root: &Value, schema: &Value, at: Pointer) -> Option<Pointer> {
        let mut at = at;
        let mut reference = lone_reference(schema)?.to_owned();
        for _ in 0..REFERENCES {
            at = self.target(&reference, &at.child("$ref"))?.at;
            if at.as_str().starts_with("/components/") {
                return None;
            }
            match lone_reference(self.resources.get(root, &at)?) {
                Some(next) => reference = next.to_owned(),
                None => return Some(at),
            }
        }
        None
    }

    /// Lifts the schema used at one place and gives its key; for a plain reference, the key of its
    /// target.
    pub(super) fn lift(
        &mut self,
        wanted: String,
        schema: &Value,
        at: Pointer,
        diagnostics: &mut Diagnostics,
    ) -> Key {
        if let Some(reference) = lone_reference(schema)
            && let Some(key) = self.key_of(reference, &at.child("$ref"), diagnostics)
        {
            return key;
        }
        // A schema that several operations share is lifted once.
        if let Some(key) = self.keys.get(&at) {
            return key.clone();
        }
        let key = if self.schemas.contains_key(&wanted) {
            format!("{wanted}{at}")
        } else {
            wanted
        };
        self.insert(key.clone(), schema, at, diagnostics);
        key
    }

    /// Records the place of a schema that was split off another one.
    pub(super) fn set_place(&mut self, key: Key, at: Pointer) {
        self.places.insert(key, at);
    }

    fn insert(&mut self, key: Key, schema: &Value, at: Pointer, diagnostics: &mut Diagnostics) {
        let mut rewritten = self.rewrite(schema, &at, diagnostics);
        self.enter_scope(&mut rewritten, &at);
        if depth(&rewritten) > DEEPEST {
            let message = format!("lists and objects are nested more than {DEEPEST} deep here");
            diagnostics.recover(
                Diagnostic::new(Code::Unsupported, &at, message),
                "any value is taken",
            );
            rewritten = Value::Bool(true);
        }
        self.schemas.insert(key.clone(), rewritten);
        self.keys.insert(at.clone(), key.clone());
        self.places.insert(key, at);
    }

    /// Lifts the schemas outside the components that references name, until none is missing, and
    /// reports references that lead to nothing.
    pub(super) fn lift_targets(&mut self, root: &Value, diagnostics: &mut Diagnostics) {
        while let Some(key) = self.wanted.pop_first() {
            if self.schemas.contains_key(&key) {
                continue;
            }
            let Some(pointer) = Pointer::parse(&key) else {
                continue;
            };
            if let Some(schema) = self.resources.get(root, &pointer).cloned() {
                self.insert(key, &schema, pointer, diagnostics);
            }
        }
        self.find_dynamic();
        let mut unknown = std::mem::take(&mut self.unknown);
        unknown.extend(self.missing(diagnostics));
        self.accept_anything(unknown);
    }
}

/// The target of a schema that is a reference and nothing else.
fn lone_reference(schema: &Value) -> Option<&str> {
    let lone = schema.as_object().filter(|members| members.len() == 1);
    lone?.get("$ref")?.as_str()
}

/// A key as one token of a JSON pointer.
pub(crate) fn escape(key: &str) -> String {
    // The reader of a reference decodes percents first (RFC 6901 §6).
    key.replace('%', "%25")
        .replace('~', "~0")
        .replace('/', "~1")
}

/// The key that a schema of the bundle refers to.
pub(crate) fn key_in(schema: &Value) -> Option<Key> {
    key_of_reference(schema.get("$ref")?.as_str()?)
}

/// The key in a reference of the bundle.
pub(crate) fn key_of_reference(reference: &str) -> Option<Key> {
    Some(
        reference
            .strip_prefix("#/")?
            .replace("%25", "%")
            .replace("~1", "/")
            .replace("~0", "~"),
    )
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
