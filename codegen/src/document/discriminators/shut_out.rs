//! Variants that a discriminator names by a member which they can never have: closed ones that do not
//! declare it.

use super::{DEPTH, Key, key_of_reference, reference};
use serde_json::{Map, Value};

/// The first variant whose values can never have the member that is to name it, and that member.
pub(super) fn find(
    known: &Map<String, Value>,
    members: &Map<String, Value>,
) -> Option<(Key, String)> {
    let property = members
        .get("discriminator")?
        .get("propertyName")?
        .as_str()?;
    let list = members.get("oneOf").or_else(|| members.get("anyOf"))?;
    let mut keys = list.as_array()?.iter().filter_map(reference);
    let closed = keys.find(|key| shuts_out(known, known.get(key), property, DEPTH))?;
    Some((closed, property.to_owned()))
}

fn shuts_out(
    known: &Map<String, Value>,
    schema: Option<&Value>,
    property: &str,
    depth: usize,
) -> bool {
    let Some((members, depth)) = schema.and_then(Value::as_object).zip(depth.checked_sub(1)) else {
        return false;
    };
    let declares = |keyword: &str| members.get(keyword).and_then(|all| all.get(property));
    let closed = members.get("additionalProperties") == Some(&Value::Bool(false))
        && declares("properties").is_none()
        && !members.contains_key("patternProperties");
    let all = members.get("allOf").and_then(Value::as_array);
    let mut parts = all.into_iter().flatten();
    let referred = members.get("$ref").and_then(Value::as_str);
    let referred = referred.and_then(key_of_reference);
    closed
        || parts.any(|part| shuts_out(known, Some(part), property, depth))
        || referred.is_some_and(|key| shuts_out(known, known.get(&key), property, depth))
}

#[cfg(test)]
mod tests {
    use crate::Reading;
    use crate::diagnostic::Diagnostics;
    use crate::document::parse;
    use serde_json::{Value, json};

    /// Whether the discriminator of a union of these two counts; it is told where it does not.
    fn counts(one: &Value, other: &Value) -> bool {
        let list = [
            json!({ "$ref": "#/components/schemas/One" }),
            json!({ "$ref": "#/components/schemas/Other" }),
        ];
        let either = json!({ "oneOf": list, "discriminator": { "propertyName": "kind" } });
        let document = json!({
            "openapi": "3.1.1", "info": { "title": "T", "version": "1" },
            "components": { "schemas": { "One": one, "Other": other, "Either": either } },
        });
        let mut found = Diagnostics::default();
        let parsed = parse(&document, &Reading::default(), &mut found);
        let either = parsed.bundle.get("Either").unwrap();
        let counts = either.get("discriminator").is_some();
        assert_eq!(found.is_empty(), counts, "{one}");
        counts
    }

    #[test]
    fn a_name_that_a_variant_can_never_have_tells_nothing() {
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
    }
}
