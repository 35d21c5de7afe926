//! `nullable: true` where the standard gives it no effect.
//!
//! OpenAPI 3.0 adds null to the `type` beside `nullable`, and to nothing else (3.0.4 §4.7.24.1); 3.1 has
//! no `nullable`. Seen: beside `allOf`, `oneOf`, `anyOf` and no type (NSwag, Swashbuckle, springdoc,
//! drf-spectacular, Stripe, svix); beside `$ref` (hand-written documents); `{ nullable: true }` as a
//! variant (schemars, dropshot) or as a part of `allOf` (TypeSpec); `{ type: object, nullable: true }` as
//! the second variant of a reference (Microsoft's converters from OData); several nullable variants of a
//! `oneOf`, which all accept null (NSwag); `x-nullable` (go-swagger and documents converted from Swagger
//! 2.0); `nullable` in 3.1 (documents with a new version number alone).

use super::{Idiom, Known, Members, Report, has_only, list};
use crate::diagnostic::Code;
use crate::schema::is_annotation;
use serde_json::{Value, json};

pub(super) const IDIOM: Idiom = Idiom {
    rewrite,
    leaves_items: false,
    values_alone: false,
    report: Some(Report {
        code: Code::IdleNullable,
        message: "`nullable` has no effect as it is written here",
        help: "write `anyOf: [SCHEMA, { type: \"null\" }]` or `type: [TYPE, \"null\"]`; in OpenAPI 3.0, `nullable` \
               beside a `type`, or `anyOf: [SCHEMA, { type: string, nullable: true, enum: [null] }]`",
        meaning: "null is accepted",
    }),
};

/// The keywords that make a schema nullable: OpenAPI 3.0's, and the one that Swagger 2.0 had instead.
const MARKS: [&str; 2] = ["nullable", "x-nullable"];

/// Keywords that compose a schema from others.
const COMPOSING: [&str; 4] = ["$ref", "allOf", "anyOf", "oneOf"];

/// The marks of a schema.
pub(crate) fn marks(members: &Members) -> Members {
    let marks = MARKS.iter().filter_map(|mark| members.get_key_value(*mark));
    marks
        .map(|(mark, value)| (mark.clone(), value.clone()))
        .collect()
}

/// Whether a schema has all its keywords itself.
pub(crate) fn is_plain(members: &Members) -> bool {
    !COMPOSING
        .iter()
        .any(|keyword| members.contains_key(*keyword))
}

fn rewrite(members: &mut Members, known: &Known<'_>) -> bool {
    let mut departs = mark_parts(members);
    departs |= rewrite_variants(members, known);
    departs |= separate_shared_null(members);
    let is_marked = is_marked(members);
    for mark in MARKS {
        members.shift_remove(mark);
    }
    is_marked && add_null(members) || departs
}

fn is_marked(members: &Members) -> bool {
    MARKS
        .iter()
        .any(|mark| members.get(*mark) == Some(&Value::Bool(true)))
}

/// Whether a schema says nothing but that null is accepted.
fn is_bare_mark(schema: &Value) -> bool {
    schema
        .as_object()
        .is_some_and(|members| is_marked(members) && has_only(members, &MARKS))
}

/// Whether all valid values of a schema are null.
fn is_null(schema: &Value) -> bool {
    let ty = schema.get("type");
    ty == Some(&"null".into())
        || ty == Some(&json!(["null"]))
        || schema.get("enum") == Some(&json!([null]))
        || schema.get("const") == Some(&Value::Null)
}

/// Replaces parts of `allOf` that are only marks by the schema's own mark.
fn mark_parts(members: &mut Members) -> bool {
    let Some(Value::Array(parts)) = members.get_mut("allOf") else {
        return false;
    };
    let before = parts.len();
    parts.retain(|part| !is_bare_mark(part));
    if parts.len() == before {
        return false;
    }
    if parts.is_empty() {
        members.shift_remove("allOf");
    }
    members.insert("nullable".into(), true.into());
    true
}

/// Replaces variants that are only marks by null, and makes a `oneOf` of a schema and null an `anyOf`,
/// because both may accept null.
fn rewrite_variants(members: &mut Members, known: &Known<'_>) -> bool {
    let mut departs = false;
    for keyword in ["anyOf", "oneOf"] {
        let Some(Value::Array(variants)) = members.get_mut(keyword) else {
            continue;
        };
        let any_object = json!({ "type": ["object", "null"] });
        let is_reference = variants
            .first()
            .is_some_and(|first| first.get("$ref").is_some());
        let count = variants.len();
        let is_mark = |schema: &Value| {
            is_bare_mark(schema)
                || keyword == "anyOf" && count == 2 && is_reference && *schema == any_object
        };
        let marks = variants.iter().filter(|variant| is_mark(variant)).count();
        if marks > 0 && marks < count {
            departs = true;
            let mut has_null = false;
            variants.retain_mut(|variant| {
                if !is_mark(variant) {
                    return true;
                }
                *variant = json!({ "type": "null" });
                !std::mem::replace(&mut has_null, true)
            });
        }
        if let ("oneOf", [one, other]) = (keyword, variants.as_slice()) {
            let of_two = match (is_null(one), is_null(other)) {
                (true, false) => Some(other),
                (false, true) => Some(one),
                _ => None,
            };
            if of_two.is_some_and(|schema| accepts_null(schema, known))
                && !members.contains_key("anyOf")
            {
                departs = true;
                let variants = members.shift_remove("oneOf").unwrap_or_default();
                members.insert("anyOf".into(), variants);
            }
        }
    }
    departs
}

/// Whether null is valid for a schema with a type, as far as it can be followed.
fn accepts_null(schema: &Value, known: &Known<'_>) -> bool {
    let Some(members) = schema.as_object() else {
        return false;
    };
    if is_marked(members) || is_null(schema) {
        return true;
    }
    let follow = |target: &Members| accepts_null(&Value::Object(target.clone()), known);
    if let Some(accepts) = known.follow(members, follow) {
        return accepts;
    }
    let types = members.get("type").and_then(Value::as_array);
    let mut variants = list(members, "anyOf").iter().chain(list(members, "oneOf"));
    types.is_some_and(|types| types.contains(&"null".into()))
        || variants.any(|variant| accepts_null(variant, known))
}

/// Takes null out of the variants of a `oneOf` of which several accept it, and marks the schema itself.
fn separate_shared_null(members: &mut Members) -> bool {
    let Some(Value::Array(variants)) = members.get_mut("oneOf") else {
        return false;
    };
    let named = |schema: &Value| {
        let types = schema.get("type").and_then(Value::as_array);
        types.is_some_and(|types| types.len() > 1 && types.contains(&"null".into()))
    };
    let accepting = variants
        .iter()
        .filter(|variant| named(variant) || is_null(variant));
    if accepting.count() < 2 {
        return false;
    }
    variants.retain(|variant| !is_null(variant));
    for variant in variants.iter_mut().filter(|variant| named(variant)) {
        if let Some(ty) = variant.get_mut("type") {
            let types = ty.as_array_mut().map(std::mem::take).unwrap_or_default();
            let mut types: Vec<Value> = types.into_iter().filter(|ty| ty != "null").collect();
            *ty = match types.len() {
                1 => types.remove(0),
                _ => types.into(),
            };
        }
        if let Some(Value::Array(values)) = variant.get_mut("enum") {
            values.retain(|value| !value.is_null());
        }
    }
    members.insert("nullable".into(), true.into());
    true
}

/// Makes null valid; returns whether it was not already.
fn add_null(members: &mut Members) -> bool {
    if has_only(members, &["discriminator"]) {
        return false;
    }
    if is_plain(members) && !members.contains_key("const") {
        match members.get_mut("type") {
            Some(Value::Array(types)) if types.contains(&"null".into()) => return false,
            Some(Value::Array(types)) => types.push("null".into()),
            Some(name) => *name = json!([name, "null"]),
            None => {}
        }
        let is_listed = list_null(members);
        if members.contains_key("type") {
            return true;
        }
        if members.contains_key("enum") {
            return is_listed;
        }
    }
    if has_only(members, &["anyOf"])
        && let Some(Value::Array(variants)) = members.get_mut("anyOf")
    {
        let is_there = variants.iter().any(is_null);
        if !is_there {
            variants.push(json!({ "type": "null" }));
        }
        return !is_there;
    }
    let rest = split(members);
    members.insert("anyOf".into(), json!([rest, { "type": "null" }]));
    true
}

/// Adds null to the listed values.
fn list_null(members: &mut Members) -> bool {
    match members.get_mut("enum") {
        Some(Value::Array(values)) if !values.contains(&Value::Null) => {
            values.push(Value::Null);
            true
        }
        _ => false,
    }
}

/// Takes all but the annotations out of a schema. A type that is made of the rest is described as well.
fn split(members: &mut Members) -> Value {
    let mut rest = Members::new();
    for (keyword, value) in std::mem::take(members) {
        if !is_annotation(&keyword) {
            rest.insert(keyword, value);
            continue;
        }
        if matches!(keyword.as_str(), "title" | "description") || keyword.starts_with("x-enum") {
            rest.insert(keyword.clone(), value.clone());
        }
        members.insert(keyword, value);
    }
    for keyword in ["allOf", "oneOf"] {
        if let ([only], true) = (list(&rest, keyword), has_only(&rest, &[keyword])) {
            return only.clone();
        }
    }
    Value::Object(rest)
}

#[cfg(test)]
mod tests {
    use super::super::{Known, Members};
    use super::rewrite;
    use serde_json::{Value, json};

    /// The rewritten schema, and whether it departed from the standard.
    fn rewritten(schema: Value) -> (Value, bool) {
        let Value::Object(mut members) = schema else {
            return (schema, false);
        };
        let known = json!({ "Maybe": { "type": ["string", "null"] } });
        let empty = Members::new();
        let departs = rewrite(
            &mut members,
            &Known::new(known.as_object().unwrap_or(&empty)),
        );
        (Value::Object(members), departs)
    }

    #[test]
    fn null_is_accepted_wherever_nullable_is_meant() {
        let user = json!({ "$ref": "#/User" });
        let maybe = json!({ "$ref": "#/Maybe" });
        let nothing = json!({ "type": "null" });
        let or_null = json!({ "anyOf": [user, nothing] });
        for (old, expected) in [
            (
                json!({ "nullable": true, "allOf": [user] }),
                or_null.clone(),
            ),
            (
                json!({ "nullable": true, "oneOf": [user] }),
                or_null.clone(),
            ),
            (
                json!({ "nullable": true, "anyOf": [user] }),
                or_null.clone(),
            ),
            (
                json!({ "nullable": true, "$ref": "#/User" }),
                or_null.clone(),
            ),
            (
                json!({ "x-nullable": true, "$ref": "#/User" }),
                or_null.clone(),
            ),
            (
                json!({ "anyOf": [user, { "nullable": true }] }),
                or_null.clone(),
            ),
            (
                json!({ "oneOf": [{ "nullable": true, "description": "None." }, user] }),
                json!({ "oneOf": [nothing, user] }),
            ),
            (
                json!({ "allOf": [user, { "nullable": true }] }),
                or_null.clone(),
            ),
            (
                json!({ "anyOf": [user, { "type": ["object", "null"] }] }),
                or_null.clone(),
            ),
            (
                json!({ "type": "object", "nullable": true, "allOf": [user] }),
                json!({ "anyOf": [{ "type": "object", "allOf": [user] }, nothing] }),
            ),
            (
                json!({ "nullable": true, "description": "d", "allOf": [user, { "required": ["a"] }] }),
                json!({
                    "description": "d",
                    "anyOf": [{ "description": "d", "allOf": [user, { "required": ["a"] }] }, nothing],
                }),
            ),
            (
                json!({ "nullable": true, "properties": { "a": {} } }),
                json!({ "anyOf": [{ "properties": { "a": {} } }, nothing] }),
            ),
            (
                json!({ "nullable": true, "type": "string", "enum": ["a"] }),
                json!({ "type": ["string", "null"], "enum": ["a", null] }),
            ),
            (
                json!({ "nullable": true, "enum": ["a"] }),
                json!({ "enum": ["a", null] }),
            ),
            (
                json!({ "oneOf": [{ "type": ["string", "null"] }, { "type": ["integer", "null"] }] }),
                json!({ "anyOf": [{ "oneOf": [{ "type": "string" }, { "type": "integer" }] }, nothing] }),
            ),
            (
                json!({ "oneOf": [maybe, nothing] }),
                json!({ "anyOf": [maybe, nothing] }),
            ),
        ] {
            assert_eq!(rewritten(old.clone()), (expected, true), "{old}");
        }
    }

    #[test]
    fn a_schema_that_accepts_null_already_stays_as_it_is() {
        for (old, expected) in [
            (json!({ "nullable": true }), json!({})),
            (
                json!({ "nullable": false, "$ref": "#/User" }),
                json!({ "$ref": "#/User" }),
            ),
            (
                json!({ "x-nullable": true, "type": ["string", "null"] }),
                json!({ "type": ["string", "null"] }),
            ),
            (
                json!({ "nullable": true, "enum": ["a", null] }),
                json!({ "enum": ["a", null] }),
            ),
            (
                json!({ "oneOf": [{ "$ref": "#/User" }, { "type": "null" }] }),
                json!({ "oneOf": [{ "$ref": "#/User" }, { "type": "null" }] }),
            ),
        ] {
            assert_eq!(rewritten(old.clone()), (expected, false), "{old}");
        }
    }
}
