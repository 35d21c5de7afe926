//! The parts of a schema have some type in common.

use super::Findings;
use super::subject::{Members, Subject, types};
use crate::schema::JsonType;
use serde_json::Value;
use std::collections::BTreeMap;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let mut looking = Looking {
        subject,
        seen: BTreeMap::new(),
    };
    for spot in &subject.spots {
        if let Some(Value::Array(names)) = spot.members.get("type")
            && names.is_empty()
        {
            let message = "no type is listed here, so that no value is valid";
            findings.report(&spot.at.child("type"), message);
        }
        let parts = looking.parts(spot.members);
        // Problems inside a part are reported there.
        if parts.iter().all(|part| !part.is_empty()) && common(&parts).is_empty() {
            findings.report(&spot.at, "no value has a type that all parts of this take");
        }
    }
}

/// Visits schemas, and each target of a reference once.
struct Looking<'s, 'a> {
    subject: &'s Subject<'a>,
    seen: BTreeMap<String, Vec<JsonType>>,
}

impl Looking<'_, '_> {
    /// The types that each keyword about the whole value accepts.
    fn parts(&mut self, members: &Members) -> Vec<Vec<JsonType>> {
        let named: Vec<JsonType> = types(members)
            .into_iter()
            .filter_map(JsonType::named)
            .collect();
        let listed = members.get("enum").and_then(Value::as_array);
        let listed = listed.map(|values| values.iter().map(JsonType::of).collect());
        let constant = members.get("const").map(|value| vec![JsonType::of(value)]);
        let mut parts: Vec<_> = [listed, constant].into_iter().flatten().collect();
        if members.contains_key("type") {
            parts.push(named);
        }
        parts.extend(self.referred(members));
        let all = members.get("allOf").and_then(Value::as_array);
        for part in all.into_iter().flatten().filter_map(Value::as_object) {
            let part = self.parts(part);
            parts.push(common(&part));
        }
        let unions = ["anyOf", "oneOf"].map(|list| members.get(list).and_then(Value::as_array));
        for variants in unions.into_iter().flatten() {
            parts.push(variants.iter().flat_map(|v| self.variant(v)).collect());
        }
        parts
    }

    /// The types that one variant of a union accepts.
    fn variant(&mut self, schema: &Value) -> Vec<JsonType> {
        match schema {
            Value::Bool(false) => Vec::new(),
            Value::Object(members) => common(&self.parts(members)),
            _ => JsonType::ALL.to_vec(),
        }
    }

    fn referred(&mut self, members: &Members) -> Option<Vec<JsonType>> {
        let (schema, key) = self.subject.referred(members)?;
        if let Some(known) = self.seen.get(&key) {
            return Some(known.clone());
        }
        // The types of a schema inside itself are not known.
        self.seen.insert(key.clone(), JsonType::ALL.to_vec());
        let parts = self.parts(schema);
        let types = common(&parts);
        self.seen.insert(key, types.clone());
        Some(types)
    }
}

/// The types that all parts accept.
fn common(parts: &[Vec<JsonType>]) -> Vec<JsonType> {
    let mut left = JsonType::ALL.to_vec();
    for part in parts {
        left.retain(|ty| part.iter().any(|own| own.meets(*ty)));
    }
    left
}
