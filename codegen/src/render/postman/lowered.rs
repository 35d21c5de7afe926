//! Schemas in the words of draft-07, which is what Postman's sandbox understands.
//!
//! Keywords that draft-07 does not know would be ignored there, and a test would pass that asserts
//! nothing; so each is said in another way, or named among those that are not asserted.

use super::Context;
use crate::document::key_of_reference;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The formats that the sandbox's validator asserts as JSON Schema 2020-12 §7.3 means them.
const FORMATS: [&str; 8] = [
    "date",
    "date-time",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uuid",
];

/// Keywords that say nothing about what is valid.
const SILENT: [&str; 13] = [
    "$schema",
    "$comment",
    "$defs",
    "title",
    "description",
    "examples",
    "example",
    "default",
    "deprecated",
    "readOnly",
    "writeOnly",
    "discriminator",
    "externalDocs",
];

/// Keywords that have no counterpart.
const UNSAID: [&str; 6] = [
    "unevaluatedProperties",
    "unevaluatedItems",
    "minContains",
    "maxContains",
    "$dynamicRef",
    "$dynamicAnchor",
];

/// Schemas in draft-07 by their keys, with what could not be said of each.
#[derive(Default)]
pub(super) struct Lowered {
    /// As `definitions` of a schema.
    pub(super) definitions: Map<String, Value>,
    unsaid: BTreeMap<String, BTreeSet<String>>,
}

impl Lowered {
    /// Adds the schema of a key with all that it refers to, and says how to refer to it.
    pub(super) fn add(&mut self, context: &Context<'_>, key: &str) {
        if self.definitions.contains_key(key) {
            return;
        }
        let Some(schema) = context.api.schemas.get(key) else {
            return;
        };
        // Marks the key before its references are followed, so that a circle of them ends.
        self.definitions.insert(key.to_owned(), Value::Bool(true));
        let mut lowering = Lowering::default();
        let lowered = lowering.schema(schema);
        for reference in lowering.references {
            self.add(context, &reference);
        }
        self.unsaid.insert(key.to_owned(), lowering.unsaid);
        self.definitions.insert(key.to_owned(), lowered);
    }

    /// The keywords that are not asserted of values of that schema, or of what they hold.
    pub(super) fn unsaid(&self, key: &str) -> BTreeSet<String> {
        let mut seen = BTreeSet::new();
        let mut found = BTreeSet::new();
        self.gather(key, &mut seen, &mut found);
        found
    }

    fn gather(&self, key: &str, seen: &mut BTreeSet<String>, found: &mut BTreeSet<String>) {
        if !seen.insert(key.to_owned()) {
            return;
        }
        found.extend(self.unsaid.get(key).into_iter().flatten().cloned());
        let mut references = BTreeSet::new();
        if let Some(schema) = self.definitions.get(key) {
            refer(schema, &mut references);
        }
        for reference in references {
            self.gather(&reference, seen, found);
        }
    }
}

/// The reference to a definition.
pub(super) fn reference(key: &str) -> String {
    format!(
        "#/definitions/{}",
        key.replace('~', "~0").replace('/', "~1")
    )
}

/// The definitions that a lowered schema refers to.
fn refer(schema: &Value, found: &mut BTreeSet<String>) {
    match schema {
        Value::Object(members) => {
            let named = members.get("$ref").and_then(Value::as_str);
            let named = named.and_then(|text| text.strip_prefix("#/definitions/"));
            found.extend(named.map(|key| key.replace("~1", "/").replace("~0", "~")));
            members.values().for_each(|member| refer(member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| refer(item, found)),
        _ => {}
    }
}

/// The lowering of one schema.
#[derive(Default)]
struct Lowering {
    references: Vec<String>,
    unsaid: BTreeSet<String>,
}

impl Lowering {
    fn schema(&mut self, schema: &Value) -> Value {
        let Value::Object(members) = schema else {
            return schema.clone();
        };
        let mut lowered = Map::new();
        for (keyword, value) in members {
            self.keyword(members, keyword, value, &mut lowered);
        }
        // Draft-07 ignores whatever stands beside a reference.
        match lowered.shift_remove("$ref") {
            Some(reference) if !lowered.is_empty() => {
                json!({ "allOf": [{ "$ref": reference }, lowered] })
            }
            Some(reference) => json!({ "$ref": reference }),
            None => Value::Object(lowered),
        }
    }

    fn keyword(
        &mut self,
        members: &Map<String, Value>,
        keyword: &str,
        value: &Value,
        lowered: &mut Map<String, Value>,
    ) {
        let has_prefix = members.contains_key("prefixItems");
        let (name, value) = match keyword {
            _ if SILENT.contains(&keyword) || keyword.starts_with("x-") => return,
            _ if UNSAID.contains(&keyword) => {
                self.unsaid.insert(keyword.to_owned());
                return;
            }
            "$ref" => match value.as_str().and_then(key_of_reference) {
                Some(key) => {
                    let text = reference(&key);
                    self.references.push(key);
                    (keyword, text.into())
                }
                None => return,
            },
            "format" if !FORMATS.iter().any(|known| value == known) => return,
            "pattern" if is_unicode(value) => {
                self.unsaid.insert(format!("pattern {value}"));
                return;
            }
            "items" if has_prefix => ("additionalItems", self.schema(value)),
            "prefixItems" => ("items", self.list(value)),
            "contains" if members.get("minContains") == Some(&json!(0)) => return,
            "allOf" | "anyOf" | "oneOf" => (keyword, self.list(value)),
            "properties" | "patternProperties" => (keyword, self.map(value)),
            "dependentRequired" | "dependentSchemas" => {
                let dependencies = lowered.entry("dependencies").or_insert_with(|| json!({}));
                let value = self.map(value);
                if let (Some(into), Value::Object(more)) = (dependencies.as_object_mut(), value) {
                    into.extend(more);
                }
                return;
            }
            "items"
            | "additionalProperties"
            | "propertyNames"
            | "contains"
            | "not"
            | "if"
            | "then"
            | "else" => (keyword, self.schema(value)),
            _ => (keyword, value.clone()),
        };
        lowered.insert(name.to_owned(), value);
    }

    fn list(&mut self, schemas: &Value) -> Value {
        let each = schemas.as_array().into_iter().flatten();
        each.map(|schema| self.schema(schema)).collect()
    }

    /// Schemas by name, or lists of names as they are.
    fn map(&mut self, schemas: &Value) -> Value {
        let each = schemas.as_object().into_iter().flatten();
        let lowered = each.map(|(name, schema)| (name.clone(), self.schema(schema)));
        Value::Object(lowered.collect())
    }
}

/// Whether a pattern needs the flag for Unicode, which the sandbox's validator does not set.
fn is_unicode(pattern: &Value) -> bool {
    let text = pattern.as_str().unwrap_or_default();
    text.contains("\\p{") || text.contains("\\P{") || text.contains("\\u{")
}
