//! Schemas that cannot be found: any value is valid for them, wherever they are referred to.

use super::{Bundle, Key, MAX_REFERENCES, lone_reference};
use json_schema::reference::{key_in, key_of_reference};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The key of a target whose place is unknown.
pub(super) const UNKNOWN: &str = "/";

impl Bundle {
    /// Adds schemas that take any value under these keys.
    pub(super) fn accept_anything(&mut self, unknown: BTreeSet<Key>) {
        if unknown.is_empty() {
            return;
        }
        let named = self.schemas.iter();
        let named = named.filter(|(_, schema)| self.leads_to(schema, &unknown));
        let named = named.map(|(key, _)| key.clone()).chain(unknown.clone());
        let taken = named.collect();
        self.schemas
            .values_mut()
            .for_each(|schema| loosen(schema, &taken));
        let any = unknown.into_iter().map(|key| (key, Value::Bool(true)));
        self.schemas.extend(any);
    }
}

impl Bundle {
    /// Whether a schema is only a reference to one of these, directly or through others.
    fn leads_to(&self, schema: &Value, unknown: &BTreeSet<Key>) -> bool {
        let mut reference = lone_reference(schema);
        for _ in 0..MAX_REFERENCES {
            let Some(key) = reference.and_then(key_of_reference) else {
                return false;
            };
            if unknown.contains(&key) {
                return true;
            }
            reference = self.schemas.get(&key).and_then(lone_reference);
        }
        false
    }
}

/// Turns `oneOf` with such a variant into `anyOf`: as any value fits the unknown variant, nobody
/// knows whether a value fits exactly one.
fn loosen(schema: &mut Value, unknown: &BTreeSet<Key>) {
    match schema {
        Value::Object(members) => {
            members
                .values_mut()
                .for_each(|member| loosen(member, unknown));
            let variants = members.get("oneOf").and_then(Value::as_array);
            let mut variants = variants.into_iter().flatten();
            if variants.any(|variant| is_unknown(variant, unknown)) {
                take_any_of(members);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| loosen(item, unknown)),
        _ => {}
    }
}

fn is_unknown(schema: &Value, unknown: &BTreeSet<Key>) -> bool {
    key_in(schema).is_some_and(|key| unknown.contains(&key))
}

fn take_any_of(members: &mut Map<String, Value>) {
    if !members.contains_key("anyOf")
        && let Some(variants) = members.remove("oneOf")
    {
        members.insert("anyOf".into(), variants);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn one_of_with_an_unknown_variant_becomes_any_of() {
        let known = json!({ "oneOf": [{ "$ref": "#/Book" }, { "type": "null" }] });
        let mut bundle = Bundle::default();
        let film = json!({ "items": { "oneOf": [{ "$ref": "#/Film" }, { "type": "null" }] } });
        bundle.schemas.insert("Known".into(), known.clone());
        bundle.schemas.insert("Films".into(), film);
        let named = json!({ "oneOf": [{ "$ref": "#/Cinema" }, { "type": "null" }] });
        bundle
            .schemas
            .insert("Cinema".into(), json!({ "$ref": "#/Film" }));
        bundle.schemas.insert("Named".into(), named);
        bundle.accept_anything(BTreeSet::from(["Film".to_owned()]));
        let named = json!({ "anyOf": [{ "$ref": "#/Cinema" }, { "type": "null" }] });
        assert_eq!(bundle.get("Named"), Some(&named));
        assert_eq!(bundle.get("Known"), Some(&known));
        let loose = json!({ "items": { "anyOf": [{ "$ref": "#/Film" }, { "type": "null" }] } });
        assert_eq!(bundle.get("Films"), Some(&loose));
        assert_eq!(bundle.get("Film"), Some(&json!(true)));
    }
}
