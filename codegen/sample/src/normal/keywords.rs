//! The normal form of one schema object without its references, `allOf` and unions.

use super::merge::both_enumerated;
use super::{Additional, AllOf, Annotations, CONSTRAINTS, Items, NormalForm, Type, limits};
use json_schema::keyword::{KEYWORDS, Subschemas};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The schemas in the list of a keyword.
pub(super) fn listed<'a>(
    keywords: &'a Map<String, Value>,
    keyword: &str,
) -> impl Iterator<Item = &'a Value> + use<'a> {
    let listed = keywords.get(keyword).and_then(Value::as_array);
    listed.into_iter().flatten()
}

/// The constraints of a schema object without its references, `allOf` and unions.
pub(super) fn own<'a>(keywords: &'a Map<String, Value>) -> NormalForm<'a> {
    let mut form = NormalForm::any();
    types(&mut form, keywords);
    if let Some(values) = keywords.get("enum").and_then(Value::as_array) {
        form.enumerated = Some(values.clone());
    }
    if let Some(value) = keywords.get("const") {
        let constant = vec![value.clone()];
        form.enumerated = both_enumerated(form.enumerated.take(), Some(constant));
    }
    for (keyword, _) in limits() {
        if let Some(limit) = keywords.get(keyword).and_then(Value::as_number) {
            form.limits.insert(keyword, limit.clone());
        }
    }
    for keyword in CONSTRAINTS
        .into_iter()
        .filter(|name| *name != "dependentRequired")
    {
        match keywords.get(keyword) {
            None | Some(Value::Bool(false)) => {}
            Some(Value::String(text)) => _ = form.constraints.insert((keyword, text.clone())),
            Some(operand) => _ = form.constraints.insert((keyword, operand.to_string())),
        }
    }
    members(&mut form, keywords);
    items(&mut form, keywords);
    opaque(&mut form, keywords);
    dependent(&mut form, keywords);
    form.annotations = Annotations::of(keywords);
    form
}

fn types(form: &mut NormalForm<'_>, keywords: &Map<String, Value>) {
    let names: Vec<&str> = match keywords.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => return,
    };
    form.types = names.iter().filter_map(|name| Type::named(name)).collect();
    form.integer = names.contains(&"integer") && !names.contains(&"number");
}

fn members<'a>(form: &mut NormalForm<'a>, keywords: &'a Map<String, Value>) {
    let named = |keyword: &str| {
        let members = keywords.get(keyword).and_then(Value::as_object);
        let members = members.into_iter().flatten();
        members.map(|(name, schema)| (name.clone(), AllOf::one(schema)))
    };
    form.properties = named("properties").collect();
    form.patterns = named("patternProperties").collect();
    let required = listed(keywords, "required").filter_map(Value::as_str);
    form.required = required.map(str::to_owned).collect();
    let accepts_all = |schema: &Value| {
        *schema == Value::Bool(true) || schema.as_object().is_some_and(Map::is_empty)
    };
    if let Some(schema) = keywords.get("additionalProperties")
        && !accepts_all(schema)
    {
        form.additional.push(beside(form, schema));
    }
}

/// A schema of the members that a form does not name.
fn beside<'a>(form: &NormalForm<'a>, schema: &'a Value) -> Additional<'a> {
    Additional {
        names: form.properties.keys().cloned().collect(),
        patterns: form.patterns.keys().cloned().collect(),
        schema,
    }
}

fn items<'a>(form: &mut NormalForm<'a>, keywords: &'a Map<String, Value>) {
    let prefix: Vec<_> = listed(keywords, "prefixItems").collect();
    let rest = keywords
        .get("items")
        .filter(|schema| schema.is_object() || schema.is_boolean());
    if !prefix.is_empty() || rest.is_some() {
        form.items.push(Items { prefix, rest });
    }
}

fn opaque<'a>(form: &mut NormalForm<'a>, keywords: &'a Map<String, Value>) {
    let others = KEYWORDS
        .iter()
        .filter(|keyword| keyword.subschemas() == Subschemas::One);
    let others = others.filter(|keyword| match keyword.name {
        "items" | "additionalProperties" | "contentSchema" => false,
        "then" | "else" => keywords.contains_key("if"),
        _ => true,
    });
    for keyword in others.map(|keyword| keyword.name) {
        if let Some(schema) = keywords.get(keyword) {
            form.opaque.insert(keyword.to_owned(), AllOf::one(schema));
        }
    }
}

/// `dependentRequired`, `dependentSchemas` that say no more than that, and those that do.
fn dependent<'a>(form: &mut NormalForm<'a>, keywords: &'a Map<String, Value>) {
    let members = |keyword: &str| {
        let members = keywords.get(keyword).and_then(Value::as_object);
        members.into_iter().flatten()
    };
    let mut required: BTreeMap<&String, BTreeSet<&str>> = BTreeMap::new();
    let mut require = |name: &'a String, others: &'a Value| {
        let others = others.as_array().into_iter().flatten();
        let others = others.filter_map(Value::as_str);
        required.entry(name).or_default().extend(others);
    };
    for (name, others) in members("dependentRequired") {
        require(name, others);
    }
    for (name, schema) in members("dependentSchemas") {
        match only_required(schema) {
            Some(others) => require(name, others),
            None => {
                let keyword = format!("dependentSchemas/{name}");
                form.opaque.insert(keyword, AllOf::one(schema));
            }
        }
    }
    for (name, others) in required {
        for other in others {
            let operand = json!({ name: [other] }).to_string();
            form.constraints.insert(("dependentRequired", operand));
        }
    }
}

/// The `required` of a schema that says nothing else about objects.
fn only_required(schema: &Value) -> Option<&Value> {
    let keywords = schema.as_object()?;
    let has_no_effect = |(name, operand): (&String, &Value)| match name.as_str() {
        "required" | "title" | "description" | "$comment" => true,
        "type" => *operand == "object",
        _ => false,
    };
    let required = keywords.get("required")?;
    keywords.iter().all(has_no_effect).then_some(required)
}

/// Takes `unevaluatedProperties` for `additionalProperties` where there is no alternative that could
/// evaluate members: then both mean the same.
pub(super) fn close<'a>(form: &mut NormalForm<'a>, keywords: &'a Map<String, Value>) {
    let Some(schema) = keywords.get("unevaluatedProperties") else {
        return;
    };
    let is_conditional = |name: &String| {
        name.starts_with("if") || name.starts_with("dependent") || name.starts_with("not")
    };
    let is_plain = form.unions.is_empty() && form.additional.is_empty();
    if is_plain && !form.opaque.keys().any(is_conditional) {
        form.opaque.remove("unevaluatedProperties");
        form.additional.push(beside(form, schema));
    }
}
