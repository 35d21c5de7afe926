//! Equality of JSON values as JSON Schema defines it (2020-12 Core, §4.2.2):
//! numbers by their mathematical value, objects without regard to order.

mod value_set;

pub use value_set::ValueSet;

use std::collections::HashSet;
use std::fmt::Write as _;

use serde_json::{Number, Value};

use crate::number::decimal::Decimal;

/// Whether two values are the same JSON value; `1` and `1.0` are.
#[must_use]
pub fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(a), Value::Number(b)) => a == b || equal_numbers(a, b),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(k, v)| b.get(k).is_some_and(|w| equal(v, w)))
        }
        _ => left == right,
    }
}

fn equal_numbers(left: &Number, right: &Number) -> bool {
    matches!((Decimal::of(left), Decimal::of(right)), (Some(a), Some(b)) if a == b)
}

/// Whether no two of `items` are [`equal`], in time linear in their size.
#[must_use]
pub fn all_distinct<'v>(items: impl IntoIterator<Item = &'v Value>) -> bool {
    let mut seen = HashSet::new();
    items.into_iter().all(|item| {
        let mut text = String::new();
        write_canonical(item, &mut text);
        seen.insert(text)
    })
}

/// Appends a text that two values share exactly when they are [`equal`].
fn write_canonical(value: &Value, out: &mut String) {
    match value {
        Value::Number(number) => match Decimal::of(number) {
            // Writing to a `String` cannot fail.
            Some(decimal) => _ = write!(out, "{decimal:?}"),
            None => _ = write!(out, "{number}"),
        },
        Value::Array(items) => {
            out.push('[');
            for item in items {
                write_canonical(item, out);
                out.push(',');
            }
            out.push(']');
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_unstable_by_key(|(name, _)| *name);
            out.push('{');
            for (name, member) in members {
                _ = write!(out, "{name:?}:");
                write_canonical(member, out);
                out.push(',');
            }
            out.push('}');
        }
        Value::Null | Value::Bool(_) | Value::String(_) => _ = write!(out, "{value}"),
    }
}
