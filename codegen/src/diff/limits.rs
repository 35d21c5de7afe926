//! Differences between limits, patterns, formats and steps, and which of two is the stricter.

use super::edit::{Edit, Effect, are_both};
use super::node::{BOUNDS, Kind, MARKS, Node};
use super::normal::{is_said_by_members, tightens};
use crate::schema::pattern_length::{longest, shortest};
use json_schema::format::integer_range;
use json_schema::number::decimal::Decimal;
use serde_json::Number;
use std::collections::BTreeSet;

/// Compares the keywords that have an order.
pub(super) fn bounds(before: &Node<'_>, after: &Node<'_>, edits: &mut Vec<Edit>) {
    for (keyword, kind, _) in BOUNDS {
        if !are_both(before, after, *kind) {
            continue;
        }
        let (old, new) = (before.bounds.get(keyword), after.bounds.get(keyword));
        if old == new {
            continue;
        }
        let within = match (old, new) {
            (None, Some(new)) => is_implied(keyword, new, before),
            (Some(old), None) => is_implied(keyword, old, after),
            _ => false,
        };
        if within {
            continue;
        }
        let text = |limit: Option<&Number>| limit.map(ToString::to_string);
        let Some(mut edit) = Edit::presence(keyword, text(old), text(new)) else {
            continue;
        };
        if let (Some(old), Some(new)) = (old, new) {
            edit.effect = if tightens(keyword, old, new) {
                Effect::Narrows
            } else if tightens(keyword, new, old) {
                Effect::Widens
            } else {
                continue;
            };
        }
        edits.push(edit);
    }
}

/// Whether a limit says nothing beside what its side says otherwise: what is above 0 is at least 0.
fn is_implied(keyword: &str, limit: &Number, node: &Node<'_>) -> bool {
    if is_said_by_members(node, keyword, limit) || is_said_by_pattern(node, keyword, limit) {
        return true;
    }
    let (other, strict) = match keyword {
        "minimum" => ("exclusiveMinimum", false),
        "maximum" => ("exclusiveMaximum", false),
        "exclusiveMinimum" => ("minimum", true),
        "exclusiveMaximum" => ("maximum", true),
        _ => return false,
    };
    node.bounds.get(other).is_some_and(|known| match strict {
        true => tightens(keyword, limit, known),
        false => !tightens(keyword, known, limit),
    })
}

/// Whether every text that a pattern matches is of that length.
fn is_said_by_pattern(node: &Node<'_>, keyword: &str, limit: &Number) -> bool {
    let limit = limit.as_u64().and_then(|limit| usize::try_from(limit).ok());
    let says = |pattern: &str| match (keyword, limit) {
        ("minLength", Some(limit)) => shortest(pattern).is_some_and(|least| least >= limit),
        ("maxLength", Some(limit)) => longest(pattern).is_some_and(|most| most <= limit),
        _ => false,
    };
    let mut patterns = node.marks.iter().filter(|(mark, _)| *mark == "pattern");
    patterns.any(|(_, pattern)| says(pattern))
}

/// Compares the keywords that have none.
pub(super) fn marks(before: &Node<'_>, after: &Node<'_>, edits: &mut Vec<Edit>) {
    for (keyword, kind) in MARKS {
        // A format speaks of texts or of numbers.
        let kinds = kind.map_or(vec![Kind::String, Kind::Number], |kind| vec![kind]);
        if !kinds.iter().any(|kind| are_both(before, after, *kind)) {
            continue;
        }
        let of = |node: &Node<'_>| -> BTreeSet<String> {
            let marks = node.marks.iter().filter(|(name, _)| name == keyword);
            marks.map(|(_, text)| text.clone()).collect()
        };
        let (old, new) = (of(before), of(after));
        let implied = |texts: &BTreeSet<String>, known: &BTreeSet<String>, node: &Node<'_>| {
            let mut left = texts.difference(known);
            *keyword == "format" && left.all(|format| is_said_by_bounds(node, format))
        };
        if implied(&old, &new, after) && implied(&new, &old, before) {
            continue;
        }
        let only = |one: &BTreeSet<String>, other: &BTreeSet<String>| {
            let texts: Vec<_> = one.difference(other).map(|t| format!("`{t}`")).collect();
            (!texts.is_empty()).then(|| texts.join(" and "))
        };
        let mut edit = Edit::presence(keyword, only(&old, &new), only(&new, &old));
        if let (Some(edit), Some(old), Some(new)) = (&mut edit, lone(&old), lone(&new)) {
            edit.effect = match *keyword {
                "multipleOf" => steps(old, new),
                "format" => ranges(old, new),
                _ => None,
            }
            .unwrap_or(edit.effect);
        }
        edits.extend(edit);
    }
}

/// Whether all integers of a normal form are of a format, whatever that says.
fn is_said_by_bounds(node: &Node<'_>, format: &str) -> bool {
    let limit = |keyword: &str| node.bounds.get(keyword)?.as_i64().map(i128::from);
    let range = integer_range(format).zip(limit("minimum").zip(limit("maximum")));
    let inside = range.is_some_and(|((least, most), (min, max))| min >= least && max <= most);
    inside && node.integer && !node.kinds.contains(&Kind::String)
}

fn lone(texts: &BTreeSet<String>) -> Option<&str> {
    texts
        .first()
        .filter(|_| texts.len() == 1)
        .map(String::as_str)
}

/// Every multiple of 6 is one of 3.
fn steps(before: &str, after: &str) -> Option<Effect> {
    let step = |text: &str| Decimal::of(&serde_json::from_str::<Number>(text).ok()?);
    let (before, after) = (step(before)?, step(after)?);
    if after.is_multiple_of(&before) {
        Some(Effect::Narrows)
    } else if before.is_multiple_of(&after) {
        Some(Effect::Widens)
    } else {
        None
    }
}

/// Every `int32` is an `int64`.
fn ranges(before: &str, after: &str) -> Option<Effect> {
    let (before, after) = (integer_range(before)?, integer_range(after)?);
    let inside =
        |(min, max): (i128, i128), (least, most): (i128, i128)| min >= least && max <= most;
    if inside(after, before) {
        Some(Effect::Narrows)
    } else if inside(before, after) {
        Some(Effect::Widens)
    } else {
        None
    }
}
