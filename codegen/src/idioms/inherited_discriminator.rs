//! A union of schemas that another union tells apart by its discriminator.
//!
//! Without the discriminator, a value that one variant takes fits the others as well, and `oneOf` refuses
//! it. The discriminator of the parent decides. Seen: springdoc and Swashbuckle, which write the parent's
//! discriminator once and list its children at each use.

use super::{Idiom, Known, Members, Report, has_only, list};
use crate::diagnostic::Code;
use json_schema::reference::key_in;
use serde_json::{Value, json};

pub(super) const IDIOM: Idiom = Idiom {
    rewrite,
    leaves_items: false,
    values_alone: false,
    report: Some(Report {
        code: Code::InheritedDiscriminator,
        message: "this union lists schemas that the discriminator of their parent tells apart, and has none itself",
        help: "write the parent's `discriminator` beside the list as well, or refer to the parent",
        meaning: "the parent's discriminator is taken",
    }),
};

fn rewrite(members: &mut Members, known: &Known<'_>) -> bool {
    let Some(list) = ["oneOf", "anyOf"]
        .into_iter()
        .find(|list| members.contains_key(*list))
    else {
        return false;
    };
    if !has_only(members, &[list, "type"]) {
        return false;
    }
    let Some(keys) = keys(members, list) else {
        return false;
    };
    if keys.len() < 2 {
        return false;
    }
    let mut unions = known.schemas.values().filter_map(Value::as_object);
    let found = unions.find_map(|union| {
        let discriminator = union.get("discriminator")?;
        let property = discriminator.get("propertyName")?.as_str()?;
        let all = self::keys(union, "oneOf").or_else(|| self::keys(union, "anyOf"))?;
        let is_told = |key: &String| {
            let schema = known.schemas.get(key).and_then(Value::as_object);
            schema.is_some_and(|schema| has_constant(schema, property, known))
        };
        let tells = keys.iter().all(|key| all.contains(key)) && !keys.iter().all(is_told);
        tells.then_some((discriminator, property))
    });
    let Some((discriminator, property)) = found else {
        return false;
    };
    let mapping = discriminator.get("mapping").and_then(Value::as_object);
    let mapping = mapping.into_iter().flatten();
    let mapping: Members = mapping
        .filter(|(_, target)| {
            target
                .as_str()
                .is_some_and(|key| keys.iter().any(|own| own == key))
        })
        .map(|(tag, target)| (tag.clone(), target.clone()))
        .collect();
    let discriminator = match mapping.is_empty() {
        true => json!({ "propertyName": property }),
        false => json!({ "propertyName": property, "mapping": mapping }),
    };
    members.insert("discriminator".into(), discriminator);
    true
}

/// The keys of a list of references; null may be among them.
fn keys(members: &Members, keyword: &str) -> Option<Vec<String>> {
    let variants = list(members, keyword).iter();
    let variants = variants.filter(|variant| **variant != json!({ "type": "null" }));
    let keys: Vec<String> = variants.map(key_in).collect::<Option<_>>()?;
    (!keys.is_empty()).then_some(keys)
}

/// Whether a schema says itself which strings a property may have.
pub(super) fn has_constant(members: &Members, property: &str, known: &Known<'_>) -> bool {
    let own = members.get("properties").and_then(|all| all.get(property));
    let is_constant =
        own.is_some_and(|own| own.get("const").is_some() || own.get("enum").is_some());
    let mut parts = list(members, "allOf").iter().filter_map(Value::as_object);
    is_constant
        || parts.any(|part| has_constant(part, property, known))
        || known
            .follow(members, |target| has_constant(target, property, known))
            .unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::super::Known;
    use super::rewrite;
    use serde_json::{Value, json};

    #[test]
    fn a_list_of_children_has_the_discriminator_of_their_parent() {
        let reference = |name: &str| json!({ "$ref": format!("#/{name}") });
        let (cat, dog, car) = (reference("Cat"), reference("Dog"), reference("Car"));
        let schemas = json!({
            "Pet": {
                "oneOf": [cat, dog],
                "discriminator": { "propertyName": "kind", "mapping": { "c": "Cat", "d": "Dog" } },
            },
            "Cat": { "properties": { "kind": { "type": "string" } } },
            "Dog": { "properties": { "kind": { "type": "string" } } },
            "Toy": { "oneOf": [reference("Ball"), reference("Bone")], "discriminator": { "propertyName": "t" } },
            "Ball": { "properties": { "t": { "const": "Ball" } } },
            "Bone": { "properties": { "t": { "const": "Bone" } } },
        });
        let discriminator =
            json!({ "propertyName": "kind", "mapping": { "c": "Cat", "d": "Dog" } });
        for (variants, expected) in [
            (json!([cat, dog]), Some(&discriminator)),
            (json!([cat, dog, { "type": "null" }]), Some(&discriminator)),
            (json!([cat, car]), None),
            (json!([cat]), None),
            (json!([reference("Ball"), reference("Bone")]), None),
        ] {
            let mut members = serde_json::Map::new();
            members.insert("oneOf".into(), variants);
            let Value::Object(schemas) = schemas.clone() else {
                continue;
            };
            assert_eq!(
                rewrite(&mut members, &Known::new(&schemas)),
                expected.is_some()
            );
            assert_eq!(members.get("discriminator"), expected);
        }
    }
}
