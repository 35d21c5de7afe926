//! Rewrites schemas of OpenAPI 3.0 as JSON Schema 2020-12, and reports the older forms in schemas of later versions.

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::idioms;
use crate::source::Pointer;
use serde_json::{Map, Value};

/// Rewrites a schema object of OpenAPI 3.0 in the keywords of 2020-12.
pub(super) fn upgrade_30(schema: &mut Map<String, Value>) {
    if let Some(reference) = schema.get("$ref").cloned() {
        // In 3.0, a reference's siblings mean nothing (OpenAPI 3.0.4 §4.7.23.1), but `nullable` is meant.
        let nullable = idioms::nullable_marks(schema);
        schema.clear();
        schema.insert("$ref".into(), reference);
        schema.extend(nullable);
        return;
    }
    if let Some(example) = schema.remove("example") {
        schema.insert("examples".into(), Value::Array(vec![example]));
    }
    exclusive_bounds(schema);
    if schema.get("nullable") == Some(&Value::Bool(false)) {
        schema.remove("nullable");
    }
    // Beside references and lists of schemas, it has no effect; the idiom `idle-nullable` reads it there.
    if idioms::is_plain(schema) && schema.get("nullable") == Some(&Value::Bool(true)) {
        if let Some(name @ Value::String(_)) = schema.get("type").cloned() {
            schema.insert("type".into(), Value::Array(vec![name, "null".into()]));
        }
        if schema.contains_key("type") || schema.contains_key("enum") {
            schema.remove("nullable");
        }
        if let Some(Value::Array(values)) = schema.get_mut("enum")
            && !values.contains(&Value::Null)
        {
            // 3.0.3 refuses null where `enum` does not list it; authors mean to accept it
            // (docs/invalid-documents.md).
            values.push(Value::Null);
        }
    }
}

/// Rewrites bounds with a boolean `exclusiveMinimum` or `exclusiveMaximum` as 2020-12 has them.
pub(super) fn exclusive_bounds(schema: &mut Map<String, Value>) {
    for (bound, exclusive) in [
        ("minimum", "exclusiveMinimum"),
        ("maximum", "exclusiveMaximum"),
    ] {
        match schema.get(exclusive) {
            Some(Value::Bool(true)) => {
                schema.remove(exclusive);
                if let Some(limit) = schema.remove(bound) {
                    schema.insert(exclusive.into(), limit);
                }
            }
            Some(Value::Bool(false)) => drop(schema.remove(exclusive)),
            _ => {}
        }
    }
}

/// Reports a boolean `exclusiveMinimum` or `exclusiveMaximum`, the form of OpenAPI 3.0.
pub(super) fn report_boolean_bound(keyword: &str, at: &Pointer, diagnostics: &mut Diagnostics) {
    let bound = keyword.replace("exclusiveM", "m");
    let help = format!("write the bound itself: `{keyword}: 5`, without `{bound}`");
    let message = "since OpenAPI 3.1, an exclusive bound must be a number";
    let problem = Diagnostic::new(Code::OldIdiom, at, message).help(help);
    diagnostics.recover(problem, "it is read as in OpenAPI 3.0");
}

/// Reports `items` with a list of schemas, the form before JSON Schema 2020-12.
pub(super) fn report_list_of_items(at: &Pointer, diagnostics: &mut Diagnostics) {
    let message = "since JSON Schema 2020-12, `items` must be one schema";
    let help = "write the schemas of the first items in `prefixItems`, and the schema of all others in `items`";
    let problem = Diagnostic::new(Code::OldIdiom, at, message).help(help);
    diagnostics.recover(problem, "it is read as `prefixItems`");
}

#[cfg(test)]
mod tests {
    use super::upgrade_30;
    use serde_json::{Map, Value, json};

    #[test]
    fn nullable_adds_null_to_the_type_and_to_the_enumeration() {
        for (old, expected) in [
            (
                json!({ "type": "string", "nullable": true }),
                json!({ "type": ["string", "null"] }),
            ),
            (
                json!({ "type": "string", "nullable": true, "enum": ["a"] }),
                json!({ "type": ["string", "null"], "enum": ["a", null] }),
            ),
            (
                json!({ "nullable": true, "enum": ["a", null] }),
                json!({ "enum": ["a", null] }),
            ),
            (
                json!({ "type": "string", "nullable": false, "enum": ["a"] }),
                json!({ "type": "string", "enum": ["a"] }),
            ),
        ] {
            let mut schema = object(&old);
            upgrade_30(&mut schema);
            assert_eq!(Value::Object(schema), expected, "{old}");
        }
    }

    fn object(value: &Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap_or_default()
    }
}
