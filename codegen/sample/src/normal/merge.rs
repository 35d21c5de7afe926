//! The normal form of two schemas that both apply.

use super::NormalForm;
use json_schema::equality::ValueSet;
use json_schema::number::decimal::Decimal;
use serde_json::{Number, Value};

/// Merges two normal forms: a value satisfies both.
pub(super) fn and<'a>(mut one: NormalForm<'a>, other: NormalForm<'a>) -> NormalForm<'a> {
    one.types = one.types.intersection(&other.types).copied().collect();
    one.integer |= other.integer;
    one.enumerated = both_enumerated(one.enumerated.take(), other.enumerated);
    for (keyword, limit) in other.limits {
        let known = one.limits.get(keyword);
        if known.is_none_or(|known| is_tighter(keyword, &limit, known)) {
            one.limits.insert(keyword, limit);
        }
    }
    one.constraints.extend(other.constraints);
    for (name, schemas) in other.properties {
        one.properties.entry(name).or_default().add(&schemas);
    }
    for (pattern, schemas) in other.patterns {
        one.patterns.entry(pattern).or_default().add(&schemas);
    }
    one.additional.extend(other.additional);
    one.required.extend(other.required);
    one.items.extend(other.items);
    one.unions.extend(other.unions);
    for (keyword, schemas) in other.opaque {
        // A keyword may occur in both; the second gets a number, because both apply.
        let is_taken = one.opaque.contains_key(&keyword);
        let mut numbered = (2..).map(|n| format!("{keyword}#{n}"));
        let name = match is_taken {
            true => numbered.find(|name| !one.opaque.contains_key(name)),
            false => Some(keyword),
        };
        one.opaque.extend(name.map(|name| (name, schemas)));
    }
    one.annotations.add(other.annotations);
    one
}

/// Whether a limit of a keyword accepts less than another one.
#[must_use]
pub fn is_tighter(keyword: &str, limit: &Number, than: &Number) -> bool {
    let (limit, than) = (Decimal::of(limit), Decimal::of(than));
    match keyword.starts_with("min") || keyword == "exclusiveMinimum" {
        true => limit > than,
        false => limit < than,
    }
}

/// The values that are in both lists; no list means every value.
pub(super) fn both_enumerated(
    one: Option<Vec<Value>>,
    other: Option<Vec<Value>>,
) -> Option<Vec<Value>> {
    match (one, other) {
        (Some(mut one), Some(other)) => {
            let other = ValueSet::of(&other);
            one.retain(|value| other.contains(value));
            Some(one)
        }
        (one, other) => one.or(other),
    }
}
