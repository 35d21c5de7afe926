//! Validates JSON values against a bundle of named schemas.
//!
//! [`Schemas`] is the compiled bundle: `compile` turns JSON into lists of
//! keywords (`node`), `run` evaluates them and a [`report`] gathers the
//! violations. Keywords of one type are in `scalar`, `array` and `object`, those
//! that combine schemas in `combine`, unions with a discriminator in `tagged`.
//!
//! Generated types accept valid input by themselves. Schemas are asked when a
//! value was refused and every reason is wanted, when raw parameter text has
//! to become JSON ([`json_type`]), and when a union has to be decided.
//!
//! A bundle is one JSON object from names to schemas (2020-12). References
//! are JSON pointers into the bundle, such as `#/Charity`.

mod array;
pub(crate) mod combine;
mod compile;
mod dynamic_scope;
pub mod json_type;
pub(crate) mod node;
mod object;
pub mod report;
mod run;
pub mod scalar;
mod tagged;
mod unevaluated;

use std::collections::HashMap;

use serde_json::Value;

use crate::issue::{Issues, Place};
use crate::validator::compile::Compiler;
use crate::validator::json_type::JsonType;
use crate::validator::node::{Assertion, NodeId};
use crate::validator::report::Report;
use crate::validator::run::Run;

/// A format, and whether the type that stands for it can hold a text.
pub type TypedFormat = (&'static str, fn(&str) -> bool);

/// A compiled bundle of named schemas.
#[derive(Debug)]
pub struct Schemas {
    nodes: Vec<Vec<Assertion>>,
    names: HashMap<String, NodeId>,
}

impl Schemas {
    /// Compiles a bundle.
    ///
    /// Never fails: a malformed schema becomes one that refuses every value
    /// with the keyword `schema`.
    #[must_use]
    pub fn parse(json: &str) -> Self {
        Self::with_formats(json, &[])
    }

    /// The same where types stand for the strings of some formats: a string of
    /// such a format is one that its type can hold.
    #[must_use]
    pub fn with_formats(json: &str, formats: &'static [TypedFormat]) -> Self {
        let bundle: Value = serde_json::from_str(json).unwrap_or_default();
        let (nodes, names) = Compiler::bundle(&bundle, formats);
        Self { nodes, names }
    }

    /// Adds every violation of schema `name` by `value` to `issues`.
    ///
    /// `base` goes in front of the JSON pointers: empty for a body, the
    /// parameter's name otherwise. Takes time and memory bounded by the sizes
    /// of the schema and the value.
    pub fn validate(
        &self,
        name: &str,
        value: &Value,
        place: Place,
        base: &str,
        issues: &mut Issues,
    ) {
        let mut report = Report::to(issues, place, base);
        match self.id(name) {
            Some(id) => _ = Run::new(self).apply(id, value, &mut report),
            None => _ = report.refuse("schema", || "cannot be checked".to_owned()),
        }
    }

    /// Whether schema `name` accepts `value`.
    #[must_use]
    pub fn is_valid(&self, name: &str, value: &Value) -> bool {
        self.id(name)
            .is_some_and(|id| Run::new(self).accepts(id, value))
    }

    /// Rewrites integral floats, such as `1.0`, as integers wherever schema
    /// `name` asks for an integer. JSON Schema calls both integers, `serde`
    /// only the latter.
    pub fn normalise(&self, name: &str, value: &mut Value) {
        self.json_type(name).normalise(value);
    }

    /// The types of JSON that schema `name` can accept, as far as they are known
    /// without a value.
    #[must_use]
    pub fn json_type(&self, name: &str) -> JsonType<'_> {
        JsonType::new(self, self.id(name))
    }

    pub(crate) fn keywords(&self, id: NodeId) -> &[Assertion] {
        const NOWHERE: &[Assertion] = &[Assertion::Broken];
        self.nodes.get(id.0).map_or(NOWHERE, Vec::as_slice)
    }

    fn id(&self, name: &str) -> Option<NodeId> {
        self.names.get(name).copied()
    }
}
