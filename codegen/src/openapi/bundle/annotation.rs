//! Annotations of a schema, its own or inherited from schemas that hold for the same value.

use super::Bundle;
use crate::source::Pointer;
use json_schema::reference::key_in;
use serde_json::Value;
use std::collections::BTreeSet;

impl Bundle {
    /// The value of an annotation and its place: the schema's own, or else that of the first schema
    /// behind its `$ref` or in its `allOf`, whose annotations count for the schema as well (JSON
    /// Schema 2020-12, Core §7.7.1).
    pub(crate) fn annotation(&self, key: &str, keyword: &str) -> Option<(&Value, Pointer)> {
        let mut seen = BTreeSet::from([key.to_owned()]);
        let mut open = vec![(self.get(key)?, self.place(key))];
        while let Some((schema, at)) = open.pop() {
            if let Some(value) = schema.get(keyword) {
                return Some((value, at.child(keyword)));
            }
            let all = schema.get("allOf").and_then(Value::as_array);
            let all = all.map(Vec::as_slice).unwrap_or_default();
            let all = all.iter().enumerate().rev();
            let place = at.child("allOf");
            open.extend(all.map(|(index, one)| (one, place.child(index.to_string()))));
            if let Some(key) = key_in(schema).filter(|key| seen.insert(key.clone())) {
                open.extend(self.get(&key).map(|schema| (schema, self.place(&key))));
            }
        }
        None
    }
}
