//! Every schema accepts some finite value: a cycle of required members has a way out.

use super::Findings;
use super::subject::{Members, Subject, types};
use crate::openapi::Key;
use json_schema::reference::key_of_reference;
use serde_json::Value;
use std::collections::BTreeSet;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let bundle = &subject.document.bundle;
    // Repeats until no more schemas are found to have a finite value; the rest never have.
    let mut finite: BTreeSet<Key> = BTreeSet::new();
    loop {
        let before = finite.len();
        for (key, schema) in bundle.schemas() {
            if !finite.contains(key) && is_finite(schema, &finite) {
                finite.insert(key.clone());
            }
        }
        if finite.len() == before {
            break;
        }
    }
    for key in bundle
        .components()
        .iter()
        .filter(|key| !finite.contains(*key))
    {
        findings.advise(
            &bundle.place(key),
            format!("`{key}` has no finite value: each one contains another"),
            "let one of the members on the way be optional or null, or an array be empty",
        );
    }
}

/// Whether a schema has a finite value, given the components that have.
fn is_finite(schema: &Value, finite: &BTreeSet<Key>) -> bool {
    let Value::Object(members) = schema else {
        return true;
    };
    if members.contains_key("const") || members.contains_key("enum") {
        return true;
    }
    let reference = members.get("$ref").and_then(Value::as_str);
    let refers_well = reference
        .and_then(key_of_reference)
        .is_none_or(|key| finite.contains(&key));
    let list = |name: &str| members.get(name).and_then(Value::as_array);
    let any = |name: &str| list(name).is_none_or(|all| all.iter().any(|s| is_finite(s, finite)));
    let all = |name: &str| {
        list(name)
            .into_iter()
            .flatten()
            .all(|s| is_finite(s, finite))
    };
    refers_well && all("allOf") && any("oneOf") && any("anyOf") && has_finite_type(members, finite)
}

/// Whether one of the types has a value.
fn has_finite_type(members: &Members, finite: &BTreeSet<Key>) -> bool {
    let types = types(members);
    types.is_empty()
        || types.iter().any(|name| match *name {
            "object" => object(members, finite),
            "array" => array(members, finite),
            _ => true,
        })
}

fn object(members: &Members, finite: &BTreeSet<Key>) -> bool {
    let required = members.get("required").and_then(Value::as_array);
    let mut names = required.into_iter().flatten().filter_map(Value::as_str);
    names.all(|name| {
        let property = members.get("properties").and_then(|all| all.get(name));
        property.is_none_or(|schema| is_finite(schema, finite))
    })
}

fn array(members: &Members, finite: &BTreeSet<Key>) -> bool {
    let least = members.get("minItems").and_then(Value::as_u64);
    let items = members.get("items");
    least.is_none_or(|least| least == 0) || items.is_none_or(|items| is_finite(items, finite))
}
