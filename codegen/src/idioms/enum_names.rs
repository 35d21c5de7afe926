//! Names and descriptions of listed values, in the one notation `x-enum-varnames` and
//! `x-enum-descriptions`: lists in the order of `enum`.
//!
//! Seen: `x-enum-varnames` and `x-enum-descriptions` (openapi-generator, Go's swag), `x-enumNames` and
//! `x-enum-names` (NSwag), `x-enumDescriptions` and `x-enum-comments`, objects from values or names to
//! texts (Redocly, swag), `x-ms-enum` with `values` (AutoRest), `x-speakeasy-enums` (Speakeasy).

use super::{Idiom, Known, Members};
use serde_json::{Value, json};

/// A list of the names of listed values.
pub(super) const NAMES: &str = "x-enum-varnames";

/// A list of the descriptions of listed values.
pub(super) const DESCRIPTIONS: &str = "x-enum-descriptions";

pub(super) const IDIOM: Idiom = Idiom {
    rewrite,
    leaves_items: false,
    values_alone: false,
    report: None,
};

const OTHER_NAMES: [&str; 3] = ["x-enumNames", "x-enum-names", "x-speakeasy-enums"];

const OTHER_DESCRIPTIONS: [&str; 2] = ["x-enumDescriptions", "x-enum-comments"];

fn rewrite(members: &mut Members, _: &Known<'_>) -> bool {
    let Some(values) = members.get("enum").and_then(Value::as_array) else {
        return false;
    };
    let found = |keyword: &str, others: &[&str], field: &str| {
        let mut all = std::iter::once(keyword).chain(others.iter().copied());
        let own = all.find_map(|keyword| texts(members.get(keyword)?, members, values));
        own.or_else(|| of_microsoft(members, values, field))
    };
    let names = found(NAMES, &OTHER_NAMES, "name");
    let descriptions = found(DESCRIPTIONS, &OTHER_DESCRIPTIONS, "description");
    for (keyword, texts) in [(NAMES, names), (DESCRIPTIONS, descriptions)] {
        match texts {
            Some(texts) => _ = members.insert(keyword.into(), texts.into()),
            None => _ = members.shift_remove(keyword),
        }
    }
    false
}

/// The texts of listed values, each null where there is none: a list in their order, or an object from
/// the values, or from their names, to texts.
fn texts(listed: &Value, members: &Members, values: &[Value]) -> Option<Vec<Value>> {
    let text = |found: Option<&Value>| found.filter(|text| text.is_string()).cloned();
    match listed {
        Value::Array(all) => {
            let each = (0..values.len()).map(|index| text(all.get(index)).unwrap_or_default());
            Some(each.collect())
        }
        Value::Object(all) => {
            let names = members.get(NAMES).and_then(Value::as_array);
            let each = values.iter().enumerate().map(|(index, value)| {
                let wire = value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned);
                let name = names.and_then(|names| names.get(index)?.as_str());
                text(all.get(&wire).or_else(|| all.get(name?))).unwrap_or_default()
            });
            Some(each.collect())
        }
        _ => None,
    }
}

/// The texts in `x-ms-enum`.
fn of_microsoft(members: &Members, values: &[Value], field: &str) -> Option<Vec<Value>> {
    let described = members.get("x-ms-enum")?.get("values")?.as_array()?;
    let each = values.iter().map(|value| {
        let is_this = |one: &&Value| one.get("value") == Some(value);
        let text = described
            .iter()
            .find(is_this)
            .and_then(|one| one.get(field));
        text.filter(|text| text.is_string())
            .cloned()
            .unwrap_or_default()
    });
    Some(each.collect())
}

/// The text at an index of one of the lists.
pub(super) fn text_at<'m>(members: &'m Members, keyword: &str, index: usize) -> Option<&'m Value> {
    members
        .get(keyword)?
        .get(index)
        .filter(|text| text.is_string())
}

/// Adds the lists of names and descriptions that hold any text.
pub(super) fn insert(members: &mut Members, named: &[(Value, Value)]) {
    let lists = [
        (
            NAMES,
            named
                .iter()
                .map(|(name, _)| name.clone())
                .collect::<Vec<_>>(),
        ),
        (
            DESCRIPTIONS,
            named.iter().map(|(_, text)| text.clone()).collect(),
        ),
    ];
    for (keyword, texts) in lists {
        if texts.iter().any(Value::is_string) {
            members.insert(keyword.into(), json!(texts));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Known, Members};
    use super::rewrite;
    use serde_json::{Value, json};

    #[test]
    fn names_and_descriptions_are_lists_in_the_order_of_the_values() {
        let names = json!(["Cat", "Dog"]);
        for (extension, expected) in [
            (
                json!({ "x-enum-varnames": ["Cat", "Dog"] }),
                json!([names, null]),
            ),
            (
                json!({ "x-enumNames": ["Cat", "Dog"] }),
                json!([names, null]),
            ),
            (
                json!({ "x-enum-varnames": ["Cat"] }),
                json!([["Cat", null], null]),
            ),
            (
                json!({ "x-speakeasy-enums": { "1": "Cat", "2": "Dog" } }),
                json!([names, null]),
            ),
            (
                json!({ "x-enum-varnames": ["Cat", "Dog"], "x-enum-comments": { "Dog": "Barks" } }),
                json!([names, [null, "Barks"]]),
            ),
            (
                json!({ "x-enumDescriptions": { "1": "Purrs" } }),
                json!([null, ["Purrs", null]]),
            ),
            (
                json!({ "x-ms-enum": { "name": "Pet", "values": [
                    { "value": 2, "name": "Dog", "description": "Barks" },
                    { "value": 1, "name": "Cat" },
                ] } }),
                json!([names, [null, "Barks"]]),
            ),
            (json!({}), json!([null, null])),
        ] {
            let Value::Object(mut members) = extension else {
                continue;
            };
            members.insert("enum".into(), json!([1, 2]));
            assert!(!rewrite(&mut members, &Known::new(&Members::new())));
            let found = [
                members.get("x-enum-varnames"),
                members.get("x-enum-descriptions"),
            ];
            assert_eq!(json!(found), expected, "{members:?}");
        }
    }
}
