//! Every schema of a document, lifted out, in the words of JSON Schema 2020-12.
//!
//! References inside the bundle read `#/<key>`. Components keep their names as keys; other schemas
//! get a key that says where they are used, with a `/` in it, which no component name can hold.

mod annotation;
mod rewrite;
mod unknown;
mod upgrade;

use super::references::Reference;
use super::resources::Resources;
use crate::Formats;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Pointer;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The name of a schema in the bundle.
pub type Key = String;

pub(super) const COMPONENTS: &str = "/components/schemas/";

/// How many references are followed to where a schema stands.
const REFERENCES: usize = 32;

/// How deep lists and objects may stand in each other in a schema: the bundle is one more around it,
/// and who reads that follows 127.
const DEEPEST: usize = 126;

/// Schemas by key, in the order in which they were lifted.
#[derive(Debug, Default)]
pub struct Bundle {
    pub(super) schemas: Map<String, Value>,
    places: BTreeMap<Key, Pointer>,
    keys: BTreeMap<Pointer, Key>,
    components: Vec<Key>,
    /// The components that are schemas which stand elsewhere, by the places of these.
    pub(super) lent: BTreeMap<Pointer, Key>,
    /// Second forms of components; see [`super::directions`].
    forms: Vec<Key>,
    pub(super) wanted: BTreeSet<Key>,
    /// The keys of schemas that are not to be found.
    unknown: BTreeSet<Key>,
    /// Every reference that was followed.
    pub(super) references: Vec<Reference>,
    pub(super) resources: Resources,
    /// Schemas whose meaning depends on where they are used.
    pub(super) dynamic: BTreeSet<Key>,
    /// Whether any schema has a discriminator.
    pub(super) has_discriminators: bool,
    /// Regular expressions that were compiled, each with the reason where it cannot be matched.
    patterns: BTreeMap<String, Result<(), (Code, String)>>,
    formats: Formats,
    /// The formats that schemas of strings name.
    used_formats: BTreeSet<String>,
    pub(super) is_30: bool,
}

impl Bundle {
    pub(super) fn new(is_30: bool, resources: Resources, formats: Formats) -> Bundle {
        Bundle {
            schemas: Map::new(),
            places: BTreeMap::new(),
            keys: BTreeMap::new(),
            components: Vec::new(),
            lent: BTreeMap::new(),
            forms: Vec::new(),
            wanted: BTreeSet::new(),
            unknown: BTreeSet::new(),
            references: Vec::new(),
            resources,
            dynamic: BTreeSet::new(),
            has_discriminators: false,
            patterns: BTreeMap::new(),
            formats,
            used_formats: BTreeSet::new(),
            is_30,
        }
    }

    /// What the formats of its schemas mean.
    pub fn formats(&self) -> &Formats {
        &self.formats
    }

    /// The formats that schemas of strings name, but for those that are ignored.
    pub fn used_formats(&self) -> &BTreeSet<String> {
        &self.used_formats
    }

    /// The schema of that key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.schemas.get(key)
    }

    /// Where the schema of that key stands in the document.
    pub fn place(&self, key: &str) -> Pointer {
        self.places.get(key).cloned().unwrap_or_default()
    }

    /// The key of the schema that stands there, if it has one of its own.
    pub fn key_at(&self, at: &Pointer) -> Option<&Key> {
        self.keys.get(at)
    }

    /// Whether what the schema means depends on where it is used: it has a `$dynamicRef`, or refers
    /// to a schema that has.
    pub fn is_dynamic(&self, key: &str) -> bool {
        self.dynamic.contains(key)
    }

    /// The keys of `components.schemas`, in the order of the document.
    pub fn components(&self) -> &[Key] {
        &self.components
    }

    /// The keys of components' second forms, for the direction in which their own are others.
    pub fn forms(&self) -> &[Key] {
        &self.forms
    }

    /// A key for another form of a schema, which no schema has yet.
    pub(super) fn form_key(&self, key: &str, suffix: &str) -> Key {
        // The last token names a type; that of a place has more in front of it.
        let between = if key.contains('/') { " " } else { "" };
        let mut form = format!("{key}{between}{suffix}");
        while self.schemas.contains_key(&form) {
            form.push('\'');
        }
        form
    }

    /// Adds a form of a schema, or puts it in the place of the schema itself.
    pub(super) fn insert_form(&mut self, key: &str, form: Key, schema: Value) {
        if form != key {
            let place = self.place(key);
            self.places.insert(form.clone(), place);
            if self.components.iter().any(|component| component == key) {
                self.forms.push(form.clone());
            }
        }
        self.schemas.insert(form, schema);
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
                self.lent.entry(place).or_insert_with(|| name.clone());
            }
        }
        let lent = self.lent.iter();
        let mut places: BTreeMap<Key, Pointer> = lent
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

    /// Where the schema of a component stands that is no more than a reference to one outside the
    /// components: there it has no name, so the component lends it its own.
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

    /// Lifts a schema used at one place; a plain reference to another schema is that schema.
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
        // What several operations share is lifted once.
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

    /// Says where a schema stands that another one was split into.
    pub(super) fn stand(&mut self, key: Key, at: Pointer) {
        self.places.insert(key, at);
    }

    fn insert(&mut self, key: Key, schema: &Value, at: Pointer, diagnostics: &mut Diagnostics) {
        let mut rewritten = self.rewrite(schema, &at, diagnostics);
        self.enter_scope(&mut rewritten, &at);
        if depth(&rewritten) > DEEPEST {
            let message =
                format!("lists and objects stand in each other more than {DEEPEST} deep here");
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

    /// Lifts what references name beyond the components, until nothing is missing but what points
    /// to nothing; that is reported.
    pub(super) fn close(&mut self, root: &Value, diagnostics: &mut Diagnostics) {
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
        self.take_for_any(unknown);
    }
}

/// What a schema refers to that is a reference and nothing else.
fn lone_reference(schema: &Value) -> Option<&str> {
    let lone = schema.as_object().filter(|members| members.len() == 1);
    lone?.get("$ref")?.as_str()
}

/// Writes a key as one token of a JSON pointer.
pub(crate) fn escape(key: &str) -> String {
    // The reader of a reference decodes percents first (RFC 6901 §6).
    key.replace('%', "%25")
        .replace('~', "~0")
        .replace('/', "~1")
}

/// Reads back the key of a bundle reference.
pub(crate) fn key_of_reference(reference: &str) -> Option<Key> {
    Some(
        reference
            .strip_prefix("#/")?
            .replace("%25", "%")
            .replace("~1", "/")
            .replace("~0", "~"),
    )
}

/// How many lists and objects stand in each other.
fn depth(value: &Value) -> usize {
    let deepest = match value {
        Value::Array(items) => items.iter().map(depth).max(),
        Value::Object(members) => members.values().map(depth).max(),
        _ => return 0,
    };
    1 + deepest.unwrap_or_default()
}
