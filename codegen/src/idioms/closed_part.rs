//! `additionalProperties: false` in a part of `allOf`, beside parts with other properties.
//!
//! By the letter, each part refuses the properties of the others, so that no value with any of them is
//! valid. The author means an object with the properties of all parts and no others, which
//! `unevaluatedProperties: false` says. Seen: Swashbuckle and NSwag, which close every class, with
//! inheritance as `allOf`; hand-written documents.

use super::{Idiom, Known, Members, Report, list};
use crate::diagnostic::Code;
use crate::schema::is_annotation;
use serde_json::Value;
use std::collections::BTreeSet;

pub(super) const IDIOM: Idiom = Idiom {
    rewrite,
    leaves_items: false,
    values_alone: false,
    report: Some(Report {
        code: Code::ClosedPart,
        message: "a part of this `allOf` refuses the properties of the others",
        help: "leave out `additionalProperties: false` in the parts, and write `unevaluatedProperties: false` beside \
               `allOf`",
        meaning: "the properties of all parts are accepted, and no others",
    }),
};

/// Keywords that close an object when they are false.
const CLOSING: [&str; 2] = ["additionalProperties", "unevaluatedProperties"];

fn rewrite(members: &mut Members, known: &Known<'_>) -> bool {
    if list(members, "allOf").is_empty() {
        return false;
    }
    let mut names = BTreeSet::new();
    let mut closed = Vec::new();
    let is_followed = collect(members, known, &mut names, &mut closed);
    let refuses = closed.iter().any(|accepted| accepted.len() < names.len());
    if !is_followed || !refuses {
        return false;
    }
    if let Some(Value::Array(parts)) = members.get_mut("allOf") {
        for part in parts {
            if let Some(opened) = opened(part, known) {
                *part = opened;
            }
        }
    }
    for keyword in CLOSING {
        if members.get(keyword) == Some(&Value::Bool(false)) {
            members.shift_remove(keyword);
        }
    }
    members.insert("unevaluatedProperties".into(), false.into());
    true
}

/// Collects the names of all properties, and for each closed part the names that it accepts; returns
/// whether all that a part accepts is known.
fn collect(
    members: &Members,
    known: &Known<'_>,
    names: &mut BTreeSet<String>,
    closed: &mut Vec<BTreeSet<String>>,
) -> bool {
    let is_plain = !["oneOf", "anyOf", "patternProperties", "if", "not"]
        .iter()
        .any(|keyword| members.contains_key(*keyword));
    if !is_plain {
        return false;
    }
    let own = members.get("properties").and_then(Value::as_object);
    let own: BTreeSet<String> = own
        .into_iter()
        .flatten()
        .map(|(name, _)| name.clone())
        .collect();
    let mut accepted = own.clone();
    let parts = list(members, "allOf").iter().filter_map(Value::as_object);
    let mut is_followed = true;
    for part in parts {
        is_followed = is_followed && collect(part, known, &mut accepted, closed);
    }
    if is_followed && members.contains_key("$ref") {
        let target = known.follow(members, |target| {
            collect(target, known, &mut accepted, closed)
        });
        is_followed = target.unwrap_or(false);
    }
    names.extend(accepted.iter().cloned());
    let is_closed = |keyword: &str| members.get(keyword) == Some(&Value::Bool(false));
    if is_closed("additionalProperties") {
        closed.push(own);
    }
    if is_closed("unevaluatedProperties") {
        closed.push(accepted);
    }
    is_followed
}

/// A part without what closes it, in place of a reference to it; `None` for a part that is open.
fn opened(part: &Value, known: &Known<'_>) -> Option<Value> {
    let members = part.as_object()?;
    if members.contains_key("$ref") {
        return known.follow(members, |target| {
            opened(&Value::Object(target.clone()), known)
        })?;
    }
    let is_closing =
        |keyword: &str, value: &Value| CLOSING.contains(&keyword) && *value == Value::Bool(false);
    let mut is_open = true;
    let mut opened_members = Members::new();
    for (keyword, value) in members {
        if is_closing(keyword, value) {
            is_open = false;
            continue;
        }
        if is_annotation(keyword) || keyword == "discriminator" {
            continue;
        }
        let mut value = value.clone();
        if let ("allOf", Value::Array(parts)) = (keyword.as_str(), &mut value) {
            for part in parts {
                if let Some(opened) = opened(part, known) {
                    is_open = false;
                    *part = opened;
                }
            }
        }
        opened_members.insert(keyword.clone(), value);
    }
    (!is_open).then_some(Value::Object(opened_members))
}

#[cfg(test)]
mod tests {
    use super::super::Known;
    use super::rewrite;
    use serde_json::{Value, json};

    #[test]
    fn closed_parts_are_one_closed_object() {
        let base = json!({ "$ref": "#/Base" });
        let opened = json!({ "type": "object", "properties": { "a": {} } });
        let own = json!({ "type": "object", "properties": { "b": {} } });
        for (old, expected) in [
            (
                json!({ "allOf": [base, own] }),
                Some(json!({ "allOf": [opened, own], "unevaluatedProperties": false })),
            ),
            (
                json!({ "allOf": [base], "properties": { "b": {} }, "additionalProperties": false }),
                Some(json!({
                    "allOf": [opened], "properties": { "b": {} }, "unevaluatedProperties": false,
                })),
            ),
            (
                json!({ "allOf": [{ "$ref": "#/Child" }, { "properties": { "c": {} } }] }),
                Some(json!({
                    "allOf": [{ "allOf": [opened, own] }, { "properties": { "c": {} } }],
                    "unevaluatedProperties": false,
                })),
            ),
            (json!({ "allOf": [base] }), None),
            (
                json!({ "allOf": [own, { "properties": { "c": {} } }] }),
                None,
            ),
            (
                json!({ "allOf": [own, { "properties": { "c": {} } }], "unevaluatedProperties": false }),
                None,
            ),
        ] {
            let Value::Object(mut members) = old.clone() else {
                continue;
            };
            let schemas = json!({
                "Base": {
                    "type": "object", "description": "d",
                    "properties": { "a": {} }, "additionalProperties": false,
                },
                "Child": { "allOf": [base, own] },
            });
            let Value::Object(schemas) = schemas else {
                continue;
            };
            assert_eq!(
                rewrite(&mut members, &Known::new(&schemas)),
                expected.is_some(),
                "{old}"
            );
            assert_eq!(Value::Object(members), expected.unwrap_or(old));
        }
    }
}
