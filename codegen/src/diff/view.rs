//! The schemas of one contract. Requests and responses name those of their direction: what only
//! one of them has is none of the other's business.

use crate::openapi::key_of_reference;
use json_schema::Schemas;
use json_schema::issue::{Issue, Issues, Place};
use json_schema::types::Types;
use serde_json::{Map, Value};

/// Which way a message goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Direction {
    /// From the client to the server.
    Request,
    /// From the server to the client.
    Response,
}

impl Direction {
    pub(super) fn word(self) -> &'static str {
        match self {
            Direction::Request => "request",
            Direction::Response => "response",
        }
    }
}

/// All schemas, as values and compiled.
#[derive(Debug)]
pub(super) struct View {
    bundle: Map<String, Value>,
    schemas: Schemas,
}

impl View {
    pub(super) fn new(bundle: Map<String, Value>) -> View {
        let text = Value::Object(bundle);
        let schemas = Schemas::parse(&text.to_string());
        let bundle = match text {
            Value::Object(bundle) => bundle,
            _ => Map::new(),
        };
        View { bundle, schemas }
    }

    /// Adds schemas, which may refer to those that are there.
    pub(super) fn add(&mut self, schemas: Map<String, Value>) {
        let mut bundle = std::mem::take(&mut self.bundle);
        bundle.extend(schemas);
        *self = View::new(bundle);
    }

    /// The schema of that key.
    pub(super) fn schema(&self, key: &str) -> Option<&Value> {
        self.bundle.get(key)
    }

    /// The schema that a `$ref` names.
    pub(super) fn target(&self, reference: &str) -> Option<&Value> {
        self.bundle.get(&key_of_reference(reference)?)
    }

    pub(super) fn compiled(&self) -> &Schemas {
        &self.schemas
    }

    /// Whether a schema takes lists or objects.
    pub(super) fn takes_parts(&self, key: &str) -> bool {
        self.takes_any(key, &[Types::ARRAY, Types::OBJECT])
    }

    /// Whether a schema takes values of any of these types.
    pub(super) fn takes_any(&self, key: &str, types: &[Types]) -> bool {
        let schema = self.schemas.json_type(key);
        let taken = schema.types();
        types.iter().any(|of| taken.contains(*of))
    }

    pub(super) fn accepts(&self, key: &str, value: &Value) -> bool {
        self.schemas.is_valid(key, value)
    }

    /// Everything that is wrong with a value.
    pub(super) fn issues(&self, key: &str, value: &Value) -> Vec<Issue> {
        let mut issues = Issues::new();
        self.schemas
            .validate(key, value, Place::Body, "", &mut issues);
        issues.into_vec()
    }
}
