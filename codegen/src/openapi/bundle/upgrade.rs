//! Keywords that OpenAPI 3.0 defines differently from JSON Schema 2020-12 (the 3.0.4 → 3.1.0
//! migration notes).

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Pointer;
use serde_json::{Map, Value};

/// Rewrites a schema object of OpenAPI 3.0 in the keywords of 2020-12.
pub(super) fn from_30(schema: &mut Map<String, Value>) {
    if let Some(reference) = schema.get("$ref").cloned() {
        // In 3.0, a reference's siblings mean nothing (OpenAPI 3.0.4 §4.7.24.1).
        schema.clear();
        schema.insert("$ref".into(), reference);
        return;
    }
    if let Some(example) = schema.remove("example") {
        schema.insert("examples".into(), Value::Array(vec![example]));
    }
    exclusive_bounds(schema);
    if schema.remove("nullable") == Some(Value::Bool(true)) {
        if let Some(name @ Value::String(_)) = schema.get("type").cloned() {
            schema.insert("type".into(), Value::Array(vec![name, "null".into()]));
        }
        if let Some(Value::Array(values)) = schema.get_mut("enum")
            && !values.contains(&Value::Null)
        {
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

/// Reports a bound as OpenAPI 3.0 wrote it.
pub(super) fn old_bound(keyword: &str, at: &Pointer, diagnostics: &mut Diagnostics) {
    let bound = keyword.replace("exclusiveM", "m");
    let help = format!("write the bound itself: `{keyword}: 5`, without `{bound}`");
    let message = "since OpenAPI 3.1, an exclusive bound must be a number";
    let problem = Diagnostic::new(Code::OldIdiom, at, message).help(help);
    diagnostics.recover(problem, "it is read as in OpenAPI 3.0");
}

/// Reports schemas for the first items of a list as earlier drafts wrote them.
pub(super) fn old_items(at: &Pointer, diagnostics: &mut Diagnostics) {
    let message = "since JSON Schema 2020-12, `items` must be one schema";
    let help = "`prefixItems` lists those of the first items, and `items` is that of all others";
    let problem = Diagnostic::new(Code::OldIdiom, at, message).help(help);
    diagnostics.recover(problem, "it is read as `prefixItems`");
}
