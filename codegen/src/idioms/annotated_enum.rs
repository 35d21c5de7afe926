//! Constants as the variants of a union: one `enum`, whose values keep their titles and descriptions.
//!
//! OpenAPI describes this notation for documented values. Seen: a `oneOf` of `const` with `title` and
//! `description` (hand-written documents of 3.1, schemars 1, utoipa); of one-value `enum`s (schemars 0.8,
//! dropshot), some with several values; an `anyOf` of them (TypeSpec, zod). In a union with other variants
//! (serde's external tagging: unit variants beside objects), the constants become one variant.

use super::enum_names::{self, DESCRIPTIONS, NAMES};
use super::{Idiom, Known, Members, has_only};
use serde_json::{Value, json};

pub(super) const IDIOM: Idiom = Idiom {
    rewrite,
    leaves_items: false,
    values_alone: false,
    report: None,
};

/// The values of a schema that is a list of constants.
pub(super) struct Constants {
    /// Each value with its name and its description, which may be null.
    pub(super) values: Vec<(Value, (Value, Value))>,
}

impl Constants {
    /// The values of a schema that only lists strings, or only integers.
    pub(super) fn from_schema(schema: &Value) -> Option<Constants> {
        let members = schema.as_object()?;
        if !has_only(members, &["type", "const", "enum"]) {
            return None;
        }
        let values = match (members.get("const"), members.get("enum")) {
            (Some(only), None) => std::slice::from_ref(only),
            (None, Some(Value::Array(values))) => values.as_slice(),
            _ => return None,
        };
        let kind = kind(values.first()?)?;
        let ty = members.get("type");
        let is_typed = ty.is_none_or(|ty| *ty == kind);
        if !is_typed || values.iter().any(|value| self::kind(value) != Some(kind)) {
            return None;
        }
        let own = |keyword: &str| {
            members
                .get(keyword)
                .filter(|text| text.is_string())
                .cloned()
        };
        let each = values.iter().enumerate().map(|(index, value)| {
            let of_list = |list| enum_names::text_at(members, list, index).cloned();
            let title = own("title").filter(|_| values.len() == 1);
            let name = of_list(NAMES).or(title).unwrap_or_default();
            let text = of_list(DESCRIPTIONS).or_else(|| own("description"));
            (value.clone(), (name, text.unwrap_or_default()))
        });
        Some(Constants {
            values: each.collect(),
        })
    }

    fn kind(&self) -> Option<&'static str> {
        self.values.first().and_then(|(value, _)| kind(value))
    }

    /// Adds the values that are not among these; returns how many of them are.
    pub(super) fn extend(&mut self, others: Constants) -> usize {
        let mut shared = 0;
        for one in others.values {
            match self.values.iter().any(|(known, _)| *known == one.0) {
                true => shared += 1,
                false => self.values.push(one),
            }
        }
        shared
    }

    /// The keywords of a schema of these values.
    pub(super) fn keywords(self) -> Members {
        let mut members = Members::new();
        members.insert("type".into(), self.kind().unwrap_or("string").into());
        let (values, named): (Vec<Value>, Vec<_>) = self.values.into_iter().unzip();
        members.insert("enum".into(), values.into());
        enum_names::insert(&mut members, &named);
        members
    }
}

/// The type of a value that may be listed.
fn kind(value: &Value) -> Option<&'static str> {
    match value {
        Value::String(_) => Some("string"),
        Value::Number(number) if number.is_i64() => Some("integer"),
        _ => None,
    }
}

fn is_null(schema: &Value) -> bool {
    let members = schema.as_object();
    members.is_some_and(|members| {
        has_only(members, &["type", "const", "enum"])
            && (members.get("type") == Some(&"null".into())
                || members.get("const") == Some(&Value::Null))
    })
}

fn rewrite(members: &mut Members, _: &Known<'_>) -> bool {
    let lists = ["oneOf", "anyOf"].map(|list| members.contains_key(list));
    let list = match lists {
        [true, false] => "oneOf",
        [false, true] => "anyOf",
        _ => return false,
    };
    let Some(Value::Array(variants)) = members.get(list) else {
        return false;
    };
    let mut merged: Option<Constants> = None;
    let (mut constants, mut nulls, mut shared) = (0, 0, 0);
    for variant in variants {
        nulls += usize::from(is_null(variant));
        let Some(found) = Constants::from_schema(variant) else {
            continue;
        };
        match &mut merged {
            None => merged = Some(found),
            Some(known) if known.kind() == found.kind() => shared += known.extend(found),
            Some(_) => continue,
        }
        constants += 1;
    }
    // A `oneOf` refuses a value that two variants list.
    let is_refused = list == "oneOf" && shared > 0;
    let Some(merged) = merged.filter(|merged| merged.values.len() > 1 && !is_refused) else {
        return false;
    };
    let kind = merged.kind();
    if constants + nulls == variants.len() && has_only(members, &[list, "type"]) {
        members.shift_remove(list);
        let mut keywords = merged.keywords();
        if nulls > 0 {
            keywords.insert("type".into(), json!([kind, "null"]));
            if let Some(Value::Array(values)) = keywords.get_mut("enum") {
                values.push(Value::Null);
            }
        }
        for (keyword, value) in keywords {
            members.entry(keyword).or_insert(value);
        }
    } else if constants > 1
        && !members.contains_key("discriminator")
        && let Some(Value::Array(variants)) = members.get_mut(list)
    {
        let is_one = |variant: &Value| {
            Constants::from_schema(variant).is_some_and(|constants| constants.kind() == kind)
        };
        let first = variants.iter().position(is_one);
        let mut index = 0;
        variants.retain(|variant| {
            index += 1;
            !is_one(variant) || first == Some(index - 1)
        });
        if let Some(slot) = first.and_then(|first| variants.get_mut(first)) {
            *slot = Value::Object(merged.keywords());
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::{Known, Members};
    use super::rewrite;
    use serde_json::{Value, json};

    #[test]
    fn constants_in_a_union_are_one_list() {
        let object = json!({ "type": "object", "required": ["Foo"] });
        for (old, expected) in [
            (
                json!({ "oneOf": [{ "const": 1, "title": "Red", "description": "Warm" }, { "const": 2 }] }),
                json!({
                    "type": "integer", "enum": [1, 2],
                    "x-enum-varnames": ["Red", null], "x-enum-descriptions": ["Warm", null],
                }),
            ),
            (
                json!({ "description": "d", "oneOf": [
                    { "type": "string", "enum": ["a", "b"] },
                    { "type": "string", "enum": ["c"], "description": "C." },
                ] }),
                json!({
                    "description": "d", "type": "string", "enum": ["a", "b", "c"],
                    "x-enum-descriptions": [null, null, "C."],
                }),
            ),
            (
                json!({ "type": "string", "anyOf": [{ "const": "a" }, { "const": "b" }] }),
                json!({ "type": "string", "enum": ["a", "b"] }),
            ),
            (
                json!({ "oneOf": [{ "const": "a" }, { "const": "b" }, { "type": "null" }] }),
                json!({ "type": ["string", "null"], "enum": ["a", "b", null] }),
            ),
            (
                json!({ "oneOf": [{ "const": "a" }, { "type": "null" }] }),
                json!({ "oneOf": [{ "const": "a" }, { "type": "null" }] }),
            ),
            (
                json!({ "oneOf": [{ "enum": ["a", "b"] }, { "enum": ["b"] }] }),
                json!({ "oneOf": [{ "enum": ["a", "b"] }, { "enum": ["b"] }] }),
            ),
            (
                json!({ "oneOf": [object, { "type": "string", "enum": ["A"] }, { "const": "B" }] }),
                json!({ "oneOf": [object, { "type": "string", "enum": ["A", "B"] }] }),
            ),
            (
                json!({ "oneOf": [object, { "const": "B" }] }),
                json!({ "oneOf": [object, { "const": "B" }] }),
            ),
            (
                json!({ "oneOf": [{ "const": "a" }, { "const": 1 }] }),
                json!({ "oneOf": [{ "const": "a" }, { "const": 1 }] }),
            ),
        ] {
            let Value::Object(mut members) = old.clone() else {
                continue;
            };
            assert!(!rewrite(&mut members, &Known::new(&Members::new())));
            assert_eq!(Value::Object(members), expected, "{old}");
        }
    }
}
