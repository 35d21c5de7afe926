//! From a value at the place of a difference to a whole body or parameter that has it there.

use super::compare::{Comparison, PairId, Step};
use super::node::All;
use super::sample::{Sampler, count};
use super::text;
use super::view::Direction;
use super::witness::Subject;
use serde_json::{Map, Value};

/// Makes what is around a value, as the accepting contract wants it.
pub(super) struct Surroundings<'s, 'a> {
    comparison: &'s Comparison<'a>,
    subject: &'s Subject<'s>,
    sampler: Sampler<'s, 'a>,
}

impl<'s, 'a> Surroundings<'s, 'a> {
    /// With optional members, or without.
    pub(super) fn new(
        comparison: &'s Comparison<'a>,
        subject: &'s Subject<'s>,
        full: bool,
    ) -> Surroundings<'s, 'a> {
        let (nodes, _) = subject.nodes(comparison);
        Surroundings {
            comparison,
            subject,
            sampler: Sampler::new(nodes, full),
        }
    }

    /// The whole that has a value at the end of a path, and the pointer to it.
    pub(super) fn whole(&self, path: &[(PairId, Step)], value: Value) -> Option<(Value, String)> {
        let (mut value, mut pointer) = (value, String::new());
        for (pair, step) in path.iter().rev() {
            let (source, _) = self.subject.schemas(self.comparison, *pair)?;
            let (whole, token) = self.around(&source, step, value)?;
            value = whole;
            if let Some(token) = token {
                let token = token.replace('~', "~0").replace('/', "~1");
                pointer = format!("/{token}{pointer}");
            }
        }
        Some((value, pointer))
    }

    fn around(
        &self,
        source: &All<'a>,
        step: &Step,
        value: Value,
    ) -> Option<(Value, Option<String>)> {
        let node = self.sampler.node(source);
        let object = |name: String, value: Value| {
            let members = Map::from_iter([(name.clone(), value)]);
            Some((self.sampler.object(&node, 0, members)?, Some(name)))
        };
        match step {
            Step::Member(name) => object(name.clone(), value),
            Step::Matching(pattern) => {
                let name = text::matching(pattern).into_iter().next()?;
                object(name, value)
            }
            Step::Other => {
                let mut names = (0..16).map(|index| format!("extra{index}"));
                let name = names.find(|name| !node.properties.contains_key(name))?;
                object(name, value)
            }
            Step::Item(index) => {
                let least = u64::try_from(*index).ok()?.saturating_add(1);
                let length = count(&node, "minItems").max(least);
                let Value::Array(mut items) = self.sampler.array(&node, 0, length)? else {
                    return None;
                };
                *items.get_mut(*index)? = value;
                Some((Value::Array(items), Some(index.to_string())))
            }
            Step::Variant(union, before, after) => {
                let index = match self.subject.direction {
                    Direction::Request => before,
                    Direction::Response => after,
                };
                let union = node.unions.get(*union);
                let variant = union.and_then(|union| union.variants.get(*index));
                let value = match variant {
                    Some(variant) => variant.tagged(value),
                    None => value,
                };
                Some(match value {
                    Value::Object(members) => (self.sampler.object(&node, 0, members)?, None),
                    other => (other, None),
                })
            }
        }
    }
}
