//! Every item of a list has the values named by `x-order` and `x-unique`, and they can be compared.

use super::Findings;
use super::subject::{Members, Spot, Subject, in_place, types};
use crate::schema::order::{self, ORDER, UNIQUE};
use crate::source::Pointer;
use serde_json::Value;

/// How many schemas of one value are visited; this ends cycles.
const MAX_PARTS: usize = 64;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for schema in &subject.spots {
        for name in [ORDER, UNIQUE] {
            if schema.members.contains_key(name) && !types(schema.members).contains(&"array") {
                let message =
                    format!("`{name}` applies to arrays, but this schema does not accept arrays");
                findings.report(&schema.at.child(name), message);
            }
        }
        match order::order(schema.members) {
            Ok(keys) => {
                for (index, key) in keys.iter().enumerate() {
                    let at = schema.at.child(ORDER).child(index.to_string());
                    named(subject, schema, &key.by, key.numeric, &at, findings);
                }
            }
            Err(message) => findings.report(&schema.at.child(ORDER), message),
        }
        match order::unique(schema.members) {
            Ok(places) => {
                for (index, place) in places.iter().enumerate() {
                    let at = schema.at.child(UNIQUE).child(index.to_string());
                    named(subject, schema, place, false, &at, findings);
                }
            }
            Err(message) => findings.report(&schema.at.child(UNIQUE), message),
        }
    }
}

/// Checks one pointer against the schema of the items.
fn named(
    subject: &Subject<'_>,
    schema: &Spot<'_>,
    pointer: &str,
    numeric: bool,
    at: &Pointer,
    findings: &mut Findings<'_>,
) {
    let mut parts = Vec::new();
    gather(subject, schema.members.get("items"), &mut parts);
    for name in Pointer::parse(pointer).unwrap_or_default().tokens() {
        if !parts.iter().any(|part| requires(part, &name)) {
            let message = format!("`{pointer}`: not every item has a member `{name}` there");
            return findings.report(at, message);
        }
        let mut inner = Vec::new();
        for part in parts {
            let properties = part.get("properties");
            gather(subject, properties.and_then(|it| it.get(&name)), &mut inner);
        }
        parts = inner;
    }
    let mut accepted_types: Vec<&str> = parts.into_iter().flat_map(types).collect();
    accepted_types.dedup();
    let fits = match accepted_types.as_slice() {
        ["string"] => true,
        ["integer" | "number"] => !numeric,
        _ => false,
    };
    if !fits {
        let wanted = if numeric {
            "strings"
        } else {
            "strings, or all numbers"
        };
        findings.report(
            at,
            format!("`{pointer}`: not all values there are {wanted}"),
        );
    }
}

/// Adds a schema and its parts.
fn gather<'a>(subject: &Subject<'a>, schema: Option<&'a Value>, parts: &mut Vec<&'a Members>) {
    if let Some(members) = schema.and_then(Value::as_object) {
        add(subject, members, parts);
    }
}

fn add<'a>(subject: &Subject<'a>, members: &'a Members, parts: &mut Vec<&'a Members>) {
    if parts.len() >= MAX_PARTS {
        return;
    }
    parts.push(members);
    if let Some((target, _)) = subject.referred(members) {
        add(subject, target, parts);
    }
    for (_, inner) in in_place(members, &Pointer::default()) {
        gather(subject, Some(inner), parts);
    }
}

fn requires(members: &Members, name: &str) -> bool {
    let names = members.get("required").and_then(Value::as_array);
    names.is_some_and(|names| names.iter().any(|it| it == name))
}
