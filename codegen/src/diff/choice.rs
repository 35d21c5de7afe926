//! Which of the values and kinds that a schema lets choose among a sample is of.

use super::node::{Kind, Node};
use serde_json::{Value, json};

/// Whether there is nothing to a value, so that neither a form nor a query can write it.
pub(super) fn is_blank(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// The first of these that is not blank; the first, where all are.
pub(super) fn telling(values: impl Iterator<Item = Value>) -> Option<Value> {
    let mut blank = None;
    for value in values {
        if !is_blank(&value) {
            return Some(value);
        }
        blank.get_or_insert(value);
    }
    blank
}

/// The kinds that a sample may be of, where there is a choice, the most telling first.
pub(super) fn preferred(node: &Node<'_>) -> impl Iterator<Item = Kind> {
    let order = [
        Kind::String,
        Kind::Object,
        Kind::Array,
        Kind::Number,
        Kind::Boolean,
        Kind::Null,
    ];
    let (telling, others): (Vec<Kind>, Vec<Kind>) = order
        .into_iter()
        .filter(|kind| node.kinds.contains(kind))
        .partition(|kind| match kind {
            Kind::Object => !node.properties.is_empty() || !node.required.is_empty(),
            Kind::Array => !node.tuples.is_empty(),
            _ => false,
        });
    telling.into_iter().chain(others)
}

/// The value, or one like it that is not among those.
pub(super) fn distinct(value: Value, known: &[Value]) -> Value {
    if !known.contains(&value) {
        return value;
    }
    match value {
        Value::String(text) => {
            let mut stem = text.clone();
            // Patterns ask for digits more often than for letters in their place.
            let letters = ('a'..='z').chain('A'..='Z');
            let chars: Vec<char> = match stem.pop() {
                Some('0'..='9') => ('0'..='9').chain(letters).collect(),
                _ => letters.chain('0'..='9').collect(),
            };
            let mut other = chars
                .into_iter()
                .map(|c| Value::String(format!("{stem}{c}")));
            other
                .find(|other| !known.contains(other))
                .unwrap_or_else(|| Value::String(format!("{text}{}", known.len())))
        }
        Value::Number(number) => match number.as_i64() {
            Some(integer) => json!(integer.saturating_add(i64::try_from(known.len()).unwrap_or(0))),
            None => Value::Number(number),
        },
        other => other,
    }
}
