//! The document as others read it.
//!
//! References to operations, media types and encodings are read, but the standard has none (OpenAPI 3.1.1
//! §4.8.23): what they lead to stands in their place.

use crate::envelope::{self, Kind, Object, referred};
use serde_json::Value;

pub(super) fn published(mut root: Value) -> Value {
    let mut found = Vec::new();
    envelope::each(&root, |at, value, kind| {
        let target = is_written_out(kind).then(|| referred(&root, value));
        if let Some((_, target)) = target.flatten().filter(|(_, target)| target.is_object()) {
            found.push((at.clone(), target.clone()));
        }
        true
    });
    for (at, target) in found {
        if let Some(place) = root.pointer_mut(at.as_str()) {
            *place = target;
        }
    }
    root
}

/// Whether the standard lets nothing refer to such an object.
fn is_written_out(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Object(Object::Operation | Object::Media | Object::Encoding)
    )
}

#[cfg(test)]
mod tests {
    use super::published;
    use serde_json::json;

    #[test]
    fn an_operation_stands_in_its_path_item() {
        let get = json!({ "operationId": "list", "parameters": [{ "$ref": "#/x-page" }] });
        let written = published(json!({
            "paths": { "/a": { "get": { "$ref": "#/x-get" } }, "/b": { "$ref": "#/x-item" } },
            "x-get": get,
            "x-item": { "get": {} },
            "x-page": { "name": "page", "in": "query" },
        }));
        assert_eq!(written.pointer("/paths/~1a/get"), Some(&get));
        let item = json!({ "$ref": "#/x-item" });
        assert_eq!(written.pointer("/paths/~1b"), Some(&item));
    }
}
