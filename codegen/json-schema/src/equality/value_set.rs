//! Sets of JSON values, in which `1` and `1.0` are the same.

use crate::number::decimal::Decimal;
use serde_json::{Number, Value};
use std::collections::HashSet;

/// A set of values, told apart as JSON Schema does (2020-12 Core, §4.2.2).
#[derive(Debug, Default)]
pub struct ValueSet(HashSet<Value>);

impl ValueSet {
    /// The values of a list.
    #[must_use]
    pub fn of(values: &[Value]) -> ValueSet {
        ValueSet(values.iter().map(written).collect())
    }

    /// Whether a value is in the set.
    #[must_use]
    pub fn contains(&self, value: &Value) -> bool {
        self.0.contains(&written(value))
    }

    /// Adds a value; whether it was not in the set before.
    pub fn insert(&mut self, value: &Value) -> bool {
        self.0.insert(written(value))
    }
}

/// The same value, with each number written in the one way that it has.
fn written(value: &Value) -> Value {
    match value {
        Value::Number(number) => Value::Number(plain(number).unwrap_or_else(|| number.clone())),
        Value::Array(items) => items.iter().map(written).collect(),
        Value::Object(members) => {
            let members = members.iter();
            members
                .map(|(name, member)| (name.clone(), written(member)))
                .collect()
        }
        Value::Null | Value::Bool(_) | Value::String(_) => value.clone(),
    }
}

fn plain(number: &Number) -> Option<Number> {
    Decimal::of(number)?.to_string().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_value_is_known_in_whatever_way_it_is_written() {
        let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        let known = ValueSet::of(&[read("[10, {\"a\": -0.0, \"b\": 1.50}]")]);
        assert!(known.contains(&read("[1e1, {\"b\": 15e-1, \"a\": 0}]")));
        assert!(!known.contains(&read("[10, {\"a\": \"0\", \"b\": 1.5}]")));
        let mut known = ValueSet::default();
        assert!(known.insert(&json!(1)) && !known.insert(&json!(1.0)) && known.insert(&json!("1")));
    }
}
