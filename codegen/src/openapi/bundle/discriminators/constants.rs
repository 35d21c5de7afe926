//! The values by which schemas themselves say which variant they are: the constants of the
//! discriminating member, wherever they stand, or `x-ms-discriminator-value`.

use json_schema::reference::key_in;
use serde_json::{Map, Value};

/// How far references and `allOf` are followed to find a member's constants.
const MAX_DEPTH: usize = 8;

/// The extension by which a descendant names its value of the discriminator.
const TAG: &str = "x-ms-discriminator-value";

/// The only strings that a member of a component may be.
pub(super) fn constants(
    known: &Map<String, Value>,
    key: &str,
    property: &str,
) -> Option<Vec<String>> {
    listed(known, known.get(key)?, property, MAX_DEPTH)
}

/// The only strings of a member of any schema: its own list, or else the shortest list among the
/// schemas that it extends, or those of all that it chooses from.
fn listed(
    known: &Map<String, Value>,
    schema: &Value,
    property: &str,
    depth: usize,
) -> Option<Vec<String>> {
    let depth = depth.checked_sub(1)?;
    let members = schema.as_object()?;
    if let Some(tags) = declared(known, members, property) {
        return Some(tags);
    }
    let parts = members.get("allOf").and_then(Value::as_array);
    let parts = parts.into_iter().flatten();
    let referred = key_in(schema).and_then(|key| known.get(&key));
    let all = parts.chain(referred);
    all.filter_map(|schema| listed(known, schema, property, depth))
        .chain(listed_by_variants(known, members, property, depth))
        .min_by_key(Vec::len)
}

/// The strings of a member in all variants of a union, if every one of them says so.
fn listed_by_variants(
    known: &Map<String, Value>,
    members: &Map<String, Value>,
    property: &str,
    depth: usize,
) -> Option<Vec<String>> {
    let variants = members.get("oneOf").or_else(|| members.get("anyOf"));
    let variants = variants?
        .as_array()
        .filter(|variants| !variants.is_empty())?;
    let discriminator = members.get("discriminator");
    let discriminator = discriminator.filter(|it| it.get("propertyName") == Some(&property.into()));
    let mapping = discriminator.and_then(|it| it.get("mapping")?.as_object());
    let mut all: Vec<String> = Vec::new();
    for variant in variants {
        let key = key_in(variant);
        let mapped = mapping.into_iter().flatten();
        let mapped =
            mapped.filter(|(_, target)| key.is_some() && target.as_str() == key.as_deref());
        let mapped: Vec<String> = mapped.map(|(tag, _)| tag.clone()).collect();
        let tags = match mapped.is_empty() {
            true => listed(known, variant, property, depth),
            false => Some(mapped),
        };
        let name = || Some(vec![key.filter(|_| discriminator.is_some())?]);
        for tag in tags.or_else(name)? {
            if !all.contains(&tag) {
                all.push(tag);
            }
        }
    }
    Some(all)
}

/// The strings that a schema itself lists for its discriminating member, or gives by the common
/// extension for it.
pub(super) fn declared(
    known: &Map<String, Value>,
    members: &Map<String, Value>,
    property: &str,
) -> Option<Vec<String>> {
    if let Some(value) = members.get(TAG).and_then(Value::as_str) {
        return Some(vec![value.to_owned()]);
    }
    let of = |members: &Map<String, Value>| {
        let member = members.get("properties")?.get(property)?;
        texts(known, member, MAX_DEPTH)
    };
    let inline = members
        .get("allOf")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    let inline = inline.filter_map(Value::as_object);
    of(members).or_else(|| inline.filter_map(of).next())
}

/// The only strings that a schema takes: its constant or list, or the shortest of the schemas that it
/// extends.
fn texts(known: &Map<String, Value>, schema: &Value, depth: usize) -> Option<Vec<String>> {
    let depth = depth.checked_sub(1)?;
    if let Some(constant) = schema.get("const") {
        return Some(vec![constant.as_str()?.to_owned()]);
    }
    if let Some(listed) = schema.get("enum").and_then(Value::as_array) {
        let texts = listed.iter().map(|value| value.as_str().map(str::to_owned));
        return texts.collect();
    }
    let parts = schema.get("allOf").and_then(Value::as_array);
    let referred = key_in(schema).and_then(|key| known.get(&key));
    let all = parts.into_iter().flatten().chain(referred);
    all.filter_map(|part| texts(known, part, depth))
        .min_by_key(Vec::len)
}
