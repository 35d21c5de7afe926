//! Mutations of bodies.

use bytes::Bytes;
use serde_json::{Value, json};

use super::schema::{Described, described};
use super::{Change, Found, lists};
use crate::document::{Document, Documented, Operation};

pub(super) fn mutations(
    document: &Document,
    operation: &Operation,
    documented: &Documented,
    good: &Bytes,
) -> Vec<Found> {
    let Some((media, schema)) = documented.content.first_key_value() else {
        return Vec::new();
    };
    let cut_short = Change::Text(|body| body.split_last().map_or(body, |(_, rest)| rest));
    let mut found = vec![Found("body cut short", String::new(), cut_short)];
    if media == "application/json" {
        let value: Value = serde_json::from_slice(good).expect("a good answer");
        let places = described(&document.root, schema, &value);
        for kind in [dropped, null, of_other_type, out_of_range, extra] {
            found.extend(spread(&places, kind));
        }
        found.extend(lists::mutations(&places));
        found.extend(lists::of_cursors(operation, documented));
    }
    found
}

/// Finds mutations of one kind at a place; none if neither the contract nor the value allows them.
type Kind = fn(&Described<'_>) -> Vec<Found>;

/// The first mutation of each name at the top of the value, and the first inside it.
pub(super) fn spread(places: &[Described<'_>], kind: Kind) -> Vec<Found> {
    let mut found: Vec<(bool, Found)> = Vec::new();
    for place in places {
        let top = place.place.is_top();
        for mutation in kind(place) {
            if !found
                .iter()
                .any(|(at, known)| *at == top && known.0 == mutation.0)
            {
                found.push((top, mutation));
            }
        }
    }
    found.into_iter().map(|(_, mutation)| mutation).collect()
}

fn dropped(of: &Described<'_>) -> Vec<Found> {
    let place = of.place.clone();
    let change = move |value: &mut Value| place.drop(value);
    let mutation = || found("required member dropped", of, change);
    of.required.then(mutation).into_iter().collect()
}

fn null(of: &Described<'_>) -> Vec<Found> {
    let may_not_be = of.rules_out("null") && !of.place.is_root();
    may_not_be
        .then(|| put("null", of, Value::Null))
        .into_iter()
        .collect()
}

fn of_other_type(of: &Described<'_>) -> Vec<Found> {
    let other = |value: &&Value| match value {
        Value::Null => None,
        Value::String(_) if of.rules_out("integer") && of.rules_out("number") => {
            Some(("string made a number", json!(7)))
        }
        Value::Number(it) if of.rules_out("string") => {
            Some(("number made a string", json!(it.to_string())))
        }
        Value::Bool(it) if of.rules_out("string") => {
            Some(("boolean made a string", json!(it.to_string())))
        }
        Value::Array(_) if of.rules_out("object") => Some(("list made an object", json!({}))),
        Value::Object(_) if of.rules_out("array") => Some(("object made a list", json!([]))),
        _ => None,
    };
    let other = of.values.iter().find_map(other);
    other
        .map(|(kind, value)| put(kind, of, value))
        .into_iter()
        .collect()
}

fn out_of_range(of: &Described<'_>) -> Vec<Found> {
    let texts = ["pattern", "format", "enum", "const"];
    let holds = |is: fn(&Value) -> bool| of.values.iter().any(|value| is(value));
    let beyond = if holds(Value::is_string) && texts.iter().any(|it| of.says(it, |_| true)) {
        Some(json!("\u{20ac}"))
    } else if holds(Value::is_number) {
        let above = of.bound("maximum").map(|it| json!(it + 1));
        above.or_else(|| of.bound("minimum").map(|it| json!(it - 1)))
    } else if holds(Value::is_array) && of.bound("minItems").is_some_and(|it| it > 0) {
        Some(json!([]))
    } else {
        None
    };
    beyond
        .map(|value| put("value out of its range", of, value))
        .into_iter()
        .collect()
}

fn extra(of: &Described<'_>) -> Vec<Found> {
    let place = of.place.clone();
    let change = move |value: &mut Value| {
        place.change(value, Value::is_object, |it| it["fromNowhere"] = json!(1))
    };
    let mutation = || found("extra member", of, change);
    of.names_its_members().then(mutation).into_iter().collect()
}

/// Another value in place of the first one that is not null.
fn put(kind: &'static str, of: &Described<'_>, other: Value) -> Found {
    let place = of.place.clone();
    let change =
        move |value: &mut Value| place.change(value, |it| !it.is_null(), |it| *it = other.clone());
    found(kind, of, change)
}

pub(super) fn found(
    kind: &'static str,
    of: &Described<'_>,
    change: impl Fn(&mut Value) -> bool + Send + Sync + 'static,
) -> Found {
    Found(kind, of.place.to_string(), Change::Body(Box::new(change)))
}
