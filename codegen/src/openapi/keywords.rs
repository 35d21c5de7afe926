//! Which keywords of a schema hold schemas (JSON Schema 2020-12 Core §10 and §11).

use serde_json::{Map, Value};

/// What a keyword's operand is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// One schema.
    Schema,
    /// Schemas by name.
    Members,
    /// A list of schemas.
    Items,
    /// No schemas.
    Nothing,
}

/// Whether a schema lists those of the first items under `items`, as drafts before 2020-12 did, and
/// does not say it in today's words too. `additionalItems` is that of all others then.
pub(super) fn has_old_items(members: &Map<String, Value>) -> bool {
    members.get("items").is_some_and(Value::is_array) && !members.contains_key("prefixItems")
}

/// What the keyword's operand is made of.
pub(super) fn holds(keyword: &str) -> Holds {
    match keyword {
        "properties" | "patternProperties" | "dependentSchemas" | "$defs" | "definitions" => {
            Holds::Members
        }
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => Holds::Items,
        "items"
        | "additionalProperties"
        | "not"
        | "if"
        | "then"
        | "else"
        | "contains"
        | "propertyNames"
        | "unevaluatedItems"
        | "unevaluatedProperties"
        | "contentSchema" => Holds::Schema,
        _ => Holds::Nothing,
    }
}

/// Whether a keyword belongs to the validation vocabulary (Validation §6), which a dialect may
/// leave out.
pub(super) fn is_validation(keyword: &str) -> bool {
    matches!(
        keyword,
        "type"
            | "const"
            | "enum"
            | "multipleOf"
            | "maximum"
            | "exclusiveMaximum"
            | "minimum"
            | "exclusiveMinimum"
            | "maxLength"
            | "minLength"
            | "pattern"
            | "maxItems"
            | "minItems"
            | "uniqueItems"
            | "maxContains"
            | "minContains"
            | "maxProperties"
            | "minProperties"
            | "required"
            | "dependentRequired"
    )
}
