//! Which keywords of a schema hold schemas (JSON Schema 2020-12 Core §10 and §11).

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
