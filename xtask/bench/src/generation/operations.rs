//! The operations of a document, which some generators take as an argument.

use serde_yaml::Value;

const METHODS: [&str; 8] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

/// The operations of a document; one that cannot be read has none.
#[derive(Debug, PartialEq)]
pub(super) struct Operations {
    /// A selector for every operation of a path, `METHOD /path`, as `openapi-to-rust` wants them listed.
    pub(super) selectors: Vec<String>,
    /// Whether there is an operation at all: of a path, or of a webhook.
    pub(super) any: bool,
}

impl Operations {
    pub(super) fn of(document: &str) -> Operations {
        let root: Value = serde_yaml::from_str(document).unwrap_or_default();
        let selectors: Vec<String> = listed(&root, "paths").collect();
        let any = !selectors.is_empty() || listed(&root, "webhooks").next().is_some();
        Operations { selectors, any }
    }
}

/// The operations of all path items of a member of the document.
fn listed<'a>(root: &'a Value, member: &str) -> impl Iterator<Item = String> + 'a {
    let items = root.get(member).and_then(Value::as_mapping);
    items.into_iter().flatten().flat_map(move |(name, item)| {
        let item = referred(root, item);
        let methods = METHODS.iter().filter(|method| item.get(method).is_some());
        let name = name.as_str();
        methods.filter_map(move |method| Some(format!("{} {}", method.to_uppercase(), name?)))
    })
}

/// Resolves the reference of a path item within the document.
fn referred<'a>(root: &'a Value, item: &'a Value) -> &'a Value {
    let pointer = item.get("$ref").and_then(Value::as_str);
    let Some(pointer) = pointer.and_then(|pointer| pointer.strip_prefix("#/")) else {
        return item;
    };
    let mut tokens = pointer.split('/');
    let found = tokens.try_fold(root, |value, token| {
        value.get(token.replace("~1", "/").replace("~0", "~"))
    });
    found.unwrap_or(item)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selectors(document: &str) -> Vec<String> {
        Operations::of(document).selectors
    }

    #[test]
    fn selects_every_operation() {
        let document =
            "paths: { /a: { parameters: [], post: {}, get: {} }, '/b/{c}': { head: {} } }";
        assert_eq!(selectors(document), ["GET /a", "POST /a", "HEAD /b/{c}"]);
        assert!(selectors("openapi: 3.1.0").is_empty());
        assert!(selectors("{").is_empty());
    }

    #[test]
    fn follows_references_of_path_items() {
        let document = "{ paths: { /a: { $ref: '#/components/pathItems/~1a' } }, \
            components: { pathItems: { /a: { get: {} } } } }";
        assert_eq!(selectors(document), ["GET /a"]);
        assert!(selectors("paths: { /a: { $ref: '#/b' }, /c: { $ref: d.yaml } }").is_empty());
    }

    #[test]
    fn webhooks_are_operations_that_no_selector_names() {
        let operations = Operations::of("webhooks: { a: { post: {} } }");
        assert_eq!((operations.selectors.len(), operations.any), (0, true));
        assert!(!Operations::of("components: { schemas: { A: {} } }").any);
    }
}
