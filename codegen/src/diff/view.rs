//! The schemas of one contract as one direction sees them.
//!
//! A `readOnly` member is none of a request's business and a `writeOnly` one none of a response's
//! (OpenAPI 3.1.1 §4.8.24.4): there it may be anything, and be absent.

use crate::checker::Schemas;
use crate::checker::issue::{Issue, Issues, Place};
use crate::document::key_of_reference;
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

    /// The annotation of members that do not travel this way.
    fn hidden(self) -> &'static str {
        match self {
            Direction::Request => "readOnly",
            Direction::Response => "writeOnly",
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
    pub(super) fn new(bundle: &Map<String, Value>, direction: Direction) -> View {
        let hiding = Hiding {
            bundle,
            annotation: direction.hidden(),
        };
        let seen = bundle.iter();
        let bundle: Map<_, _> = seen
            .map(|(key, schema)| (key.clone(), hiding.schema(schema)))
            .collect();
        let text = Value::Object(bundle);
        let schemas = Schemas::parse(&text.to_string());
        let Value::Object(bundle) = text else {
            return View {
                bundle: Map::new(),
                schemas,
            };
        };
        View { bundle, schemas }
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

/// A copy of schemas in which members with an annotation are not spoken of.
struct Hiding<'b> {
    bundle: &'b Map<String, Value>,
    annotation: &'static str,
}

impl Hiding<'_> {
    fn schema(&self, schema: &Value) -> Value {
        let Value::Object(keywords) = schema else {
            return schema.clone();
        };
        let mut out: Map<String, Value> = keywords
            .iter()
            .map(|(keyword, operand)| (keyword.clone(), self.operand(keyword, operand)))
            .collect();
        let hidden = self.hidden_members(keywords);
        if !hidden.is_empty() {
            forget(&mut out, &hidden);
        }
        Value::Object(out)
    }

    fn operand(&self, keyword: &str, operand: &Value) -> Value {
        match (keyword, operand) {
            (
                "properties" | "patternProperties" | "dependentSchemas" | "$defs",
                Value::Object(members),
            ) => members
                .iter()
                .map(|(name, schema)| (name.clone(), self.schema(schema)))
                .collect::<Map<_, _>>()
                .into(),
            ("allOf" | "anyOf" | "oneOf" | "prefixItems", Value::Array(schemas)) => {
                schemas.iter().map(|schema| self.schema(schema)).collect()
            }
            ("enum" | "const" | "default" | "examples", _) => operand.clone(),
            (_, Value::Object(_)) => self.schema(operand),
            _ => operand.clone(),
        }
    }

    fn hidden_members(&self, keywords: &Map<String, Value>) -> Vec<String> {
        let members = keywords.get("properties").and_then(Value::as_object);
        let members = members.into_iter().flatten();
        members
            .filter(|(_, schema)| self.is_hidden(schema))
            .map(|(name, _)| name.clone())
            .collect()
    }

    fn is_hidden(&self, schema: &Value) -> bool {
        let mut schema = schema;
        // A chain of references is at most as long as there are schemas.
        for _ in 0..=self.bundle.len() {
            if schema.get(self.annotation) == Some(&Value::Bool(true)) {
                return true;
            }
            let reference = schema.get("$ref").and_then(Value::as_str);
            let target = reference
                .and_then(key_of_reference)
                .and_then(|key| self.bundle.get(&key));
            match target {
                Some(target) => schema = target,
                None => return false,
            }
        }
        false
    }
}

fn forget(keywords: &mut Map<String, Value>, hidden: &[String]) {
    if let Some(Value::Object(members)) = keywords.get_mut("properties") {
        for name in hidden {
            members.insert(name.clone(), Value::Bool(true));
        }
    }
    if let Some(Value::Array(names)) = keywords.get_mut("required") {
        names.retain(|name| !hidden.iter().any(|hidden| name == hidden));
    }
}
