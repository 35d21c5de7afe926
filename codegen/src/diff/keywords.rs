//! What one schema object says, its references, `allOf` and unions left aside.

use super::node::{All, BOUNDS, Kind, MARKS, Node, Rest, Tuple};
use super::normal::both_listed;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The schemas in a list.
pub(super) fn schemas<'a>(
    keywords: &'a Map<String, Value>,
    keyword: &str,
) -> impl Iterator<Item = &'a Value> + use<'a> {
    let listed = keywords.get(keyword).and_then(Value::as_array);
    listed.into_iter().flatten()
}

/// What a schema says without its references, `allOf` and unions.
pub(super) fn own<'a>(keywords: &'a Map<String, Value>) -> Node<'a> {
    let mut node = Node::any();
    types(&mut node, keywords);
    if let Some(values) = keywords.get("enum").and_then(Value::as_array) {
        node.listed = Some(values.clone());
    }
    if let Some(value) = keywords.get("const") {
        let listed = vec![value.clone()];
        node.listed = both_listed(node.listed.take(), Some(listed));
    }
    for (keyword, ..) in BOUNDS {
        if let Some(limit) = keywords.get(*keyword).and_then(Value::as_number) {
            node.bounds.insert(keyword, limit.clone());
        }
    }
    for (keyword, _) in MARKS
        .iter()
        .filter(|(name, _)| *name != "dependentRequired")
    {
        match keywords.get(*keyword) {
            None | Some(Value::Bool(false)) => {}
            Some(Value::String(text)) => _ = node.marks.insert((keyword, text.clone())),
            Some(operand) => _ = node.marks.insert((keyword, operand.to_string())),
        }
    }
    members(&mut node, keywords);
    items(&mut node, keywords);
    opaque(&mut node, keywords);
    dependent(&mut node, keywords);
    notes(&mut node, keywords);
    node
}

fn types(node: &mut Node<'_>, keywords: &Map<String, Value>) {
    let names: Vec<&str> = match keywords.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => return,
    };
    node.kinds = names.iter().filter_map(|name| Kind::named(name)).collect();
    node.integer = names.contains(&"integer") && !names.contains(&"number");
}

fn members<'a>(node: &mut Node<'a>, keywords: &'a Map<String, Value>) {
    let named = |keyword: &str| {
        let members = keywords.get(keyword).and_then(Value::as_object);
        members
            .into_iter()
            .flatten()
            .map(|(name, schema)| (name.clone(), All::one(schema)))
    };
    node.properties = named("properties").collect();
    node.patterns = named("patternProperties").collect();
    let required = keywords.get("required").and_then(Value::as_array);
    let required = required.into_iter().flatten().filter_map(Value::as_str);
    node.required = required.map(str::to_owned).collect();
    let open = |schema: &Value| {
        *schema == Value::Bool(true) || schema.as_object().is_some_and(Map::is_empty)
    };
    if let Some(schema) = keywords.get("additionalProperties")
        && !open(schema)
    {
        node.rests.push(Rest {
            names: node.properties.keys().cloned().collect(),
            patterns: node.patterns.keys().cloned().collect(),
            schema,
        });
    }
}

fn items<'a>(node: &mut Node<'a>, keywords: &'a Map<String, Value>) {
    let prefix: Vec<_> = schemas(keywords, "prefixItems").collect();
    let rest = keywords
        .get("items")
        .filter(|schema| schema.is_object() || schema.is_boolean());
    if !prefix.is_empty() || rest.is_some() {
        node.tuples.push(Tuple { prefix, rest });
    }
}

fn opaque<'a>(node: &mut Node<'a>, keywords: &'a Map<String, Value>) {
    for keyword in [
        "not",
        "if",
        "contains",
        "propertyNames",
        "unevaluatedItems",
        "unevaluatedProperties",
    ] {
        if let Some(schema) = keywords.get(keyword) {
            node.opaque.insert(keyword.to_owned(), All::one(schema));
        }
    }
    if keywords.contains_key("if") {
        for keyword in ["then", "else"] {
            if let Some(schema) = keywords.get(keyword) {
                node.opaque.insert(keyword.to_owned(), All::one(schema));
            }
        }
    }
}

/// Which members ask for which others, in `dependentRequired` or in `dependentSchemas` that say no
/// more than that, and the `dependentSchemas` that do.
fn dependent<'a>(node: &mut Node<'a>, keywords: &'a Map<String, Value>) {
    let members = |keyword: &str| {
        let members = keywords.get(keyword).and_then(Value::as_object);
        members.into_iter().flatten()
    };
    let mut asked: BTreeMap<&String, BTreeSet<&str>> = BTreeMap::new();
    let mut ask = |name: &'a String, others: &'a Value| {
        let others = others.as_array().into_iter().flatten();
        let others = others.filter_map(Value::as_str);
        asked.entry(name).or_default().extend(others);
    };
    for (name, others) in members("dependentRequired") {
        ask(name, others);
    }
    for (name, schema) in members("dependentSchemas") {
        match only_required(schema) {
            Some(others) => ask(name, others),
            None => {
                let keyword = format!("dependentSchemas/{name}");
                node.opaque.insert(keyword, All::one(schema));
            }
        }
    }
    for (name, others) in asked {
        for other in others {
            let text = json!({ name: [other] }).to_string();
            node.marks.insert(("dependentRequired", text));
        }
    }
}

/// The members that a schema of objects requires, where it says nothing else about them.
fn only_required(schema: &Value) -> Option<&Value> {
    let keywords = schema.as_object()?;
    let idle = |(name, operand): (&String, &Value)| match name.as_str() {
        "required" | "title" | "description" | "$comment" => true,
        "type" => *operand == "object",
        _ => false,
    };
    let required = keywords.get("required")?;
    keywords.iter().all(idle).then_some(required)
}

fn notes(node: &mut Node<'_>, keywords: &Map<String, Value>) {
    let notes = &mut node.notes;
    notes.description = keywords
        .get("description")
        .and_then(Value::as_str)
        .map(str::to_owned);
    notes.deprecated = keywords.get("deprecated") == Some(&Value::Bool(true));
    notes.default = keywords.get("default").cloned();
    notes.examples = keywords
        .get("examples")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    notes.extensible = keywords.contains_key("x-extensible-enum");
}

/// `unevaluatedProperties: false` closes an object as `additionalProperties` would, were all its
/// members in one schema; without alternatives that is exactly what it means.
pub(super) fn close<'a>(node: &mut Node<'a>, keywords: &'a Map<String, Value>) {
    let Some(schema) = keywords.get("unevaluatedProperties") else {
        return;
    };
    let conditional = |name: &String| {
        name.starts_with("if") || name.starts_with("dependent") || name.starts_with("not")
    };
    if node.unions.is_empty() && node.rests.is_empty() && !node.opaque.keys().any(conditional) {
        node.opaque.remove("unevaluatedProperties");
        node.rests.push(Rest {
            names: node.properties.keys().cloned().collect(),
            patterns: node.patterns.keys().cloned().collect(),
            schema,
        });
    }
}
