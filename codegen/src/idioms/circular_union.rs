//! A parent that lists its children in `oneOf`, and whose children extend the parent by `allOf`.
//!
//! By the letter, a value of a child is a parent and so one of its children again, without end. The list
//! only names the children, which the discriminator does as well; without it, the parent is a union of its
//! children, each with the parent's properties. Seen: hand-written documents, after old versions of
//! Microsoft's guidelines.

use super::{Idiom, Known, Members, Report, list};
use crate::diagnostic::Code;
use json_schema::reference::key_in;
use serde_json::{Map, Value};

pub(super) const IDIOM: Idiom = Idiom {
    rewrite,
    leaves_items: false,
    values_alone: false,
    report: Some(Report {
        code: Code::CircularUnion,
        message: "this union lists schemas that extend the union itself",
        help: "leave out the list of variants: the schemas that extend this one are its variants, by the discriminator",
        meaning: "the list is ignored, and the discriminator names the variants",
    }),
};

/// The member of a discriminator whose parent is none of the variants.
pub(crate) const ONLY_LISTED: &str = "x-only-listed";

fn rewrite(members: &mut Members, known: &Known<'_>) -> bool {
    if !members.contains_key("discriminator") {
        return false;
    }
    let lists = ["oneOf", "anyOf"].into_iter();
    let mut lists = lists.filter(|list| members.contains_key(*list));
    let (Some(keyword), None) = (lists.next(), lists.next()) else {
        return false;
    };
    let keys: Option<Vec<String>> = list(members, keyword).iter().map(key_in).collect();
    let Some(keys) = keys.filter(|keys| !keys.is_empty()) else {
        return false;
    };
    // The schema that is being rewritten is not among the known ones: nothing else is null.
    let is_this = |part: &Value| {
        key_in(part).is_some_and(|key| known.schemas.get(&key) == Some(&Value::Null))
    };
    let extends = |key: &String| {
        let child = known.schemas.get(key).and_then(Value::as_object);
        child.is_some_and(|child| list(child, "allOf").iter().any(is_this))
    };
    if !keys.iter().all(extends) {
        return false;
    }
    members.shift_remove(keyword);
    name_variants(members, &keys);
    true
}

/// Maps the variants that the discriminator does not map by their own names.
fn name_variants(members: &mut Members, keys: &[String]) {
    let Some(Value::Object(discriminator)) = members.get_mut("discriminator") else {
        return;
    };
    discriminator.insert(ONLY_LISTED.into(), true.into());
    let mapping = discriminator
        .entry("mapping")
        .or_insert_with(|| Map::new().into());
    if let Value::Object(mapping) = mapping {
        for key in keys {
            if !mapping.values().any(|target| target == key) {
                mapping.insert(key.clone(), key.clone().into());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Known;
    use super::rewrite;
    use serde_json::{Value, json};

    #[test]
    fn a_parent_of_its_own_variants_is_named_by_the_discriminator() {
        let pet = json!({
            "properties": { "kind": {} },
            "oneOf": [{ "$ref": "#/Cat" }, { "$ref": "#/Dog" }],
            "discriminator": { "propertyName": "kind", "mapping": { "cat": "Cat" } },
        });
        let child = json!({ "allOf": [{ "$ref": "#/Pet" }, { "properties": { "lives": {} } }] });
        for (dog, expected) in [
            (
                child.clone(),
                Some(json!({
                    "properties": { "kind": {} },
                    "discriminator": { "propertyName": "kind", "mapping": { "cat": "Cat", "Dog": "Dog" }, "x-only-listed": true },
                })),
            ),
            (json!({ "properties": { "kind": {} } }), None),
        ] {
            let schemas = json!({ "Pet": null, "Cat": child, "Dog": dog });
            let (Value::Object(mut members), Value::Object(schemas)) = (pet.clone(), schemas)
            else {
                continue;
            };
            assert_eq!(
                rewrite(&mut members, &Known::new(&schemas)),
                expected.is_some()
            );
            assert_eq!(
                Value::Object(members),
                expected.unwrap_or_else(|| pet.clone())
            );
        }
    }
}
