//! Annotations, which schemas that hold of the same value give each other.

use super::{Bundle, key_of_reference};
use crate::source::Pointer;
use serde_json::Value;
use std::collections::BTreeSet;

impl Bundle {
    /// What a schema gives a keyword that only annotates, and where that stands: its own, or else that of
    /// the first schema behind its `$ref` or in its `allOf`, of which the annotations are its own as well
    /// (JSON Schema 2020-12, Core §7.7.1).
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
            let reference = schema.get("$ref").and_then(Value::as_str);
            let referred = reference.and_then(key_of_reference);
            if let Some(key) = referred.filter(|key| seen.insert(key.clone())) {
                open.extend(self.get(&key).map(|schema| (schema, self.place(&key))));
            }
        }
        None
    }
}
