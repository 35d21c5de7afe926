//! Annotations: the keywords of a schema without an effect on validity.

use serde_json::{Map, Value};

/// The annotations of a normal form.
#[derive(Debug, Clone, Default)]
pub struct Annotations {
    /// `description`.
    pub description: Option<String>,
    /// `deprecated`.
    pub deprecated: bool,
    /// `default`.
    pub default: Option<Value>,
    /// `examples`.
    pub examples: Vec<Value>,
    /// `x-extensible-enum`: clients are told that the list may grow.
    pub extensible: bool,
    /// Whether `additionalProperties` says that there are members beside those that are named.
    pub open: bool,
}

impl Annotations {
    pub(super) fn of(keywords: &Map<String, Value>) -> Annotations {
        let text = |keyword: &str| keywords.get(keyword).and_then(Value::as_str);
        let examples = keywords.get("examples").and_then(Value::as_array);
        let additional = keywords.get("additionalProperties");
        Annotations {
            description: text("description").map(str::to_owned),
            deprecated: keywords.get("deprecated") == Some(&Value::Bool(true)),
            default: keywords.get("default").cloned(),
            examples: examples.cloned().unwrap_or_default(),
            extensible: keywords.contains_key("x-extensible-enum"),
            open: additional.is_some_and(|schema| *schema != Value::Bool(false)),
        }
    }

    /// Adds the annotations of another schema for the same place; the first description and default win.
    pub(super) fn add(&mut self, other: Annotations) {
        self.description = self.description.take().or(other.description);
        self.default = self.default.take().or(other.default);
        self.deprecated |= other.deprecated;
        self.extensible |= other.extensible;
        self.open |= other.open;
        self.examples.extend(other.examples);
    }

    /// The annotations of a union: a description or default that only one variant has; `deprecated` if all
    /// variants are; `extensible` and `open` if one is; no examples.
    pub(super) fn shared<'n>(all: impl Iterator<Item = &'n Annotations> + Clone) -> Annotations {
        fn only<T: Clone>(mut said: impl Iterator<Item = T>) -> Option<T> {
            said.next().filter(|_| said.next().is_none())
        }
        Annotations {
            default: only(all.clone().filter_map(|one| one.default.clone())),
            description: only(all.clone().filter_map(|one| one.description.clone())),
            deprecated: all.clone().all(|one| one.deprecated),
            examples: Vec::new(),
            extensible: all.clone().any(|one| one.extensible),
            open: all.clone().any(|one| one.open),
        }
    }
}
