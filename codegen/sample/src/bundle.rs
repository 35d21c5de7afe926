//! The schemas of one contract, as values and compiled for validation.

use json_schema::coerce::{self, Objects, raw::Raw};
use json_schema::reference::{key_in, key_of_reference};
use json_schema::types::Types;
use json_schema::{Issue, Issues, Place, Schemas};
use serde_json::{Map, Value};

/// Named schemas that refer to each other as `#/Name`.
#[derive(Debug)]
pub struct Bundle {
    schemas: Map<String, Value>,
    compiled: Schemas,
}

impl Bundle {
    /// Compiles schemas.
    #[must_use]
    pub fn new(schemas: Map<String, Value>) -> Bundle {
        let text = Value::Object(schemas);
        let compiled = Schemas::parse(&text.to_string());
        let schemas = match text {
            Value::Object(schemas) => schemas,
            _ => Map::new(),
        };
        Bundle { schemas, compiled }
    }

    /// The schema with a name.
    #[must_use]
    pub fn schema(&self, key: &str) -> Option<&Value> {
        self.schemas.get(key)
    }

    /// The schema that a `$ref` names.
    #[must_use]
    pub fn target(&self, reference: &str) -> Option<&Value> {
        self.schemas.get(&key_of_reference(reference)?)
    }

    /// Whether a schema takes values of any of these types.
    #[must_use]
    pub fn takes_any(&self, key: &str, types: &[Types]) -> bool {
        let schema = self.compiled.json_type(key);
        let taken = schema.types();
        types.iter().any(|of| taken.contains(*of))
    }

    /// The value that a text, or a form of texts, stands for under a schema.
    #[must_use]
    pub fn coerce(&self, key: &str, raw: &Raw<'_>, objects: Objects) -> Value {
        coerce::value(raw, &self.compiled.json_type(key), objects)
    }

    /// Whether a schema accepts a value.
    #[must_use]
    pub fn accepts(&self, key: &str, value: &Value) -> bool {
        self.compiled.is_valid(key, value)
    }

    /// Everything that a schema refuses in a value.
    #[must_use]
    pub fn issues(&self, key: &str, value: &Value) -> Vec<Issue> {
        let mut issues = Issues::new();
        self.compiled
            .validate(key, value, Place::Body, "", &mut issues);
        issues.into_vec()
    }
}

/// The component that a schema refers to, as people call it.
pub(crate) fn component(schema: &Value) -> Option<String> {
    key_in(schema)?.rsplit('/').next().map(str::to_owned)
}
