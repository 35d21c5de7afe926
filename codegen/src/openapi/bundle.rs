//! All schemas of a document, lifted out and rewritten as JSON Schema 2020-12.
//!
//! References inside the bundle read `#/<key>`. Components keep their names as keys; other schemas
//! get a key made of the place where they are used, with a `/` in it, which no component name can
//! contain.

mod annotation;
mod discriminators;
mod integers;
mod keywords;
mod lift;
mod operands;
mod references;
mod regex_literal;
mod resources;
mod rewrite;
mod unknown;
mod upgrade;
mod vendored;
mod xml;

pub(crate) use discriminators::{DEFAULT_MAPPING, renamed};
pub(super) use keywords::{is_of_schemas, map_schemas, schemas_in};
pub(crate) use rewrite::RUST_TYPE;
pub use vendored::Vendored;

use super::version::Version;
use crate::diagnostic::{Code, Diagnostics};
use crate::idioms;
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
const MAX_REFERENCES: usize = 32;

/// Schemas by key, in the order in which they were lifted.
#[derive(Debug, Clone, Default)]
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
    /// The schemas that have a discriminator and nothing that it could be about.
    lone_discriminators: Vec<Pointer>,
    /// Whether any schema has a discriminator.
    has_discriminators: bool,
    /// Whether it was said that `xml` describes nothing that is generated.
    is_xml_told: bool,
    /// The regular expressions that were compiled, each with the reason if it cannot be matched.
    patterns: BTreeMap<String, Result<(), (Code, String)>>,
    formats: Formats,
    /// The formats named by schemas of strings.
    used_formats: BTreeSet<String>,
    /// The version of the document.
    pub(super) version: Version,
}

impl Bundle {
    /// The bundle, still empty, of a document.
    pub(super) fn new(root: &Value, version: Version, reading: &Reading) -> Bundle {
        // No keyword of 3.0 identifies a schema.
        let identified = match version {
            Version::V30 => &Value::Null,
            Version::V31 | Version::V32 => root,
        };
        Bundle {
            resources: Resources::of(identified, &reading.vendored),
            formats: reading.formats.clone(),
            version,
            ..Bundle::default()
        }
    }

    /// Whether the document is one of OpenAPI 3.0, whose schemas have a dialect of their own.
    pub(super) fn is_30(&self) -> bool {
        self.version == Version::V30
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

    /// The component that a key is a read or write variant of; of any other key, the key itself.
    pub fn component_of<'k>(&'k self, key: &'k str) -> &'k str {
        let is_variant = self.variants.iter().any(|variant| variant == key);
        let component = self.keys.get(&self.place(key)).filter(|_| is_variant);
        component.map_or(key, String::as_str)
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

    /// Rewrites the idioms of authors and tools in the canonical form, and makes unions of parents that have
    /// a discriminator; `items` are the items of sequences.
    pub(super) fn rewrite_idioms(&mut self, items: &BTreeSet<Key>, diagnostics: &mut Diagnostics) {
        self.idioms(items).rewrite(diagnostics);
        self.split_parents();
        self.idioms(items).rewrite_inheritance(diagnostics);
    }

    fn idioms<'b>(&'b mut self, items: &'b BTreeSet<Key>) -> idioms::Schemas<'b> {
        idioms::Schemas {
            by_key: &mut self.schemas,
            places: &self.places,
            items,
        }
    }

    /// Records the place of a schema that was split off another one.
    pub(super) fn set_place(&mut self, key: Key, at: Pointer) {
        self.places.insert(key, at);
    }
}

/// The target of a schema that is a reference and nothing else.
fn lone_reference(schema: &Value) -> Option<&str> {
    let lone = schema.as_object().filter(|members| members.len() == 1);
    lone?.get("$ref")?.as_str()
}
