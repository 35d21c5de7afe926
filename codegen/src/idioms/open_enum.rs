//! Listed strings to which more may be added: an `anyOf` of the listed strings and of any other.
//!
//! Seen: an `anyOf` of `string` and an `enum`, in either order, by reference or not (OpenAI, TypeSpec,
//! FastAPI); the same as a `oneOf`, which by the letter refuses the listed strings (hand-written
//! documents); `x-extensible-enum` with the values (Zalando's guidelines), `x-extensible-enum: true`,
//! `x-speakeasy-unknown-values: allow` and `x-ms-enum` with `modelAsString` beside an `enum`.

use super::annotated_enum::Constants;
use super::{Idiom, Known, Members, Report, has_only};
use crate::diagnostic::Code;
use crate::schema::is_annotation;
use serde_json::{Value, json};

pub(super) const IDIOM: Idiom = Idiom {
    rewrite,
    leaves_items: false,
    values_alone: false,
    report: Some(Report {
        code: Code::ExclusiveOpenEnum,
        message: "this `oneOf` refuses the strings that it lists, because each of them fits `string` as well",
        help: "write `anyOf` instead of `oneOf`",
        meaning: "it is read as `anyOf`",
    }),
};

fn rewrite(members: &mut Members, known: &Known<'_>) -> bool {
    if is_extensible(members) {
        open(members);
        return false;
    }
    let list = match ["anyOf", "oneOf"].map(|list| members.contains_key(list)) {
        [true, false] => "anyOf",
        [false, true] => "oneOf",
        _ => return false,
    };
    if !has_only(members, &[list, "type"]) {
        return false;
    }
    let Some(Value::Array(variants)) = members.get(list) else {
        return false;
    };
    let mut listed: Option<Constants> = None;
    let mut references = Vec::new();
    let (mut strings, mut nulls, mut constants) = (None, 0, 0);
    for variant in variants {
        let target = variant
            .as_object()
            .and_then(|variant| known.referred(variant));
        let constant = match target {
            Some(target) => Constants::from_schema(&Value::Object(target.clone())),
            None => Constants::from_schema(variant),
        };
        if let Some(constant) = constant.filter(Constants::are_strings) {
            constants += 1;
            references.extend(target.map(|_| variant.clone()));
            match &mut listed {
                None => listed = Some(constant),
                Some(listed) => _ = listed.extend(constant),
            }
        } else if is_any_string(variant) {
            strings = Some(variant);
        } else if *variant == json!({ "type": "null" }) {
            nulls += 1;
        } else {
            return false;
        }
    }
    let (Some(strings), Some(listed)) = (strings, listed) else {
        return false;
    };
    let mut other = strings.clone();
    let first = match references.as_slice() {
        // Its name and that of the type tell the variants apart.
        [only] if constants == 1 => only.clone(),
        _ => {
            if let Value::Object(other) = &mut other {
                other.insert("title".into(), "Other".into());
            }
            titled(listed)
        }
    };
    let mut opened = vec![first, other];
    if nulls > 0 {
        opened.push(json!({ "type": "null" }));
    }
    members.shift_remove(list);
    members.insert("anyOf".into(), opened.into());
    list == "oneOf"
}

/// A schema of the listed strings, whose title names the variant.
fn titled(listed: Constants) -> Value {
    let mut keywords = listed.keywords();
    keywords.insert("title".into(), "Known".into());
    Value::Object(keywords)
}

impl Constants {
    fn are_strings(&self) -> bool {
        self.values.iter().all(|(value, _)| value.is_string())
    }
}

/// Whether every string is valid for a schema, and nothing else.
fn is_any_string(schema: &Value) -> bool {
    let members = schema.as_object();
    members.is_some_and(|members| {
        members.get("type") == Some(&"string".into()) && has_only(members, &["type"])
    })
}

/// Whether an extension says that the listed strings are not all.
fn is_extensible(members: &mut Members) -> bool {
    let of_strings = |values: &Value| {
        let values = values.as_array();
        values.is_some_and(|all| !all.is_empty() && all.iter().all(Value::is_string))
    };
    let is_string = |ty: &Value| *ty == "string" || *ty == json!(["string", "null"]);
    if !members.get("type").is_some_and(is_string) {
        return false;
    }
    if !members.contains_key("enum")
        && let Some(values) = members
            .get("x-extensible-enum")
            .filter(|all| of_strings(all))
    {
        let values = values.clone();
        members.insert("enum".into(), values);
        return true;
    }
    let says = |keyword: &str, value: &Value| members.get(keyword) == Some(value);
    let as_string = members
        .get("x-ms-enum")
        .and_then(|it| it.get("modelAsString"));
    members.contains_key("enum")
        && (says("x-extensible-enum", &true.into())
            || says("x-speakeasy-unknown-values", &"allow".into())
            || as_string == Some(&true.into()))
}

/// Opens a list of strings.
fn open(members: &mut Members) {
    let mut keywords = Members::new();
    for keyword in ["enum", "x-enum-varnames", "x-enum-descriptions"] {
        keywords.extend(
            members
                .shift_remove(keyword)
                .map(|value| (keyword.to_owned(), value)),
        );
    }
    let mut is_nullable = false;
    if let Some(Value::Array(values)) = keywords.get_mut("enum") {
        is_nullable = values.contains(&Value::Null);
        values.retain(Value::is_string);
    }
    if let Some(ty) = members.shift_remove("type") {
        is_nullable |= ty.is_array();
    }
    // Other keywords hold for every string.
    let rest: Vec<String> = members
        .keys()
        .filter(|name| !is_annotation(name))
        .cloned()
        .collect();
    let mut other = Members::new();
    for keyword in rest {
        other.extend(members.shift_remove(&keyword).map(|value| (keyword, value)));
    }
    keywords.insert("type".into(), "string".into());
    keywords.insert("title".into(), "Known".into());
    other.insert("type".into(), "string".into());
    other.insert("title".into(), "Other".into());
    let mut variants = vec![Value::Object(keywords), Value::Object(other)];
    if is_nullable {
        variants.push(json!({ "type": "null" }));
    }
    members.insert("anyOf".into(), variants.into());
}

#[cfg(test)]
mod tests {
    use super::super::Known;
    use super::rewrite;
    use serde_json::{Value, json};

    #[test]
    fn an_open_list_is_the_listed_strings_or_any_other() {
        let listed = json!({ "type": "string", "enum": ["a", "b"] });
        let any = json!({ "type": "string" });
        let known = json!({ "type": "string", "enum": ["a", "b"], "title": "Known" });
        let other = json!({ "type": "string", "title": "Other" });
        let nothing = json!({ "type": "null" });
        let opened = json!({ "anyOf": [known, other] });
        let kind = json!({ "$ref": "#/Kind" });
        for (old, expected, departs) in [
            (json!({ "anyOf": [any, listed] }), opened.clone(), false),
            (json!({ "oneOf": [listed, any] }), opened.clone(), true),
            (
                json!({ "anyOf": [{ "const": "a" }, { "const": "b" }, any, nothing] }),
                json!({ "anyOf": [known, other, nothing] }),
                false,
            ),
            (
                json!({ "anyOf": [kind, any] }),
                json!({ "anyOf": [kind, any] }),
                false,
            ),
            (
                json!({ "anyOf": [kind, { "const": "b" }, any] }),
                opened.clone(),
                false,
            ),
            (
                json!({ "type": "string", "x-extensible-enum": ["a", "b"] }),
                json!({ "x-extensible-enum": ["a", "b"], "anyOf": [known, other] }),
                false,
            ),
            (
                json!({ "type": ["string", "null"], "enum": ["a", "b", null], "x-extensible-enum": true }),
                json!({ "x-extensible-enum": true, "anyOf": [known, other, nothing] }),
                false,
            ),
            (
                json!({ "anyOf": [any, kind, { "type": "integer" }] }),
                json!({ "anyOf": [any, kind, { "type": "integer" }] }),
                false,
            ),
            (listed.clone(), listed.clone(), false),
        ] {
            let Value::Object(mut members) = old.clone() else {
                continue;
            };
            let schemas = json!({ "Kind": { "type": "string", "enum": ["a"] } });
            let Value::Object(schemas) = schemas else {
                continue;
            };
            assert_eq!(
                rewrite(&mut members, &Known::new(&schemas)),
                departs,
                "{old}"
            );
            assert_eq!(Value::Object(members), expected, "{old}");
        }
    }
}
