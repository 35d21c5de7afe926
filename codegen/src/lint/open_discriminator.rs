//! The discriminating member of a variant holds the variant's own value and no other's. OpenAPI 3.1.1
//! (§4.8.25) lets it be any text; generated code then has a text, in which another variant's value can
//! stand, where a constant would need no value at all.

use super::Findings;
use super::subject::{Members, Subject};
use crate::openapi::DEFAULT_MAPPING;
use json_schema::reference::key_in;
use serde_json::Value;
use std::collections::BTreeSet;

/// How many schemas may refer to or extend each other until the next is not looked at.
const MAX_DEPTH: usize = 32;

/// The texts that a member may hold; `None` for any.
type Texts<'a> = Option<BTreeSet<&'a str>>;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for spot in &subject.spots {
        let discriminator = spot.members.get("discriminator");
        let property = discriminator.and_then(|it| it.get("propertyName")?.as_str());
        let (Some(discriminator), Some(property)) = (discriminator, property) else {
            continue;
        };
        for list in ["oneOf", "anyOf"] {
            let variants = spot.members.get(list).and_then(Value::as_array);
            for (index, variant) in variants.into_iter().flatten().enumerate() {
                let Some(key) = key_in(variant) else { continue };
                // That of any other value holds any.
                if discriminator.get(DEFAULT_MAPPING).and_then(Value::as_str) == Some(&key) {
                    continue;
                }
                let members = variant.as_object();
                if members.is_some_and(|members| subject.takes_no_object(members)) {
                    continue;
                }
                let own = values(discriminator, &key);
                let held = members.and_then(|members| texts(subject, members, property, MAX_DEPTH));
                if held.is_none_or(|held| held.iter().any(|text| !own.contains(text))) {
                    let at = spot.at.child(list).child(index.to_string());
                    let message = format!(
                        "the discriminator `{property}` of this variant may hold other values than its own, {}",
                        own.iter()
                            .map(|value| format!("`{value}`"))
                            .collect::<Vec<_>>()
                            .join(", ")
                    );
                    findings.advise(&at, message, help(property, &own));
                }
            }
        }
    }
}

/// The values of the discriminator that lead to a variant.
fn values<'a>(discriminator: &'a Value, key: &'a str) -> Vec<&'a str> {
    let mapping = discriminator.get("mapping").and_then(Value::as_object);
    let mapped = mapping.into_iter().flatten();
    let mapped: Vec<&str> = mapped
        .filter(|(_, target)| target.as_str() == Some(key))
        .map(|(value, _)| value.as_str())
        .collect();
    if mapped.is_empty() { vec![key] } else { mapped }
}

fn help(property: &str, own: &[&str]) -> String {
    let narrowed = match own {
        [only] => format!("const: {only}"),
        several => format!("enum: [{}]", several.join(", ")),
    };
    format!("add `{property}: {{ {narrowed} }}` to its `properties`, or to a part of its `allOf`")
}

/// The texts that a schema allows a member to hold: those of each of its parts.
fn texts<'a>(subject: &Subject<'a>, members: &'a Members, name: &str, depth: usize) -> Texts<'a> {
    let depth = depth.checked_sub(1)?;
    let own = members.get("properties").and_then(|all| all.get(name));
    let own = own
        .and_then(Value::as_object)
        .and_then(|member| listed(subject, member, depth));
    let referred = subject.referred(members).map(|(target, _)| target);
    let parts = members.get("allOf").and_then(Value::as_array);
    let parts = parts.into_iter().flatten().filter_map(Value::as_object);
    let inherited = parts
        .chain(referred)
        .map(|part| texts(subject, part, name, depth));
    inherited.fold(own, both)
}

/// The texts that a schema lists itself, by reference, or in a part of its `allOf`.
fn listed<'a>(subject: &Subject<'a>, schema: &'a Members, depth: usize) -> Texts<'a> {
    let depth = depth.checked_sub(1)?;
    let constant = schema
        .get("const")
        .map(|value| value.as_str().into_iter().collect());
    let values = schema.get("enum").and_then(Value::as_array);
    let values = values.map(|all| all.iter().filter_map(Value::as_str).collect());
    let referred = subject.referred(schema).map(|(target, _)| target);
    let parts = schema.get("allOf").and_then(Value::as_array);
    let parts = parts.into_iter().flatten().filter_map(Value::as_object);
    let inherited = parts
        .chain(referred)
        .map(|part| listed(subject, part, depth));
    inherited.fold(both(constant, values), both)
}

/// The texts that both allow.
fn both<'a>(one: Texts<'a>, other: Texts<'a>) -> Texts<'a> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.intersection(&other).copied().collect()),
        (one, other) => one.or(other),
    }
}
