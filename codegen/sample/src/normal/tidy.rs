//! Removes the keywords of a normal form that have no effect, so that forms with equal meanings are equal.

use super::union::all_values;
use super::{Additional, NormalForm, Type, is_about, is_tighter};
use crate::value::scalar::{accepts_number, accepts_text};
use serde_json::{Number, Value};

pub(super) fn tidy(form: &mut NormalForm<'_>) {
    filter_enumeration(form);
    restore_types(form);
    form.integer &= form.types.contains(&Type::Number);
    if form.integer {
        inclusive(form, "exclusiveMinimum", "minimum", 1);
        inclusive(form, "exclusiveMaximum", "maximum", -1);
    }
    drop_idle_limits(form);
    let types = form.types.clone();
    let is_of_some = |keyword: &str| types.iter().any(|ty| is_about(keyword, *ty));
    form.constraints
        .retain(|(keyword, _)| is_of_some(keyword) || *keyword == "format");
    let mut limits = std::mem::take(&mut form.limits);
    limits.retain(|keyword, limit| !is_implied_by_members(form, keyword, limit));
    form.limits = limits;
    if !types.contains(&Type::Object) {
        form.properties.clear();
        form.patterns.clear();
        form.additional.clear();
        form.required.clear();
    }
    if !types.contains(&Type::Array) {
        form.items.clear();
    }
}

/// Drops limits of types that are not accepted, and those that every value satisfies.
fn drop_idle_limits(form: &mut NormalForm<'_>) {
    let has_contains = form.opaque.keys().any(|name| name.starts_with("contains"));
    let types = &form.types;
    form.limits.retain(|keyword, limit| {
        let is_contains = keyword.ends_with("Contains");
        let is_least = keyword.starts_with("min") && !matches!(*keyword, "minimum" | "minContains");
        let is_default = match *keyword {
            "minContains" => limit.as_u64() == Some(1),
            _ => is_least && limit.as_u64() == Some(0),
        };
        types.iter().any(|ty| is_about(keyword, *ty))
            && (has_contains || !is_contains)
            && !is_default
    });
}

/// Keeps the values of an enumeration that the other keywords accept, and drops these keywords.
fn filter_enumeration(form: &mut NormalForm<'_>) {
    let Some(mut values) = form.enumerated.take() else {
        return;
    };
    let has_fraction = |value: &Value| value.as_f64().is_some_and(|n| n.fract() != 0.0);
    values.retain(|value| {
        form.types.contains(&Type::of(value)) && !(form.integer && has_fraction(value))
    });
    form.integer = !values.iter().any(has_fraction);
    if values
        .iter()
        .all(|value| !value.is_array() && !value.is_object())
    {
        values.retain(|value| match value {
            Value::String(text) => accepts_text(form, text),
            Value::Number(number) => accepts_number(form, number),
            _ => true,
        });
        form.limits.clear();
        form.constraints.clear();
    }
    form.types = values.iter().map(Type::of).collect();
    form.enumerated = Some(values);
}

/// Replaces an enumeration of all values by the type, such as both booleans, and `multipleOf: 1` by integers.
fn restore_types(form: &mut NormalForm<'_>) {
    let all = all_values(&form.types).filter(|all| !all.is_empty());
    if let (Some(all), Some(values)) = (all, &form.enumerated)
        && all.iter().all(|value| values.contains(value))
    {
        form.enumerated = None;
    }
    form.integer |= form.constraints.remove(&("multipleOf", "1".to_owned()));
}

/// Whether a limit on the number of members follows from the members themselves: as many are required, or
/// no more are accepted.
#[must_use]
pub fn is_implied_by_members(form: &NormalForm<'_>, keyword: &str, limit: &Number) -> bool {
    let closed = |of: &Additional<'_>| *of.schema == Value::Bool(false);
    let is_closed = form.patterns.is_empty() && form.additional.iter().any(closed);
    let count = limit.as_u64().and_then(|limit| usize::try_from(limit).ok());
    count.is_some_and(|count| match keyword {
        "minProperties" => count <= form.required.len(),
        "maxProperties" => is_closed && count >= form.properties.len(),
        _ => false,
    })
}

/// Writes an exclusive limit of integers as the inclusive one: `> 4` is `>= 5`.
fn inclusive(form: &mut NormalForm<'_>, from: &'static str, to: &'static str, step: i64) {
    let limit = form.limits.get(from).and_then(Number::as_i64);
    let Some(limit) = limit.and_then(|limit| limit.checked_add(step)) else {
        return;
    };
    let limit = Number::from(limit);
    form.limits.remove(from);
    let known = form.limits.get(to);
    if known.is_none_or(|known| is_tighter(to, &limit, known)) {
        form.limits.insert(to, limit);
    }
}
