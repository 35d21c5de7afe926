//! The keywords of schemas as OpenAPI documents write them, and the schemas in their operands.

use json_schema::keyword::{Keyword, Subschemas, Vocabulary, subschemas};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Whether a schema describes the first items by a list under `items`, as drafts before 2020-12
/// did, and has no `prefixItems` too. `additionalItems` then describes all others.
pub(in crate::openapi) fn has_old_items(members: &Map<String, Value>) -> bool {
    members.get("items").is_some_and(Value::is_array) && !members.contains_key("prefixItems")
}

/// Whether a keyword belongs to the validation vocabulary (Validation §6), which a dialect may
/// leave out.
pub(in crate::openapi) fn is_validation(keyword: &str) -> bool {
    let known = Keyword::named(keyword);
    known.is_some_and(|keyword| keyword.vocabulary == Vocabulary::Validation)
}

/// Whether a keyword asserts something or holds schemas, so that only a schema can have it.
pub(in crate::openapi) fn is_of_schemas(keyword: &str) -> bool {
    is_validation(keyword) || subschemas(keyword) != Subschemas::None
}

/// The schemas in the operand of a keyword.
pub(in crate::openapi) fn schemas_in<'v>(keyword: &str, operand: &'v Value) -> Vec<&'v Value> {
    match (subschemas(keyword), operand) {
        (Subschemas::One, schema) => vec![schema],
        (Subschemas::ByName, Value::Object(members)) => members.values().collect(),
        (Subschemas::List, Value::Array(items)) => items.iter().collect(),
        _ => Vec::new(),
    }
}

/// The operand of a keyword with each schema in it replaced; the token leads to the schema, unless it
/// is the operand itself.
pub(in crate::openapi) fn map_schemas(
    keyword: &str,
    operand: &Value,
    mut replace: impl FnMut(Option<Cow<'_, str>>, &Value) -> Value,
) -> Value {
    match (subschemas(keyword), operand) {
        (Subschemas::One, schema) => replace(None, schema),
        (Subschemas::ByName, Value::Object(members)) => {
            let replaced = members.iter().map(|(name, schema)| {
                let schema = replace(Some(name.as_str().into()), schema);
                (name.clone(), schema)
            });
            Value::Object(replaced.collect())
        }
        (Subschemas::List, Value::Array(items)) => {
            let items = items.iter().enumerate();
            items
                .map(|(index, schema)| replace(Some(index.to_string().into()), schema))
                .collect()
        }
        _ => operand.clone(),
    }
}
