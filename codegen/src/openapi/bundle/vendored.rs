//! Vendored documents: those given along with the main one, by the URI under which it refers to
//! them.
//!
//! The generator fetches nothing: its caller decides where a document comes from. The documents of
//! the JSON Schema dialect itself are always there.

use serde_json::Value;
use std::collections::BTreeMap;

/// The URIs of the dialect's documents begin so.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/";

/// The vocabulary of `type`, `minimum` and their like.
const VALIDATION: &str = "https://json-schema.org/draft/2020-12/vocab/validation";

/// Documents by their absolute URI, without a fragment.
#[derive(Debug, Clone, Default)]
pub struct Vendored(BTreeMap<String, Value>);

impl Vendored {
    /// Documents by their absolute URI.
    #[must_use]
    pub fn new(documents: BTreeMap<String, Value>) -> Vendored {
        Vendored(documents)
    }

    pub(super) fn insert(&mut self, uri: String, document: Value) {
        self.0.insert(uri, document);
    }

    pub(super) fn get(&self, uri: &str) -> Option<&Value> {
        self.0.get(uri)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0
            .iter()
            .map(|(uri, document)| (uri.as_str(), document))
    }

    /// Whether the document of a dialect declares its vocabularies, and validation is not among
    /// them.
    pub(super) fn lacks_validation(&self, dialect: &str) -> bool {
        let named = self
            .get(dialect)
            .and_then(|document| document.get("$vocabulary"));
        named.is_some_and(|vocabularies| vocabularies.get(VALIDATION).is_none())
    }
}

/// Whether the URI is one of the dialect's own documents.
pub(super) fn is_dialect(uri: &str) -> bool {
    uri.starts_with(DIALECT)
}

/// The documents of the dialect, JSON Schema 2020-12.
pub(super) fn dialects() -> impl Iterator<Item = (String, Value)> {
    const DOCUMENTS: [(&str, &str); 8] = [
        (
            "schema",
            include_str!("../../../dialects/2020-12/schema.json"),
        ),
        (
            "meta/core",
            include_str!("../../../dialects/2020-12/meta/core.json"),
        ),
        (
            "meta/applicator",
            include_str!("../../../dialects/2020-12/meta/applicator.json"),
        ),
        (
            "meta/unevaluated",
            include_str!("../../../dialects/2020-12/meta/unevaluated.json"),
        ),
        (
            "meta/validation",
            include_str!("../../../dialects/2020-12/meta/validation.json"),
        ),
        (
            "meta/meta-data",
            include_str!("../../../dialects/2020-12/meta/meta-data.json"),
        ),
        (
            "meta/format-annotation",
            include_str!("../../../dialects/2020-12/meta/format-annotation.json"),
        ),
        (
            "meta/content",
            include_str!("../../../dialects/2020-12/meta/content.json"),
        ),
    ];
    DOCUMENTS.into_iter().filter_map(|(name, text)| {
        Some((format!("{DIALECT}{name}"), serde_json::from_str(text).ok()?))
    })
}
