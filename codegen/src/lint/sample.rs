//! Values that a schema might take, as candidates for a proof: whoever uses one checks it.

use super::subject::{Members, Subject, types};
use serde_json::{Map, Value, json};

/// How many values of one schema are tried.
const TRIED: usize = 12;

/// How deeply schemas inside schemas are followed.
const DEEP: usize = 6;

/// Values that a schema might take, the plainest first.
pub(super) fn samples(subject: &Subject<'_>, schema: &Value, depth: usize) -> Vec<Value> {
    let members = match schema {
        Value::Bool(true) => return vec![Value::Null],
        Value::Object(members) if depth < DEEP => members,
        _ => return Vec::new(),
    };
    let mut found = shown(members);
    if let Some((_, key)) = subject.referred(members) {
        let target = subject.document.bundle.get(&key);
        found.extend(
            target
                .map(|t| samples(subject, t, depth + 1))
                .into_iter()
                .flatten(),
        );
    }
    let parts = |name: &str| {
        members
            .get(name)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
    };
    for variant in parts("oneOf").chain(parts("anyOf")) {
        found.extend(samples(subject, variant, depth + 1));
    }
    if !members.contains_key("enum") && !members.contains_key("const") {
        found.extend(typed(subject, members, depth));
    }
    let whole = parts("allOf").map(|part| samples(subject, part, depth + 1));
    if let Some(together) = whole
        .filter_map(|s| s.into_iter().next())
        .reduce(|a, b| join(&a, &b))
    {
        let joined: Vec<Value> = found.iter().map(|value| join(value, &together)).collect();
        found.splice(0..0, joined);
        found.push(together);
    }
    found.truncate(TRIED);
    found
}

/// One object with the members of two, the first's where both have one; else the first.
pub(super) fn join(one: &Value, other: &Value) -> Value {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            let mut both = other.clone();
            both.extend(one.clone());
            both.into()
        }
        _ => one.clone(),
    }
}

/// The values that the schema itself names.
fn shown(members: &Members) -> Vec<Value> {
    let list = |name: &str| {
        members
            .get(name)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
    };
    let single = |name: &str| members.get(name).into_iter();
    let all = single("const").chain(list("enum")).chain(list("examples"));
    all.chain(single("default")).take(TRIED).cloned().collect()
}

fn typed(subject: &Subject<'_>, members: &Members, depth: usize) -> Vec<Value> {
    let mut types = types(members);
    let has = |name: &str| members.contains_key(name);
    if types.is_empty() && (has("properties") || has("required")) {
        types.push("object");
    } else if types.is_empty() && has("items") {
        types.push("array");
    }
    let mut found = Vec::new();
    for name in types {
        match name {
            "null" => found.push(Value::Null),
            "boolean" => found.extend([true.into(), false.into()]),
            "integer" | "number" => found.extend(numbers(members)),
            "string" => found.extend(strings(members)),
            "array" => found.push(array(subject, members, depth)),
            _ => found.push(object(subject, members, depth)),
        }
    }
    found
}

fn numbers(members: &Members) -> Vec<Value> {
    let bounds = ["minimum", "maximum"]
        .into_iter()
        .filter_map(|name| members.get(name));
    let beyond = members.get("exclusiveMinimum").and_then(Value::as_i64);
    let mut found: Vec<Value> = bounds.cloned().collect();
    found.extend(
        beyond
            .and_then(|bound| bound.checked_add(1))
            .map(Value::from),
    );
    found.extend([json!(0), json!(1)]);
    found
}

fn strings(members: &Members) -> Vec<Value> {
    let format = members.get("format").and_then(Value::as_str);
    let formatted = match format.unwrap_or_default() {
        "uuid" => "3dc260b2-4720-42d9-857b-d930b02f2383",
        "date-time" => "2026-01-02T03:04:05.000Z",
        "date" => "2026-01-02",
        "time" => "03:04:05Z",
        "uri" => "https://example.com/",
        "email" => "reader@example.com",
        "ipv4" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        _ => "a",
    };
    let least = members.get("minLength").and_then(Value::as_u64);
    let least = usize::try_from(least.unwrap_or_default()).unwrap_or_default();
    let long = "a".repeat(least.min(1000));
    [formatted, &long, "0", "A"].map(Value::from).into()
}

fn array(subject: &Subject<'_>, members: &Members, depth: usize) -> Value {
    let least = members
        .get("minItems")
        .and_then(Value::as_u64)
        .unwrap_or_default();
    let item = members.get("items").unwrap_or(&Value::Bool(true));
    let items = samples(subject, item, depth + 1);
    let wanted = usize::try_from(least.min(100)).unwrap_or_default();
    items.iter().cycle().take(wanted).cloned().collect()
}

fn object(subject: &Subject<'_>, members: &Members, depth: usize) -> Value {
    let required = members.get("required").and_then(Value::as_array);
    let names = required.into_iter().flatten().filter_map(Value::as_str);
    let mut found = Map::new();
    for name in names {
        let property = members.get("properties").and_then(|all| all.get(name));
        let values = samples(subject, property.unwrap_or(&Value::Bool(true)), depth + 1);
        let value = values.into_iter().next().unwrap_or_default();
        found.insert(name.to_owned(), value);
    }
    found.into()
}
