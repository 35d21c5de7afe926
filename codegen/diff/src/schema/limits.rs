//! Compares limits, patterns, formats and `multipleOf`: the differences, and the stricter one of each two.

use super::edit::{Edit, Effect, is_in_both};
use json_schema::format::integer_range;
use json_schema::number::decimal::Decimal;
use sample::normal::{
    self, CONSTRAINTS, NormalForm, Type, is_about, is_implied_by_members, is_tighter,
};
use serde_json::Number;
use std::collections::BTreeSet;

/// Compares the keywords that have an order.
pub(super) fn limits(before: &NormalForm<'_>, after: &NormalForm<'_>, edits: &mut Vec<Edit>) {
    for (keyword, ty) in normal::limits() {
        if !is_in_both(before, after, ty) {
            continue;
        }
        let (old, new) = (before.limits.get(keyword), after.limits.get(keyword));
        let is_implied = match (old, new) {
            (None, Some(new)) => is_implied(keyword, new, before),
            (Some(old), None) => is_implied(keyword, old, after),
            (old, new) => old == new,
        };
        if is_implied {
            continue;
        }
        let text = |limit: Option<&Number>| limit.map(ToString::to_string);
        let Some(mut edit) = Edit::presence(keyword, text(old), text(new)) else {
            continue;
        };
        if let (Some(old), Some(new)) = (old, new) {
            edit.effect = match (is_tighter(keyword, new, old), is_tighter(keyword, old, new)) {
                (true, _) => Effect::Narrows,
                (_, true) => Effect::Widens,
                _ => continue,
            };
        }
        edits.push(edit);
    }
}

/// Whether a limit follows from others of a form: a number above 0 is at least 0.
fn is_implied(keyword: &str, limit: &Number, form: &NormalForm<'_>) -> bool {
    if is_implied_by_members(form, keyword, limit) {
        return true;
    }
    let (other, is_strict) = match keyword {
        "minimum" => ("exclusiveMinimum", false),
        "maximum" => ("exclusiveMaximum", false),
        "exclusiveMinimum" => ("minimum", true),
        "exclusiveMaximum" => ("maximum", true),
        _ => return false,
    };
    form.limits.get(other).is_some_and(|known| match is_strict {
        true => is_tighter(keyword, known, limit),
        false => !is_tighter(keyword, limit, known),
    })
}

/// Compares the keywords without an order.
pub(super) fn constraints(before: &NormalForm<'_>, after: &NormalForm<'_>, edits: &mut Vec<Edit>) {
    for keyword in CONSTRAINTS {
        let is_shared = |ty: &Type| is_about(keyword, *ty) && is_in_both(before, after, *ty);
        if !Type::ALL.iter().any(is_shared) {
            continue;
        }
        let [old, new] = [before, after]
            .map(|form| -> BTreeSet<&str> { form.constraints_of(keyword).collect() });
        let is_implied = |mut operands: BTreeSet<&str>, form: &NormalForm<'_>| {
            operands.retain(|format| keyword != "format" || !is_implied_format(form, format));
            operands.is_empty()
        };
        if is_implied(&old - &new, after) && is_implied(&new - &old, before) {
            continue;
        }
        let only = |one: &BTreeSet<&str>, other: &BTreeSet<&str>| {
            let texts: Vec<_> = one.difference(other).map(|t| format!("`{t}`")).collect();
            (!texts.is_empty()).then(|| texts.join(" and "))
        };
        let mut edit = Edit::presence(keyword, only(&old, &new), only(&new, &old));
        if let (Some(edit), Some(old), Some(new)) = (&mut edit, single(&old), single(&new)) {
            let ordered = match keyword {
                "multipleOf" => multiples(old, new),
                "format" => ranges(old, new),
                _ => None,
            };
            edit.effect = ordered.unwrap_or(edit.effect);
        }
        edits.extend(edit);
    }
}

fn single<'t>(texts: &BTreeSet<&'t str>) -> Option<&'t str> {
    texts.first().filter(|_| texts.len() == 1).copied()
}

/// Whether the limits of integers are within those of a format.
fn is_implied_format(form: &NormalForm<'_>, format: &str) -> bool {
    let limit = |keyword: &str| form.limits.get(keyword)?.as_i64().map(i128::from);
    let range = integer_range(format).zip(limit("minimum").zip(limit("maximum")));
    let is_inside = range.is_some_and(|((least, most), (min, max))| min >= least && max <= most);
    is_inside && form.integer && !form.types.contains(&Type::String)
}

/// The effect of a change of `multipleOf`: every multiple of 6 is one of 3.
fn multiples(before: &str, after: &str) -> Option<Effect> {
    let (before, after) = (Decimal::parse(before)?, Decimal::parse(after)?);
    if after.is_multiple_of(&before) {
        Some(Effect::Narrows)
    } else if before.is_multiple_of(&after) {
        Some(Effect::Widens)
    } else {
        None
    }
}

/// The effect of a change of an integer format: every `int32` is an `int64`.
fn ranges(before: &str, after: &str) -> Option<Effect> {
    let (before, after) = (integer_range(before)?, integer_range(after)?);
    let is_inside =
        |(min, max): (i128, i128), (least, most): (i128, i128)| min >= least && max <= most;
    if is_inside(after, before) {
        Some(Effect::Narrows)
    } else if is_inside(before, after) {
        Some(Effect::Widens)
    } else {
        None
    }
}
