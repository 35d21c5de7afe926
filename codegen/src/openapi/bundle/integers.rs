//! Bounds for integers that the document leaves open, where the table of formats has `integer:
//! int64`.

use crate::Formats;
use json_schema::format::integer_range;
use serde_json::{Map, Number, Value};

/// Gives a schema of integers the bounds that it lacks.
pub(super) fn bound(schema: &mut Map<String, Value>, range: (i128, i128), formats: &Formats) {
    let listed = schema.contains_key("enum") || schema.contains_key("const");
    let format = schema.get("format").and_then(Value::as_str);
    let ranged = format.is_some_and(|own| formats.asserts(own) && integer_range(own).is_some());
    if listed || ranged || !is_of_integers(schema) {
        return;
    }
    let (low, high) = range;
    for (bound, other, limit) in [
        ("minimum", "exclusiveMinimum", low),
        ("maximum", "exclusiveMaximum", high),
    ] {
        if let Some(limit) = Number::from_i128(limit)
            && !schema.contains_key(other)
            && !schema.contains_key(bound)
        {
            schema.insert(bound.to_owned(), Value::Number(limit));
        }
    }
}

/// Whether every valid number is an integer, as far as `type` tells.
fn is_of_integers(schema: &Map<String, Value>) -> bool {
    let is = |name: &str| match schema.get("type") {
        Some(Value::Array(types)) => types.iter().any(|ty| ty == name),
        Some(ty) => ty == name,
        None => false,
    };
    is("integer") && !is("number")
}
