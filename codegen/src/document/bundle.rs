//! Every schema of a document, lifted out, in the words of JSON Schema 2020-12.
//!
//! References inside the bundle read `#/<key>`. Components keep their names as keys; other schemas
//! get a key that says where they are used, with a `/` in it, which no component name can hold.

use crate::diagnostic::{Code, Diagnostics};
use crate::source::Pointer;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The name of a schema in the bundle.
pub type Key = String;

const COMPONENTS: &str = "/components/schemas/";

/// Schemas by key, in the order in which they were lifted.
#[derive(Debug)]
pub struct Bundle {
    schemas: Map<String, Value>,
    places: BTreeMap<Key, Pointer>,
    keys: BTreeMap<Pointer, Key>,
    components: Vec<Key>,
    wanted: BTreeSet<Key>,
    /// Every reference that was followed: where it stands, what it says, and the key it names.
    references: Vec<(Pointer, String, Key)>,
    is_30: bool,
}

impl Bundle {
    pub(super) fn new(is_30: bool) -> Bundle {
        Bundle {
            schemas: Map::new(),
            places: BTreeMap::new(),
            keys: BTreeMap::new(),
            components: Vec::new(),
            wanted: BTreeSet::new(),
            references: Vec::new(),
            is_30,
        }
    }

    /// The schema of that key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.schemas.get(key)
    }

    /// Where the schema of that key stands in the document.
    pub fn place(&self, key: &str) -> Pointer {
        self.places.get(key).cloned().unwrap_or_default()
    }

    /// The keys of `components.schemas`, in the order of the document.
    pub fn components(&self) -> &[Key] {
        &self.components
    }

    /// All schemas by their keys.
    pub(crate) fn schemas(&self) -> &Map<String, Value> {
        &self.schemas
    }

    /// All schemas, as the one object that the generated crate's checker reads.
    pub fn into_schemas(self) -> Map<String, Value> {
        self.schemas
    }

    pub(super) fn lift_components(&mut self, root: &Value, found: &mut Diagnostics) {
        let Some(schemas) = root
            .pointer("/components/schemas")
            .and_then(Value::as_object)
        else {
            return;
        };
        let folder = Pointer::default().child("components").child("schemas");
        for (name, schema) in schemas {
            self.components.push(name.clone());
            self.insert(name.clone(), schema, folder.child(name), found);
        }
    }

    /// Lifts a schema used at one place; a plain reference to another schema is that schema.
    pub(super) fn lift(
        &mut self,
        wanted: String,
        schema: &Value,
        at: Pointer,
        found: &mut Diagnostics,
    ) -> Key {
        let lone = schema.as_object().filter(|members| members.len() == 1);
        if let Some(reference) = lone.and_then(|members| members.get("$ref"))
            && let Some(key) = self.key_of(reference, &at.child("$ref"), found)
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
        self.insert(key.clone(), schema, at, found);
        key
    }

    fn insert(&mut self, key: Key, schema: &Value, at: Pointer, found: &mut Diagnostics) {
        let rewritten = self.rewrite(schema, &at, found);
        self.schemas.insert(key.clone(), rewritten);
        self.keys.insert(at.clone(), key.clone());
        self.places.insert(key, at);
    }

    /// Lifts what references name beyond the components, until nothing is missing but what points
    /// to nothing; that is reported.
    pub(super) fn close(&mut self, root: &Value, found: &mut Diagnostics) {
        while let Some(key) = self.wanted.pop_first() {
            if self.schemas.contains_key(&key) {
                continue;
            }
            let Some(pointer) = Pointer::parse(&key) else {
                continue;
            };
            if let Some(schema) = root.pointer(&key) {
                self.insert(key, schema, pointer, found);
            }
        }
        for (at, text, key) in &self.references {
            if !self.schemas.contains_key(key) {
                let message = format!("`{text}` points to nothing");
                found.error(Code::DanglingReference, at, message);
            }
        }
    }

    /// The bundle key that a `$ref` of the document names.
    fn key_of(&mut self, reference: &Value, at: &Pointer, found: &mut Diagnostics) -> Option<Key> {
        let text = reference.as_str().unwrap_or_default();
        let Some(pointer) = Pointer::of_reference(text) else {
            let message = format!("`{text}` is in another file");
            let help = "bundle the document into one file first";
            found.error_with_help(Code::ExternalReference, at, message, help);
            return None;
        };
        let component = pointer.as_str().strip_prefix(COMPONENTS);
        let key = if component.is_some_and(|name| !name.contains('/')) {
            pointer.tokens().last()?
        } else {
            self.wanted.insert(pointer.as_str().to_owned());
            pointer.as_str().to_owned()
        };
        self.references
            .push((at.clone(), text.to_owned(), key.clone()));
        Some(key)
    }

    /// A copy whose references are bundle keys and whose keywords are those of 2020-12.
    fn rewrite(&mut self, schema: &Value, at: &Pointer, found: &mut Diagnostics) -> Value {
        let Value::Object(members) = schema else {
            return schema.clone();
        };
        let mut out = Map::new();
        for (keyword, value) in members {
            let here = at.child(keyword);
            let value = match keyword.as_str() {
                "$ref" => match self.key_of(value, &here, found) {
                    Some(key) => Value::String(format!("#/{}", escape(&key))),
                    None => continue,
                },
                "properties" | "patternProperties" | "dependentSchemas" | "$defs" => {
                    self.rewrite_members(value, &here, found)
                }
                "allOf" | "anyOf" | "oneOf" | "prefixItems" => {
                    self.rewrite_items(value, &here, found)
                }
                "items"
                | "additionalProperties"
                | "not"
                | "if"
                | "then"
                | "else"
                | "contains"
                | "propertyNames"
                | "unevaluatedItems"
                | "unevaluatedProperties" => self.rewrite(value, &here, found),
                "discriminator" => self.rewrite_discriminator(value, &here, found),
                _ => value.clone(),
            };
            out.insert(keyword.clone(), value);
        }
        if self.is_30 {
            upgrade(&mut out);
        }
        Value::Object(out)
    }

    fn rewrite_members(&mut self, value: &Value, at: &Pointer, found: &mut Diagnostics) -> Value {
        let Value::Object(members) = value else {
            return value.clone();
        };
        let each = members.iter();
        each.map(|(name, schema)| (name.clone(), self.rewrite(schema, &at.child(name), found)))
            .collect::<Map<_, _>>()
            .into()
    }

    fn rewrite_items(&mut self, value: &Value, at: &Pointer, found: &mut Diagnostics) -> Value {
        let Value::Array(items) = value else {
            return value.clone();
        };
        let each = items.iter().enumerate();
        each.map(|(i, schema)| self.rewrite(schema, &at.child(i.to_string()), found))
            .collect()
    }

    /// A mapping may name a schema by its bare component name (OpenAPI 3.1.1 §4.8.25).
    fn rewrite_discriminator(
        &mut self,
        value: &Value,
        at: &Pointer,
        found: &mut Diagnostics,
    ) -> Value {
        let mut value = value.clone();
        let mapping = value.get_mut("mapping").and_then(Value::as_object_mut);
        for (tag, target) in mapping.into_iter().flatten() {
            let text = target.as_str().unwrap_or_default().to_owned();
            if (text.starts_with('#') || text.contains('/'))
                && let Some(key) = self.key_of(target, &at.child("mapping").child(tag), found)
            {
                *target = Value::String(key);
            }
        }
        value
    }
}

/// Writes a key as one token of a JSON pointer.
pub(crate) fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// Reads back the key of a bundle reference.
pub(crate) fn key_of_reference(reference: &str) -> Option<Key> {
    Some(
        reference
            .strip_prefix("#/")?
            .replace("~1", "/")
            .replace("~0", "~"),
    )
}

/// Says in 2020-12 what a schema object of OpenAPI 3.0 says (the 3.0.4 → 3.1.0 migration notes).
fn upgrade(schema: &mut Map<String, Value>) {
    if let Some(reference) = schema.get("$ref").cloned() {
        // In 3.0, a reference's siblings mean nothing (OpenAPI 3.0.4 §4.7.24.1).
        schema.clear();
        schema.insert("$ref".into(), reference);
        return;
    }
    if let Some(example) = schema.remove("example") {
        schema.insert("examples".into(), Value::Array(vec![example]));
    }
    for (bound, exclusive) in [
        ("minimum", "exclusiveMinimum"),
        ("maximum", "exclusiveMaximum"),
    ] {
        match schema.get(exclusive) {
            Some(Value::Bool(true)) => {
                schema.remove(exclusive);
                if let Some(limit) = schema.remove(bound) {
                    schema.insert(exclusive.into(), limit);
                }
            }
            Some(Value::Bool(false)) => drop(schema.remove(exclusive)),
            _ => {}
        }
    }
    if schema.remove("nullable") == Some(Value::Bool(true)) {
        if let Some(name @ Value::String(_)) = schema.get("type").cloned() {
            schema.insert("type".into(), Value::Array(vec![name, "null".into()]));
        }
        if let Some(Value::Array(values)) = schema.get_mut("enum")
            && !values.contains(&Value::Null)
        {
            values.push(Value::Null);
        }
    }
}
