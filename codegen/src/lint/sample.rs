//! Candidate values of a schema; they may be invalid, so that every use checks them.

use super::subject::{Members, Subject, types};
use crate::openapi::Key;
use serde_json::{Map, Value, json};
use std::collections::{HashMap, HashSet};

/// How many candidates of one schema are made.
pub(super) const TRIED: usize = 12;

/// The longest candidate of a component, written as JSON, that is put into others.
const LARGE: usize = 4096;

/// Makes candidates; those of a component are made once.
pub(super) struct Sampler<'s, 'a> {
    subject: &'s Subject<'a>,
    known: HashMap<Key, Vec<Value>>,
}

impl<'s, 'a> Sampler<'s, 'a> {
    pub(super) fn new(subject: &'s Subject<'a>) -> Sampler<'s, 'a> {
        Sampler {
            subject,
            known: HashMap::new(),
        }
    }

    /// Candidate values of a schema, the plainest first.
    pub(super) fn samples(&mut self, schema: &Value) -> Vec<Value> {
        let members = match schema {
            Value::Bool(true) => return vec![Value::Null],
            Value::Object(members) => members,
            _ => return Vec::new(),
        };
        let mut found = shown(members);
        if let Some((_, key)) = self.subject.referred(members) {
            found.extend(self.component(key));
        }
        let parts = |name: &str| {
            let parts = members.get(name).and_then(Value::as_array);
            parts.into_iter().flatten()
        };
        for variant in parts("oneOf").chain(parts("anyOf")) {
            found.extend(self.samples(variant));
        }
        if !members.contains_key("enum") && !members.contains_key("const") {
            found.extend(self.typed(members));
        }
        let mut together = None;
        for part in parts("allOf").filter_map(|part| self.samples(part).into_iter().next()) {
            together = Some(together.map_or_else(|| part.clone(), |all| join(&all, &part)));
        }
        if let Some(together) = together {
            let joined: Vec<Value> = found.iter().map(|value| join(value, &together)).collect();
            found.splice(0..0, joined);
            found.push(together);
        }
        // Variants that share their own variants give the same values many times.
        let mut distinct = HashSet::new();
        found.retain(|value| distinct.insert(value.clone()));
        found.truncate(TRIED);
        found
    }

    /// The candidates of a component; none while they are being made.
    fn component(&mut self, key: Key) -> Vec<Value> {
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        self.known.insert(key.clone(), Vec::new());
        let schema = self.subject.document.bundle.get(&key);
        let mut found = schema.map_or_else(Vec::new, |schema| self.samples(schema));
        found.retain(|value| value.to_string().len() <= LARGE);
        self.known.insert(key, found.clone());
        found
    }

    fn typed(&mut self, members: &Members) -> Vec<Value> {
        let mut types = types(members);
        let has = |name: &str| members.contains_key(name);
        if types.is_empty() && (has("properties") || has("required")) {
            types.push("object");
        } else if types.is_empty() && has("items") {
            types.push("array");
        }
        let mut found = Vec::new();
        for name in types {
            match name {
                "null" => found.push(Value::Null),
                "boolean" => found.extend([true.into(), false.into()]),
                "integer" | "number" => found.extend(numbers(members)),
                "string" => found.extend(strings(members)),
                "array" => found.push(self.array(members)),
                _ => found.push(self.object(members)),
            }
        }
        found
    }

    fn array(&mut self, members: &Members) -> Value {
        let least = members.get("minItems").and_then(Value::as_u64);
        let wanted = usize::try_from(least.unwrap_or_default().min(100)).unwrap_or_default();
        if wanted == 0 {
            return Value::Array(Vec::new());
        }
        let items = self.samples(members.get("items").unwrap_or(&Value::Bool(true)));
        items.iter().cycle().take(wanted).cloned().collect()
    }

    fn object(&mut self, members: &Members) -> Value {
        let required = members.get("required").and_then(Value::as_array);
        let names = required.into_iter().flatten().filter_map(Value::as_str);
        let mut found = Map::new();
        for name in names {
            let property = members.get("properties").and_then(|all| all.get(name));
            let values = self.samples(property.unwrap_or(&Value::Bool(true)));
            let value = values.into_iter().next().unwrap_or_default();
            found.insert(name.to_owned(), value);
        }
        found.into()
    }
}

/// An object with the members of two, of which the first wins; the first, if one is no object.
pub(super) fn join(one: &Value, other: &Value) -> Value {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            let mut both = other.clone();
            both.extend(one.clone());
            both.into()
        }
        _ => one.clone(),
    }
}

/// The values in the schema itself: its constant, list, examples and default.
fn shown(members: &Members) -> Vec<Value> {
    let list = |name: &str| {
        members
            .get(name)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
    };
    let single = |name: &str| members.get(name).into_iter();
    let all = single("const").chain(list("enum")).chain(list("examples"));
    all.chain(single("default")).take(TRIED).cloned().collect()
}

fn numbers(members: &Members) -> Vec<Value> {
    let bounds = ["minimum", "maximum"]
        .into_iter()
        .filter_map(|name| members.get(name));
    let beyond = members.get("exclusiveMinimum").and_then(Value::as_i64);
    let mut found: Vec<Value> = bounds.cloned().collect();
    found.extend(
        beyond
            .and_then(|bound| bound.checked_add(1))
            .map(Value::from),
    );
    found.extend([json!(0), json!(1)]);
    found
}

fn strings(members: &Members) -> Vec<Value> {
    let format = members.get("format").and_then(Value::as_str);
    let formatted = match format.unwrap_or_default() {
        "uuid" => "3dc260b2-4720-42d9-857b-d930b02f2383",
        "date-time" => "2026-01-02T03:04:05.000Z",
        "date" => "2026-01-02",
        "time" => "03:04:05Z",
        "uri" => "https://example.com/",
        "email" => "reader@example.com",
        "ipv4" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        _ => "a",
    };
    let least = members.get("minLength").and_then(Value::as_u64);
    let least = usize::try_from(least.unwrap_or_default()).unwrap_or_default();
    let long = "a".repeat(least.min(1000));
    [formatted, &long, "0", "A"].map(Value::from).into()
}
