//! Values that a contract's schemas accept, for whoever has to make a message up.

use super::hollow::Hollow;
use super::node::All;
use super::normal::Nodes;
use super::probe::{Sides, probes};
use super::sample::Sampler;
use super::view::View;
use json_schema::coerce::raw::Raw;
use json_schema::coerce::{self, Objects};
use serde_json::{Map, Value};

/// Makes values of named schemas, and judges them.
pub(crate) struct Samples {
    view: View,
}

impl Samples {
    /// Of schemas by their keys.
    pub(crate) fn new(bundle: &Map<String, Value>) -> Samples {
        Samples {
            view: View::new(bundle.clone()),
        }
    }

    /// The value that a text is for the schema of that key.
    pub(crate) fn read(&self, key: &str, text: &str) -> Value {
        let admitted = self.view.compiled().json_type(key);
        coerce::value(&Raw::Text(text.into()), &admitted, Objects::AsJson)
    }

    /// Whether a value is valid for the schema of that key.
    pub(crate) fn accepts(&self, key: &str, value: &Value) -> bool {
        self.view.accepts(key, value)
    }

    /// What is wrong with a value, as one line.
    pub(crate) fn complaint(&self, key: &str, value: &Value) -> Option<String> {
        let issues = self.view.issues(key, value);
        let first = issues.first()?;
        Some(format!("{} {}", first.at, first.message).trim().to_owned())
    }

    /// Whether it is easily seen that no value is valid.
    pub(crate) fn is_empty(&self, key: &str) -> bool {
        let Some(schema) = self.view.schema(key) else {
            return false;
        };
        let nodes = Nodes::new(&self.view);
        Hollow::new(&nodes).is_empty(&All::one(schema))
    }

    /// Whether there are values, but none that a generated type writes again as it was: each variant
    /// of a `oneOf` that the type keeps fits others too.
    pub(crate) fn is_ambiguous(&self, key: &str) -> bool {
        let any = || self.search(key, false, |_| true, Some);
        self.search(key, true, |_| true, Some).is_none() && any().is_some()
    }

    /// A valid value that is also of use to the caller: one with optional members, else the
    /// plainest, else one of those at the edges of the schema. Of each, what `part` leaves of it is
    /// tried too.
    pub(crate) fn find(
        &self,
        key: &str,
        fits: impl Fn(&Value) -> bool,
        part: impl Fn(Value) -> Value,
    ) -> Option<Value> {
        self.search(key, true, fits, |value| Some(part(value)))
    }

    fn search(
        &self,
        key: &str,
        kept: bool,
        fits: impl Fn(&Value) -> bool,
        part: impl Fn(Value) -> Option<Value>,
    ) -> Option<Value> {
        let schema = self.view.schema(key)?;
        let nodes = Nodes::new(&self.view);
        let all = All::one(schema);
        let good = |value: &Value| fits(value) && self.accepts(key, value);
        let best = |value: Value| match good(&value) {
            true => Some(value),
            false => part(value).filter(good),
        };
        for (wary, filled) in [(false, false), (false, true), (true, false), (true, true)] {
            for full in [true, false] {
                let sampler = Sampler::new(&nodes, full).wary(wary).filled(filled);
                if let Some(value) = sampler.kept(kept).sample(&all).and_then(best) {
                    return Some(value);
                }
            }
        }
        let node = nodes.of(&all);
        let sampler = Sampler::new(&nodes, false).kept(kept);
        let sides = Sides {
            source: &node,
            target: &node,
            refusing: &all,
            sampler: &sampler,
            other: &sampler,
        };
        probes(&sides).into_iter().find_map(best)
    }
}
