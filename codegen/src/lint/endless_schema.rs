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
    let mut ending: BTreeSet<Key> = BTreeSet::new();
    loop {
        let before = ending.len();
        for (key, schema) in bundle.schemas() {
            if !ending.contains(key) && ends(schema, &ending) {
                ending.insert(key.clone());
            }
        }
        if ending.len() == before {
            break;
        }
    }
    for key in bundle
        .components()
        .iter()
        .filter(|key| !ending.contains(*key))
    {
        findings.advise(
            &bundle.place(key),
            format!("no finite value is a `{key}`: each contains another one, without end"),
            "let one of the members on the way be optional or null, or an array be empty",
        );
    }
}

/// Whether a schema has a finite value, given the components that have.
fn ends(schema: &Value, ending: &BTreeSet<Key>) -> bool {
    let Value::Object(members) = schema else {
        return true;
    };
    if members.contains_key("const") || members.contains_key("enum") {
        return true;
    }
    let reference = members.get("$ref").and_then(Value::as_str);
    let refers_well = reference
        .and_then(key_of_reference)
        .is_none_or(|key| ending.contains(&key));
    let list = |name: &str| members.get(name).and_then(Value::as_array);
    let some = |name: &str| list(name).is_none_or(|all| all.iter().any(|s| ends(s, ending)));
    let all = |name: &str| list(name).into_iter().flatten().all(|s| ends(s, ending));
    refers_well && all("allOf") && some("oneOf") && some("anyOf") && own(members, ending)
}

/// Whether one of the types has a value.
fn own(members: &Members, ending: &BTreeSet<Key>) -> bool {
    let types = types(members);
    types.is_empty()
        || types.iter().any(|name| match *name {
            "object" => object(members, ending),
            "array" => array(members, ending),
            _ => true,
        })
}

fn object(members: &Members, ending: &BTreeSet<Key>) -> bool {
    let required = members.get("required").and_then(Value::as_array);
    let mut names = required.into_iter().flatten().filter_map(Value::as_str);
    names.all(|name| {
        let property = members.get("properties").and_then(|all| all.get(name));
        property.is_none_or(|schema| ends(schema, ending))
    })
}

fn array(members: &Members, ending: &BTreeSet<Key>) -> bool {
    let least = members.get("minItems").and_then(Value::as_u64);
    let items = members.get("items");
    least.is_none_or(|least| least == 0) || items.is_none_or(|items| ends(items, ending))
}
