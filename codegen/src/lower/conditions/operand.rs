//! Conditions of single keywords, from their operands. A malformed operand has none.

use crate::formats::Formats;
use crate::ir::{Condition, PatternId, Rules};
use crate::lower::formats;
use crate::schema::JsonType;
use serde_json::{Map, Value};

/// The condition of a keyword for numbers or counts.
pub(super) fn bounds(members: &Map<String, Value>, formats: &Formats) -> Option<Vec<Condition>> {
    let number = |keyword: &str| match members.get(keyword) {
        Some(value) if !value.is_number() => None,
        other => Some(other.cloned()),
    };
    let numbers = Rules {
        minimum: number("minimum")?,
        maximum: number("maximum")?,
        exclusive_minimum: number("exclusiveMinimum")?,
        exclusive_maximum: number("exclusiveMaximum")?,
        multiple_of: number("multipleOf")?,
        format: formats::of_number(formats, members.get("format").and_then(Value::as_str)),
        ..Rules::default()
    };
    let items = Rules {
        min_items: bound(members, "minItems")?.filter(|min| *min > 0),
        max_items: bound(members, "maxItems")?,
        unique_items: members.get("uniqueItems") == Some(&Value::Bool(true)),
        ..Rules::default()
    };
    let size = Rules {
        min_properties: bound(members, "minProperties")?.filter(|min| *min > 0),
        max_properties: bound(members, "maxProperties")?,
        ..Rules::default()
    };
    let all = [
        some(numbers, Condition::Number),
        some(items, Condition::Count),
        some(size, Condition::Size),
    ];
    Some(all.into_iter().flatten().collect())
}

/// The condition of a keyword for strings.
pub(super) fn text_rules(
    members: &Map<String, Value>,
    pattern: Option<PatternId>,
    formats: &Formats,
) -> Option<Rules> {
    Some(Rules {
        min_length: bound(members, "minLength")?.filter(|min| *min > 0),
        max_length: bound(members, "maxLength")?,
        pattern,
        format: formats::of_text(formats, members.get("format").and_then(Value::as_str)),
        ..Rules::default()
    })
}

/// The condition for these rules, unless they are empty.
pub(super) fn some(rules: Rules, make: fn(Box<Rules>) -> Condition) -> Option<Condition> {
    (rules != Rules::default()).then(|| make(Box::new(rules)))
}

fn bound(members: &Map<String, Value>, keyword: &str) -> Option<Option<u64>> {
    match members.get(keyword) {
        Some(value) => Some(Some(count(value)?)),
        None => Some(None),
    }
}

/// A count may be written as `2.0`.
pub(super) fn count(value: &Value) -> Option<u64> {
    let whole = value
        .as_f64()
        .filter(|n| n.fract() == 0.0 && (0.0..1e15).contains(n));
    value.as_u64().or_else(|| whole.map(|n| n as u64))
}

pub(super) fn strings(value: &Value) -> Option<Vec<String>> {
    let items = value.as_array()?.iter();
    items.map(|item| item.as_str().map(str::to_owned)).collect()
}

pub(super) fn types(value: &Value) -> Option<Vec<JsonType>> {
    match value {
        Value::String(name) => Some(vec![JsonType::named(name)?]),
        Value::Array(names) => names
            .iter()
            .map(|name| JsonType::named(name.as_str()?))
            .collect(),
        _ => None,
    }
}

pub(super) fn names(members: &Map<String, Value>, keyword: &str) -> Vec<String> {
    let named = members.get(keyword).and_then(Value::as_object);
    named
        .into_iter()
        .flatten()
        .map(|(name, _)| name.clone())
        .collect()
}

pub(super) fn dependent(operand: &Value) -> Option<Vec<Condition>> {
    let rules = operand.as_object()?.iter();
    rules
        .map(|(name, needed)| {
            let needed = Condition::Required(strings(needed)?);
            Some(Condition::With(name.clone(), Box::new(needed)))
        })
        .collect()
}
