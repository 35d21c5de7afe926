//! Properties beside a union: they belong to every variant.
//!
//! A union of the variants, each together with what stands beside the union, says the same. Seen:
//! properties beside `oneOf` (hand-written documents), `allOf` of a base and a `oneOf` (TypeSpec, drf-
//! spectacular, schemars for `#[serde(flatten)]`), with a discriminator or without.

use super::inherited_discriminator::has_constant;
use super::{Idiom, Known, Members, has_only, list};
use crate::schema::is_annotation;
use json_schema::reference::key_in;
use serde_json::{Value, json};

pub(super) const IDIOM: Idiom = Idiom {
    rewrite,
    leaves_items: true,
    values_alone: false,
    report: None,
};

const LISTS: [&str; 2] = ["oneOf", "anyOf"];

/// Keywords that may stand beside the union.
const BESIDE: [&str; 8] = [
    "type",
    "properties",
    "required",
    "additionalProperties",
    "unevaluatedProperties",
    "allOf",
    "$ref",
    "discriminator",
];

fn rewrite(members: &mut Members, known: &Known<'_>) -> bool {
    let mut members_of_union = members.clone();
    lift_union(&mut members_of_union);
    if let Some(union) = distributed(&members_of_union, known) {
        members.retain(|keyword, _| is_annotation(keyword));
        members.extend(union);
    }
    false
}

/// Moves the only union in `allOf` beside it.
fn lift_union(members: &mut Members) {
    if LISTS.iter().any(|list| members.contains_key(*list)) || members.contains_key("discriminator")
    {
        return;
    }
    let is_union = |part: &Value| {
        let part = part.as_object();
        part.is_some_and(|part| {
            let lists = LISTS
                .iter()
                .filter(|list| part.contains_key(**list))
                .count();
            lists == 1 && has_only(part, &["oneOf", "anyOf", "discriminator", "type"])
        })
    };
    let Some(Value::Array(parts)) = members.get_mut("allOf") else {
        return;
    };
    let mut unions = parts.iter().enumerate().filter(|(_, part)| is_union(part));
    let (Some((index, _)), None) = (unions.next(), unions.next()) else {
        return;
    };
    if parts.len() < 2
        && !["properties", "required"]
            .iter()
            .any(|name| members.contains_key(*name))
    {
        return;
    }
    let Some(Value::Array(parts)) = members.get_mut("allOf") else {
        return;
    };
    let Value::Object(union) = parts.remove(index) else {
        return;
    };
    if parts.is_empty() {
        members.shift_remove("allOf");
    }
    for (keyword, value) in union {
        if LISTS.contains(&keyword.as_str()) || keyword == "discriminator" {
            members.insert(keyword, value);
        }
    }
}

/// The union of each variant with what stands beside it.
fn distributed(members: &Members, known: &Known<'_>) -> Option<Members> {
    let mut lists = LISTS.iter().filter(|list| members.contains_key(**list));
    let (Some(list), None) = (lists.next(), lists.next()) else {
        return None;
    };
    if !has_only(members, &[&BESIDE[..], &[*list]].concat()) {
        return None;
    }
    let is_beside = |keyword: &&String| {
        BESIDE.contains(&keyword.as_str()) && !["discriminator", "type"].contains(&keyword.as_str())
    };
    let beside: Vec<&String> = members.keys().filter(is_beside).collect();
    let has_shared = has_properties(members, known);
    let variants = super::list(members, list);
    let are_objects = variants.iter().all(|variant| {
        let variant = variant.as_object();
        variant.is_some_and(|variant| has_properties(variant, known))
    });
    if beside.is_empty() || !has_shared || !are_objects || variants.len() < 2 {
        return None;
    }
    let mut shared = Members::new();
    let mut around = Members::new();
    for (keyword, value) in members {
        match keyword.as_str() {
            "discriminator" => {}
            // It counts the properties of the variant as well.
            "unevaluatedProperties" => _ = around.insert(keyword.clone(), value.clone()),
            name if name == *list || is_annotation(name) => {}
            _ => _ = shared.insert(keyword.clone(), value.clone()),
        }
    }
    let discriminator = members.get("discriminator");
    let each = variants.iter().map(|variant| {
        let mut parts = vec![Value::Object(shared.clone()), variant.clone()];
        parts.extend(discriminator.and_then(|it| tagged(it, variant, known)));
        let mut whole = Members::new();
        whole.insert("allOf".into(), parts.into());
        whole.extend(around.clone());
        Value::Object(whole)
    });
    let each: Vec<Value> = each.collect();
    let mut union = Members::new();
    union.insert((*list).to_owned(), each.into());
    Some(union)
}

/// Whether a schema has properties, itself or by its parts.
fn has_properties(members: &Members, known: &Known<'_>) -> bool {
    let mut parts = list(members, "allOf").iter().filter_map(Value::as_object);
    members.contains_key("properties")
        || parts.any(|part| has_properties(part, known))
        || known
            .follow(members, |target| has_properties(target, known))
            .unwrap_or(false)
}

/// The values of the discriminator that name a variant, unless it says so itself.
fn tagged(discriminator: &Value, variant: &Value, known: &Known<'_>) -> Option<Value> {
    let property = discriminator.get("propertyName")?.as_str()?;
    let key = key_in(variant)?;
    if has_constant(variant.as_object()?, property, known) {
        return None;
    }
    let mapping = discriminator.get("mapping").and_then(Value::as_object);
    let mapped = mapping.into_iter().flatten();
    let mapped = mapped.filter(|(_, target)| target.as_str() == Some(&key));
    let mut tags: Vec<Value> = mapped.map(|(tag, _)| tag.clone().into()).collect();
    if tags.is_empty() {
        tags.push(key.into());
    }
    let only = match tags.as_slice() {
        [only] => json!({ "const": only }),
        _ => json!({ "enum": tags }),
    };
    let mut properties = Members::new();
    properties.insert(property.to_owned(), only);
    Some(json!({ "type": "object", "required": [property], "properties": properties }))
}

#[cfg(test)]
mod tests {
    use super::super::Known;
    use super::rewrite;
    use serde_json::{Value, json};

    #[test]
    fn what_stands_beside_a_union_belongs_to_each_variant() {
        let shared = json!({ "type": "object", "required": ["a"], "properties": { "a": {} } });
        let (one, other) = (json!({ "$ref": "#/One" }), json!({ "$ref": "#/Other" }));
        let both = json!([{ "allOf": [shared, one] }, { "allOf": [shared, other] }]);
        let tag = |value: &str| json!({ "type": "object", "required": ["t"], "properties": { "t": { "const": value } } });
        let within = json!({ "allOf": [shared] });
        for (old, expected) in [
            (
                json!({
                    "description": "d", "type": "object", "required": ["a"], "properties": { "a": {} },
                    "oneOf": [one, other],
                }),
                Some(json!({ "description": "d", "oneOf": both })),
            ),
            (
                json!({ "allOf": [shared, { "anyOf": [one, other] }] }),
                Some(
                    json!({ "anyOf": [{ "allOf": [within, one] }, { "allOf": [within, other] }] }),
                ),
            ),
            (
                json!({ "allOf": [shared, {
                    "oneOf": [one, other],
                    "discriminator": { "propertyName": "t", "mapping": { "1": "One" } },
                }] }),
                Some(json!({ "oneOf": [
                    { "allOf": [within, one, tag("1")] },
                    { "allOf": [within, other, tag("Other")] },
                ] })),
            ),
            (
                json!({ "properties": { "a": {} }, "oneOf": [{ "required": ["a"] }, { "required": ["b"] }] }),
                None,
            ),
            (json!({ "type": "object", "oneOf": [one, other] }), None),
            (json!({ "allOf": [{ "oneOf": [one, other] }] }), None),
        ] {
            let Value::Object(mut members) = old.clone() else {
                continue;
            };
            let schemas = json!({
                "One": { "properties": { "b": {} } },
                "Other": { "allOf": [{ "properties": { "c": {} } }] },
            });
            let Value::Object(schemas) = schemas else {
                continue;
            };
            assert!(!rewrite(&mut members, &Known::new(&schemas)));
            assert_eq!(Value::Object(members), expected.unwrap_or(old));
        }
    }
}
