//! Variants that can never contain the member of their discriminator: closed ones that do not
//! declare it.

use super::DEFAULT_MAPPING;
use crate::openapi::bundle::{Key, schemas_in};
use json_schema::keyword::is_in_place;
use json_schema::reference::key_in;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The first variant whose values can never contain the discriminating member, and that member.
pub(super) fn find(
    known: &Map<String, Value>,
    members: &Map<String, Value>,
) -> Option<(Key, String)> {
    let discriminator = members.get("discriminator")?;
    let property = discriminator.get("propertyName")?.as_str()?;
    // The default mapping is meant where the member is absent.
    let default = discriminator.get(DEFAULT_MAPPING).and_then(Value::as_str);
    let list = members.get("oneOf").or_else(|| members.get("anyOf"))?;
    let mut keys = list.as_array()?.iter().filter_map(key_in);
    let closed = keys.find(|key| default != Some(key) && excludes(known, key, property))?;
    Some((closed, property.to_owned()))
}

fn excludes(known: &Map<String, Value>, key: &str, property: &str) -> bool {
    let parts = known
        .get(key)
        .map(|schema| parts(known, schema, |keyword| keyword == "allOf"));
    let mut parts = parts.into_iter().flatten();
    parts.any(|part| {
        let is_false = |keyword: &str| part.get(keyword) == Some(&Value::Bool(false));
        (is_false("additionalProperties") && !declares(part.as_object(), property))
            || (is_false("unevaluatedProperties") && !evaluates(known, part, property))
    })
}

/// A schema and all schemas that hold for the same value, through `$ref` and the keywords of
/// `is_part`; each target once.
fn parts<'a>(
    known: &'a Map<String, Value>,
    schema: &'a Value,
    is_part: impl Fn(&str) -> bool,
) -> Vec<&'a Value> {
    let mut seen = BTreeSet::new();
    let mut open = vec![schema];
    let mut found = Vec::new();
    while let Some(next) = open.pop() {
        found.push(next);
        let referred = key_in(next).filter(|key| seen.insert(key.clone()));
        open.extend(referred.and_then(|key| known.get(&key)));
        let members = next.as_object().into_iter().flatten();
        for (keyword, operand) in members.filter(|(keyword, _)| is_part(keyword)) {
            open.extend(schemas_in(keyword, operand));
        }
    }
    found
}

/// Whether a schema declares a member of this name, by a property or a pattern. An unreadable
/// pattern may match any name.
fn declares(members: Option<&Map<String, Value>>, property: &str) -> bool {
    let all = |keyword: &str| members?.get(keyword)?.as_object();
    let matches = |pattern: &String| {
        json_schema::pattern::compile(pattern).map_or(true, |pattern| pattern.is_match(property))
    };
    all("properties").is_some_and(|all| all.contains_key(property))
        || all("patternProperties").is_some_and(|all| all.keys().any(matches))
}

/// Whether any keyword of a schema but its `unevaluatedProperties: false` may evaluate a member.
fn evaluates(known: &Map<String, Value>, schema: &Value, property: &str) -> bool {
    let in_place = |keyword: &str| is_in_place(keyword) && keyword != "not";
    let mut parts = parts(known, schema, in_place).into_iter();
    parts.any(|part| {
        let open = |keyword: &str| {
            part.get(keyword)
                .is_some_and(|operand| *operand != Value::Bool(false))
        };
        declares(part.as_object(), property)
            || open("additionalProperties")
            || open("unevaluatedProperties")
            || part.get("$dynamicRef").is_some()
    })
}

#[cfg(test)]
mod tests {
    use crate::Reading;
    use crate::diagnostic::Diagnostics;
    use crate::openapi::parse;
    use serde_json::{Value, json};

    /// Whether the discriminator of a union of these two is used; the test expects a diagnostic
    /// where it is not.
    fn counts(one: &Value, other: &Value) -> bool {
        let list = [
            json!({ "$ref": "#/components/schemas/One" }),
            json!({ "$ref": "#/components/schemas/Other" }),
        ];
        let typed = |schema: &Value| {
            let mut schema = schema.clone();
            schema["type"] = "object".into();
            schema
        };
        let (one, other) = (&typed(one), &typed(other));
        let either = json!({ "oneOf": list, "discriminator": { "propertyName": "kind" } });
        let document = json!({
            "openapi": "3.1.1", "info": { "title": "T", "version": "1" },
            "components": { "schemas": { "One": one, "Other": other, "Either": either } },
        });
        let mut diagnostics = Diagnostics::default();
        let parsed = parse(&document, &Reading::default(), &mut diagnostics);
        let either = parsed.bundle.get("Either").unwrap();
        let counts = either.get("discriminator").is_some();
        assert_eq!(diagnostics.is_empty(), counts, "{one}");
        counts
    }

    #[test]
    fn a_member_that_a_variant_cannot_contain_does_not_discriminate() {
        let open = json!({ "type": "object", "required": ["a"] });
        let shut =
            |properties: Value| json!({ "properties": properties, "additionalProperties": false });
        assert!(counts(&open, &open));
        assert!(counts(
            &shut(json!({ "kind": { "type": "string" } })),
            &open
        ));
        assert!(!counts(&shut(json!({ "a": {} })), &open));
        assert!(!counts(&open, &json!({ "allOf": [shut(json!({}))] })));
        assert!(!counts(
            &open,
            &json!({ "allOf": [{ "$ref": "#/components/schemas/One" }, shut(json!({}))] })
        ));
        let by_pattern =
            json!({ "patternProperties": { "^k": {} }, "additionalProperties": false });
        assert!(counts(&by_pattern, &open));
        let extensions =
            json!({ "patternProperties": { "^x-": {} }, "additionalProperties": false });
        assert!(!counts(&extensions, &open));
    }

    #[test]
    fn a_member_that_is_evaluated_anywhere_is_allowed() {
        let open = json!({ "type": "object", "required": ["a"] });
        let rest = |mut schema: Value| {
            schema["unevaluatedProperties"] = json!(false);
            schema
        };
        let kind = json!({ "properties": { "kind": {} } });
        assert!(!counts(&open, &rest(json!({ "properties": { "a": {} } }))));
        assert!(!counts(
            &open,
            &rest(json!({ "allOf": [{ "$ref": "#/components/schemas/One" }] }))
        ));
        for schema in [
            json!({ "allOf": [kind] }),
            json!({ "anyOf": [{ "required": ["b"] }, kind] }),
            json!({ "dependentSchemas": { "a": kind } }),
            json!({ "if": { "required": ["a"] }, "then": kind }),
            json!({ "additionalProperties": { "type": "string" } }),
        ] {
            assert!(counts(&open, &rest(schema)));
        }
        assert!(counts(
            &kind,
            &rest(json!({ "$ref": "#/components/schemas/One" }))
        ));
    }
}
