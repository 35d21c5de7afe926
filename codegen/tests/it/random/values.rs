//! Random values for a schema: most are nearly valid.

use super::schemas::{NAMES, NUMBERS, TEXTS};
use crate::total::Random;
use serde_json::{Map, Value, json};

/// How deep values are nested.
const DEPTH: usize = 5;

/// A value.
pub(super) fn value(random: &mut Random, schema: &Value) -> Value {
    let mut maker = Maker {
        random,
        root: schema,
    };
    let mut value = maker.fitting(schema, DEPTH);
    for _ in 0..maker.random.below(3) {
        maker.change(&mut value);
    }
    value
}

struct Maker<'r> {
    random: &'r mut Random,
    root: &'r Value,
}

impl Maker<'_> {
    fn any(&mut self, depth: usize) -> Value {
        match self.random.below(if depth == 0 { 6 } else { 8 }) {
            0 => Value::Null,
            1 => (self.random.below(2) == 0).into(),
            2 | 3 => serde_json::from_str(self.random.one_of(NUMBERS)).unwrap(),
            4 | 5 => self.random.one_of(TEXTS).into(),
            6 => {
                let count = self.random.below(4);
                (0..count).map(|_| self.any(depth - 1)).collect()
            }
            _ => {
                let mut members = Map::new();
                for _ in 0..self.random.below(4) {
                    let name = self.name();
                    members.insert(name, self.any(depth - 1));
                }
                members.into()
            }
        }
    }

    fn name(&mut self) -> String {
        match self.random.below(5) {
            0 => self.random.one_of(TEXTS).into(),
            _ => self.random.one_of(NAMES).into(),
        }
    }

    /// A value that follows some of a schema's keywords.
    fn fitting(&mut self, schema: &Value, depth: usize) -> Value {
        let Some(members) = schema.as_object().filter(|_| depth > 0) else {
            return self.any(depth.min(1));
        };
        if let Some(value) = members.get("const") {
            return value.clone();
        }
        if let Some(Value::Array(values)) = members.get("enum") {
            return self.listed(values);
        }
        let mut parts = Vec::new();
        for keyword in ["allOf", "oneOf", "anyOf"] {
            if let Some(Value::Array(listed)) = members.get(keyword) {
                let chosen = self.random.below(listed.len());
                let all = keyword == "allOf";
                let listed = listed.iter().enumerate();
                parts.extend(listed.filter(|(index, _)| all || *index == chosen));
            }
        }
        let mut parts: Vec<&Value> = parts.into_iter().map(|(_, part)| part).collect();
        parts.extend(
            ["if", "then", "else"]
                .into_iter()
                .filter_map(|k| members.get(k)),
        );
        let referred = members.get("$ref").and_then(Value::as_str);
        let root = self.root;
        parts.extend(referred.and_then(|to| root.pointer(to.trim_start_matches('#'))));
        let mut made = self.of_type(members, depth);
        for part in parts {
            let other = self.fitting(part, depth - 1);
            match (&mut made, other) {
                (Value::Object(own), Value::Object(other)) => own.extend(other),
                (_, other) if self.random.below(2) == 0 => made = other,
                _ => {}
            }
        }
        made
    }

    fn of_type(&mut self, members: &Map<String, Value>, depth: usize) -> Value {
        let types: Vec<&str> = match members.get("type") {
            Some(Value::Array(types)) => types.iter().filter_map(Value::as_str).collect(),
            one => one.and_then(Value::as_str).into_iter().collect(),
        };
        let about = |keywords: &[&str]| keywords.iter().any(|k| members.contains_key(*k));
        let ty = match types.as_slice() {
            [] if about(&["properties", "required", "patternProperties"]) => "object",
            [] if about(&["items", "prefixItems", "contains"]) => "array",
            [] => "",
            types => self.random.one_of(types),
        };
        match ty {
            "null" => Value::Null,
            "boolean" => (self.random.below(2) == 0).into(),
            "integer" | "number" => serde_json::from_str(self.random.one_of(NUMBERS)).unwrap(),
            "string" => self.random.one_of(TEXTS).into(),
            "array" => self.array(members, depth - 1),
            "object" => self.object(members, depth - 1),
            _ => self.any(depth.min(2)),
        }
    }

    /// One value of a schema's list.
    fn listed(&mut self, values: &[Value]) -> Value {
        values.get(self.random.below(values.len())).unwrap().clone()
    }

    fn array(&mut self, members: &Map<String, Value>, depth: usize) -> Value {
        let always = Value::Bool(true);
        let first = members.get("prefixItems").and_then(Value::as_array);
        let rest = members.get("items").or(members.get("contains"));
        let count = self.random.below(5);
        let items = (0..count).map(|index| {
            let schema = first.and_then(|first| first.get(index)).or(rest);
            self.fitting(schema.unwrap_or(&always), depth)
        });
        items.collect()
    }

    fn object(&mut self, members: &Map<String, Value>, depth: usize) -> Value {
        let mut object = Map::new();
        let properties = members.get("properties").and_then(Value::as_object);
        let required = members.get("required").and_then(Value::as_array);
        for (name, schema) in properties.into_iter().flatten() {
            let required = required.is_some_and(|names| names.contains(&json!(name)));
            if required || self.random.below(3) > 0 {
                object.insert(name.clone(), self.fitting(schema, depth));
            }
        }
        for name in required.into_iter().flatten().filter_map(Value::as_str) {
            if !object.contains_key(name) {
                object.insert(name.into(), self.any(1));
            }
        }
        if self.random.below(4) == 0 {
            let always = Value::Bool(true);
            let other = members.get("additionalProperties").unwrap_or(&always);
            let name = self.name();
            object.insert(name, self.fitting(other, depth));
        }
        object.into()
    }

    /// Changes one part of a value.
    fn change(&mut self, value: &mut Value) {
        let stay = self.random.below(3) == 0;
        match value {
            Value::Array(items) if !stay && !items.is_empty() => {
                let index = self.random.below(items.len());
                self.change(items.get_mut(index).unwrap());
            }
            Value::Object(members) if !stay && !members.is_empty() => {
                let index = self.random.below(members.len());
                if let Some(member) = members.values_mut().nth(index) {
                    self.change(member);
                }
            }
            Value::Object(members) => {
                let name = self.name();
                if members.shift_remove(&name).is_none() {
                    members.insert(name, self.any(1));
                }
            }
            Value::Array(items) => match items.first().cloned() {
                Some(first) if self.random.below(2) == 0 => items.push(first),
                _ => items.push(self.any(1)),
            },
            _ => *value = self.any(2),
        }
    }
}
