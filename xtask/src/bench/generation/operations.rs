//! The operations of a document, as `openapi-to-rust` wants them listed.

use serde_yaml::Value;

const METHODS: [&str; 8] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

/// A selector, `METHOD /path`, for every operation; a document that cannot be read has none.
pub(super) fn selectors(document: &str) -> Vec<String> {
    let root: Value = serde_yaml::from_str(document).unwrap_or_default();
    let paths = root.get("paths").and_then(Value::as_mapping);
    let mut selectors = Vec::new();
    for (path, item) in paths.into_iter().flatten() {
        for method in METHODS {
            if let (Some(path), Some(_)) = (path.as_str(), item.get(method)) {
                selectors.push(format!("{} {path}", method.to_uppercase()));
            }
        }
    }
    selectors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selects_every_operation() {
        let document =
            "paths: { /a: { parameters: [], post: {}, get: {} }, '/b/{c}': { head: {} } }";
        assert_eq!(selectors(document), ["GET /a", "POST /a", "HEAD /b/{c}"]);
        assert!(selectors("openapi: 3.1.0").is_empty());
        assert!(selectors("{").is_empty());
    }
}
