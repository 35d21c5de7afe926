//! Values by what they are, in whatever way they are written.

use json_schema::number::decimal::Decimal;
use serde_json::{Number, Value};
use std::collections::HashSet;

/// Different values: `1` and `1.0` are the same (JSON Schema 2020-12 Core, §4.2.2).
#[derive(Default)]
pub(crate) struct Values(HashSet<Value>);

impl Values {
    pub(crate) fn of(values: &[Value]) -> Values {
        Values(values.iter().map(written).collect())
    }

    pub(crate) fn contains(&self, value: &Value) -> bool {
        self.0.contains(&written(value))
    }

    /// Whether it was none of them.
    pub(crate) fn insert(&mut self, value: &Value) -> bool {
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
        let known = Values::of(&[read("[10, {\"a\": -0.0, \"b\": 1.50}]")]);
        assert!(known.contains(&read("[1e1, {\"b\": 15e-1, \"a\": 0}]")));
        assert!(!known.contains(&read("[10, {\"a\": \"0\", \"b\": 1.5}]")));
        let mut known = Values::default();
        assert!(known.insert(&json!(1)) && !known.insert(&json!(1.0)) && known.insert(&json!("1")));
    }
}
