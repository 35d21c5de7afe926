//! The published document: plain OpenAPI, without the extensions that steer the generator.
//!
//! The generator also accepts references to objects that OpenAPI does not allow them for (3.1.1
//! §4.8.23), such as operations, media types and tags: they are replaced by their targets here.

use crate::openapi::object_fields::{self, referred};
use crate::openapi::without_steering;
use crate::source::Pointer;
use serde_json::Value;

/// How many values all such targets may have together: a small text can refer to a large one many
/// times.
const MAX_VALUES: usize = 1_000_000;

pub(super) fn published(mut root: Value) -> Value {
    let mut found = Vec::new();
    object_fields::each(&root, |at, value, kind| {
        if !kind.may_be_reference() && referred(&root, value).is_some() {
            found.push(at.clone());
        }
        true
    });
    let mut left = MAX_VALUES;
    // Later references are inside earlier ones, or inside their targets.
    for at in found.iter().rev() {
        if let Some(target) = target(&root, at, &mut left)
            && let Some(place) = root.pointer_mut(at.as_str())
        {
            *place = target;
        }
    }
    without_steering(&root)
}

/// The target of the reference at a place, unless the place is inside it; `left` is how many values
/// there may be.
fn target(root: &Value, at: &Pointer, left: &mut usize) -> Option<Value> {
    let (place, target) = referred(root, root.pointer(at.as_str())?)?;
    let is_around = format!("{}/", at.as_str()).starts_with(&format!("{}/", place.as_str()));
    if is_around || !target.is_object() {
        return None;
    }
    *left = left.checked_sub(count(target))?;
    Some(target.clone())
}

fn count(value: &Value) -> usize {
    let within: usize = match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(members) => members.values().map(count).sum(),
        _ => 0,
    };
    within + 1
}

#[cfg(test)]
mod tests {
    use super::published;
    use serde_json::{Value, json};

    #[test]
    fn an_operation_stands_in_its_path_item() {
        let get = json!({ "operationId": "list", "parameters": [{ "$ref": "#/x-page" }] });
        let document = published(json!({
            "paths": { "/a": { "get": { "$ref": "#/x-get" } }, "/b": { "$ref": "#/x-item" } },
            "x-get": get,
            "x-item": { "get": {} },
            "x-page": { "name": "page", "in": "query" },
        }));
        assert_eq!(document.pointer("/paths/~1a/get"), Some(&get));
        let item = json!({ "$ref": "#/x-item" });
        assert_eq!(document.pointer("/paths/~1b"), Some(&item));
    }
    #[test]
    fn replaced_references_leave_none_behind() {
        let answers =
            |media: Value| json!({ "responses": { "200": { "content": { "text/a": media } } } });
        let mut document = published(json!({
            "paths": { "/a": { "get": { "$ref": "#/x-first" }, "put": { "$ref": "#/paths/~1a/put" } } },
            "x-first": { "$ref": "#/x-second" },
            "x-second": answers(json!({ "$ref": "#/x-media" })),
            "x-media": { "schema": true },
        }));
        let get = answers(json!({ "schema": true }));
        assert_eq!(document.pointer("/paths/~1a/get"), Some(&get));
        let again = published(document.clone());
        assert_eq!(again, document.take());
    }

    #[test]
    fn a_small_text_does_not_become_a_large_one() {
        let mut root = json!({ "paths": { "/a": { "get": { "$ref": "#/x-0" } } } });
        for i in 0..40 {
            let next = json!({ "get": { "$ref": format!("#/x-{}", i + 1) } });
            let callbacks = json!({ "callbacks": { "a": { "{$url}": next, "{$method}": next } } });
            root[format!("x-{i}")] = callbacks;
        }
        let length = published(root).to_string().len();
        assert!(length < 100 * super::MAX_VALUES, "{length}");
    }
}
