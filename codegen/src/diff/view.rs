//! The schemas of one contract as one direction sees them.
//!
//! A `readOnly` member is none of a request's business and a `writeOnly` one none of a response's
//! (OpenAPI 3.1.1 §4.8.24.4): there it may be anything, and be absent.

use crate::checker::Schemas;
use crate::checker::issue::{Issue, Issues, Place};
use crate::document::key_of_reference;
use serde_json::{Map, Value};
use std::collections::HashSet;

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
        View::whole(&bundle)
    }

    /// The schemas as they are, whichever way a message goes.
    pub(super) fn whole(bundle: &Map<String, Value>) -> View {
        let bundle = bundle.clone();
        let text = serde_json::to_string(&bundle).unwrap_or_default();
        let schemas = Schemas::parse(&text);
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

/// Schemas that were looked at, by their addresses: a reference may lead back to one.
type Seen = HashSet<usize>;

/// A copy of schemas in which members with an annotation are not spoken of.
struct Hiding<'b> {
    bundle: &'b Map<String, Value>,
    annotation: &'static str,
}

impl Hiding<'_> {
    fn schema(&self, schema: &Value) -> Value {
        self.part(schema, &[])
    }

    /// A schema that is part of one in which some members are hidden.
    fn part(&self, schema: &Value, hidden: &[String]) -> Value {
        let Value::Object(keywords) = schema else {
            return schema.clone();
        };
        let mut hidden = hidden.to_vec();
        self.hidden_members(schema, &mut Seen::new(), &mut hidden);
        let operand = |keyword: &str, operand: &Value| match (keyword, operand) {
            ("allOf" | "anyOf" | "oneOf", Value::Array(parts))
                if keyword == "allOf" || parts.len() == 1 =>
            {
                parts.iter().map(|part| self.part(part, &hidden)).collect()
            }
            _ => self.operand(keyword, operand),
        };
        let mut out: Map<String, Value> = keywords
            .iter()
            .map(|(keyword, value)| (keyword.clone(), operand(keyword, value)))
            .collect();
        forget(&mut out, &hidden);
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
            ("anyOf" | "oneOf" | "prefixItems", Value::Array(schemas)) => {
                schemas.iter().map(|schema| self.schema(schema)).collect()
            }
            ("enum" | "const" | "default" | "examples", _) => operand.clone(),
            (_, Value::Object(_)) => self.schema(operand),
            _ => operand.clone(),
        }
    }

    /// The hidden members of a schema, of what it refers to and of its parts: `required` may stand
    /// in another part than the member.
    fn hidden_members(&self, schema: &Value, seen: &mut Seen, hidden: &mut Vec<String>) {
        if !enter(schema, seen) {
            return;
        }
        let members = schema.get("properties").and_then(Value::as_object);
        let members = members.into_iter().flatten();
        let own = members.filter(|(_, schema)| self.is_hidden(schema, &mut Seen::new()));
        hidden.extend(own.map(|(name, _)| name.clone()));
        for part in self.parts(schema) {
            self.hidden_members(part, seen, hidden);
        }
    }

    /// What a schema refers to, and what it is made of; an only variant holds as a part does.
    fn parts<'v>(&'v self, schema: &'v Value) -> impl Iterator<Item = &'v Value> {
        let reference = schema.get("$ref").and_then(Value::as_str);
        let key = reference.and_then(key_of_reference);
        let target = key.and_then(|key| self.bundle.get(&key));
        let listed = |keyword: &str| schema.get(keyword).and_then(Value::as_array);
        let unions = ["anyOf", "oneOf"].map(listed).into_iter().flatten();
        let only = unions.filter(|variants| variants.len() == 1);
        let parts = listed("allOf").into_iter().chain(only);
        target.into_iter().chain(parts.flatten())
    }

    fn is_hidden(&self, schema: &Value, seen: &mut Seen) -> bool {
        enter(schema, seen)
            && (schema.get(self.annotation) == Some(&Value::Bool(true))
                || self.parts(schema).any(|part| self.is_hidden(part, seen)))
    }
}

/// Whether a schema is new, and there is no end of them in sight.
fn enter(schema: &Value, seen: &mut Seen) -> bool {
    const MOST: usize = 1_000;
    seen.len() < MOST && seen.insert(std::ptr::from_ref(schema).addr())
}

fn forget(keywords: &mut Map<String, Value>, hidden: &[String]) {
    if let Some(Value::Object(members)) = keywords.get_mut("properties") {
        for name in hidden {
            if let Some(schema) = members.get_mut(name) {
                *schema = Value::Bool(true);
            }
        }
    }
    if let Some(Value::Array(names)) = keywords.get_mut("required") {
        names.retain(|name| !hidden.iter().any(|hidden| name == hidden));
    }
}
