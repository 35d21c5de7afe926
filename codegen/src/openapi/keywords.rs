//! Questions about the keywords of a schema as OpenAPI documents write it.

use json_schema::keyword::{Keyword, Subschemas, Vocabulary, subschemas};
use serde_json::{Map, Value};

/// Whether a schema describes the first items by a list under `items`, as drafts before 2020-12
/// did, and has no `prefixItems` too. `additionalItems` then describes all others.
pub(super) fn has_old_items(members: &Map<String, Value>) -> bool {
    members.get("items").is_some_and(Value::is_array) && !members.contains_key("prefixItems")
}

/// Whether a keyword belongs to the validation vocabulary (Validation §6), which a dialect may
/// leave out.
pub(super) fn is_validation(keyword: &str) -> bool {
    let known = Keyword::named(keyword);
    known.is_some_and(|keyword| keyword.vocabulary == Vocabulary::Validation)
}

/// Whether a keyword asserts something or holds schemas, so that only a schema can have it.
pub(super) fn is_of_schemas(keyword: &str) -> bool {
    is_validation(keyword) || subschemas(keyword) != Subschemas::None
}
