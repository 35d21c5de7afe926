//! Schemas rewritten in draft-07, the version that Postman's sandbox validates.
//!
//! The sandbox ignores later keywords. Each is rewritten or listed as unchecked.

use super::super::Context;
use crate::schema::is_annotation;
use crate::schema::order::{self, ORDER, UNIQUE};
use json_schema::reference::key_of_reference;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The formats that the sandbox's validator asserts as JSON Schema 2020-12 §7.3 defines them.
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

/// Keywords without a counterpart in draft-07.
const UNCHECKED: [&str; 6] = [
    "unevaluatedProperties",
    "unevaluatedItems",
    "minContains",
    "maxContains",
    "$dynamicRef",
    "$dynamicAnchor",
];

/// Schemas in draft-07 by their keys, and the keywords that draft-07 cannot express.
#[derive(Default)]
pub(super) struct Lowered {
    /// As `definitions` of a schema.
    pub(super) definitions: Map<String, Value>,
    /// The unchecked keywords of a schema and of the schemas that it refers to.
    unchecked: BTreeMap<String, BTreeSet<String>>,
    /// The schemas that refer to a schema.
    referring: BTreeMap<String, Vec<String>>,
}

impl Lowered {
    /// Adds the schema of a key with all that it refers to.
    pub(super) fn add(&mut self, context: &Context<'_>, key: &str) {
        if self.definitions.contains_key(key) {
            return;
        }
        let Some(schema) = context.api.schemas.get(key) else {
            return;
        };
        // Marks the key before its references are followed, which ends cycles.
        self.definitions.insert(key.to_owned(), Value::Bool(true));
        let mut lowering = Lowering::default();
        let lowered = lowering.schema(schema);
        for reference in lowering.references {
            self.add(context, &reference);
            let referring = self.referring.entry(reference).or_default();
            referring.push(key.to_owned());
        }
        if !lowering.unchecked.is_empty() {
            self.unchecked.insert(key.to_owned(), lowering.unchecked);
        }
        self.definitions.insert(key.to_owned(), lowered);
    }

    /// Adds the unchecked keywords of a schema to the schemas that refer to it, once all are added.
    pub(super) fn settle(&mut self) {
        let mut open: Vec<String> = self.unchecked.keys().cloned().collect();
        while let Some(key) = open.pop() {
            let unchecked = self.unchecked.get(&key).cloned().unwrap_or_default();
            for holder in self.referring.get(&key).into_iter().flatten() {
                let known = self.unchecked.entry(holder.clone()).or_default();
                let before = known.len();
                known.extend(unchecked.iter().cloned());
                if known.len() > before {
                    open.push(holder.clone());
                }
            }
        }
    }

    /// The unchecked keywords of a schema and of the schemas that it refers to.
    pub(super) fn unchecked(&self, key: &str) -> impl Iterator<Item = &str> {
        self.unchecked
            .get(key)
            .into_iter()
            .flatten()
            .map(String::as_str)
    }
}

/// The reference to a definition.
pub(super) fn reference(key: &str) -> String {
    format!(
        "#/definitions/{}",
        key.replace('~', "~0").replace('/', "~1")
    )
}

/// The lowering of one schema.
#[derive(Default)]
struct Lowering {
    references: Vec<String>,
    unchecked: BTreeSet<String>,
}

impl Lowering {
    fn schema(&mut self, schema: &Value) -> Value {
        let Value::Object(keywords) = schema else {
            return schema.clone();
        };
        let mut lowered = Map::new();
        for (keyword, value) in keywords {
            self.keyword(keywords, keyword, value, &mut lowered);
        }
        // Draft-07 ignores all keywords beside a reference.
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
        keywords: &Map<String, Value>,
        keyword: &str,
        value: &Value,
        lowered: &mut Map<String, Value>,
    ) {
        let has_prefix = keywords.contains_key("prefixItems");
        let (name, value) = match keyword {
            // The collection's own scripts read them, and validators ignore them.
            ORDER if order::order(keywords).is_ok() => (keyword, value.clone()),
            UNIQUE if order::unique(keywords).is_ok() => (keyword, value.clone()),
            "$defs" | "discriminator" => return,
            _ if is_annotation(keyword) => return,
            _ if UNCHECKED.contains(&keyword) => {
                self.unchecked.insert(keyword.to_owned());
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
            "pattern" if is_unchecked(value) => {
                self.unchecked.insert(format!("pattern {value}"));
                return;
            }
            "items" if has_prefix => ("additionalItems", self.schema(value)),
            "prefixItems" => ("items", self.list(value)),
            "contains" if keywords.get("minContains") == Some(&json!(0)) => return,
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

/// Whether a pattern needs the flag for Unicode, which the sandbox's validator does not set, or
/// flags of a group, which its engine may not know.
fn is_unchecked(pattern: &Value) -> bool {
    let text = pattern.as_str().unwrap_or_default();
    let is_flags = |flags: &str| !flags.is_empty() && flags.chars().all(|c| "ims-".contains(c));
    let mut groups = text.split("(?").skip(1);
    ["\\p{", "\\P{", "\\u{"]
        .iter()
        .any(|escape| text.contains(escape))
        || groups.any(|rest| {
            rest.split_once(':')
                .is_some_and(|(flags, _)| is_flags(flags))
        })
}
