//! Hints of a schema for readers and samples, which do not decide whether a value is valid.

use serde_json::{Map, Value};

/// The annotations of a [`NormalForm`](super::NormalForm).
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
    /// `x-extensible-enum` is present: values may be added to the enumeration.
    pub extensible: bool,
    /// Whether `additionalProperties` is written and is not `false`: the author expects members that are not named.
    pub declares_additional: bool,
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
            declares_additional: additional.is_some_and(|schema| *schema != Value::Bool(false)),
        }
    }

    /// Adds the annotations of another schema for the same place; the first description and default win.
    pub(super) fn add(&mut self, other: Annotations) {
        self.description = self.description.take().or(other.description);
        self.default = self.default.take().or(other.default);
        self.deprecated |= other.deprecated;
        self.extensible |= other.extensible;
        self.declares_additional |= other.declares_additional;
        self.examples.extend(other.examples);
    }

    /// The annotations of a union: a description or default that only one variant has; `deprecated` if all
    /// variants are; `extensible` and `declares_additional` if one is; no examples.
    pub(super) fn of_union<'n>(all: impl Iterator<Item = &'n Annotations> + Clone) -> Annotations {
        fn exactly_one<T>(mut values: impl Iterator<Item = T>) -> Option<T> {
            values.next().filter(|_| values.next().is_none())
        }
        Annotations {
            default: exactly_one(all.clone().filter_map(|one| one.default.clone())),
            description: exactly_one(all.clone().filter_map(|one| one.description.clone())),
            deprecated: all.clone().all(|one| one.deprecated),
            examples: Vec::new(),
            extensible: all.clone().any(|one| one.extensible),
            declares_additional: all.clone().any(|one| one.declares_additional),
        }
    }
}
