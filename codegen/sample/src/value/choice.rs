//! The choice of a sample among the values and types that a schema accepts.

use crate::normal::{NormalForm, Type};
use serde_json::{Value, json};

/// Whether a value is empty, so that neither a form nor a query can write it.
#[must_use]
pub fn is_blank(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// The first value that is not blank, or else the first.
pub(crate) fn first_filled(values: impl Iterator<Item = Value>) -> Option<Value> {
    let mut blank = None;
    for value in values {
        if !is_blank(&value) {
            return Some(value);
        }
        blank.get_or_insert(value);
    }
    blank
}

/// The types of a form, those that say the most about it first.
pub(crate) fn preferred(node: &NormalForm<'_>) -> impl Iterator<Item = Type> {
    let order = [
        Type::String,
        Type::Object,
        Type::Array,
        Type::Number,
        Type::Boolean,
        Type::Null,
    ];
    let (described, others): (Vec<Type>, Vec<Type>) = order
        .into_iter()
        .filter(|ty| node.types.contains(ty))
        .partition(|ty| match ty {
            Type::Object => !node.properties.is_empty() || !node.required.is_empty(),
            Type::Array => !node.items.is_empty(),
            _ => false,
        });
    described.into_iter().chain(others)
}

/// The value, or one like it that is not known yet.
#[must_use]
pub fn distinct(value: Value, known: &[Value]) -> Value {
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
