//! Removes the extensions that steer the generator, for the published document: they mean nothing to
//! its readers. `x-deprecated-at` and `x-sunset` stay, because they date a deprecation for callers.

use super::bundle::map_schemas;
use super::extensions::STEERING;
use super::object_fields::{FieldType, Object};
use serde_json::{Map, Value};

/// The document without the extensions that steer the generator.
pub(crate) fn without_steering(root: &Value) -> Value {
    strip(root, FieldType::Object(Object::Document))
}

fn strip(value: &Value, kind: FieldType) -> Value {
    match (kind, value) {
        (FieldType::Schema, Value::Object(keywords)) => kept(keywords, |keyword, operand| {
            map_schemas(keyword, operand, |_, schema| {
                strip(schema, FieldType::Schema)
            })
        }),
        (FieldType::Object(_), Value::Object(fields)) => {
            kept(fields, |name, field| strip(field, kind.member(name)))
        }
        (FieldType::Map(inner), Value::Object(entries)) => {
            let entries = entries.iter();
            entries
                .map(|(name, entry)| (name.clone(), strip(entry, *inner)))
                .collect()
        }
        (FieldType::List(inner), Value::Array(items)) => {
            items.iter().map(|item| strip(item, *inner)).collect()
        }
        _ => value.clone(),
    }
}

/// The fields that do not steer, each with its value replaced.
fn kept(fields: &Map<String, Value>, replace: impl Fn(&str, &Value) -> Value) -> Value {
    let kept = fields
        .iter()
        .filter(|(name, _)| !STEERING.contains(&name.as_str()));
    kept.map(|(name, value)| (name.clone(), replace(name, value)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::without_steering;
    use serde_json::json;

    #[test]
    fn only_extensions_are_removed() {
        let data = json!({ "x-order": 1 });
        let document = json!({
            "x-framework-responses": { "404": { "description": "None." } },
            "x-team": "orders",
            "paths": { "/a": { "get": {
                "x-metered": false,
                "x-sunset": "2027-01-01",
                "responses": { "200": {
                    "x-framework-made": "internal",
                    "headers": { "x-message": { "x-framework-made": true, "schema": true } },
                    "content": { "application/json": {
                        "schema": {
                            "properties": { "x-order": { "type": "array", "x-order": [], "items": { "x-unique": [] } } },
                            "default": data,
                        },
                        "examples": { "x-raw": { "value": data } },
                    } },
                } },
            } } },
        });
        let published = json!({
            "x-team": "orders",
            "paths": { "/a": { "get": {
                "x-sunset": "2027-01-01",
                "responses": { "200": {
                    "headers": { "x-message": { "schema": true } },
                    "content": { "application/json": {
                        "schema": {
                            "properties": { "x-order": { "type": "array", "items": {} } },
                            "default": data,
                        },
                        "examples": { "x-raw": { "value": data } },
                    } },
                } },
            } } },
        });
        assert_eq!(without_steering(&document), published);
    }
}
