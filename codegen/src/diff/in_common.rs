//! Values that two schemas of one contract may have in common: those of the schema that says what both do.

use super::apart::is_refused;
use super::node::All;
use super::normal::Nodes;
use super::probe::{Sides, probes};
use super::sample::Sampler;
use serde_json::Value;

/// How many members of an object are given other values, and how many each.
const MOST_MEMBERS: usize = 6;
const MOST_EACH: usize = 6;

/// The plainest first, then those that are like it but for one member.
pub(super) fn in_common<'a>(nodes: &Nodes<'a>, one: &All<'a>, other: &All<'a>) -> Vec<Value> {
    let mut both = one.clone();
    both.add(other);
    // Each pair has a sampler of its own: what one has looked at is not taken from the next.
    let sampler = Sampler::new(nodes, false);
    let Some(plainest) = sampler.sample(&both) else {
        return Vec::new();
    };
    let mut found = match &plainest {
        Value::Object(_) => with_other_members(&sampler, &both, &plainest),
        _ => about(&sampler, &both),
    };
    found.insert(0, plainest);
    found
}

/// The same object with one member that is another one.
fn with_other_members<'a>(
    sampler: &Sampler<'_, 'a>,
    both: &All<'a>,
    plainest: &Value,
) -> Vec<Value> {
    let node = sampler.node(both);
    let names = node.properties.keys().take(MOST_MEMBERS);
    let members = names.flat_map(|name| {
        let schemas = node.member(name).unwrap_or_default();
        let values = about(sampler, &schemas).into_iter();
        values.map(move |value| (name, value))
    });
    let objects = members.filter_map(|(name, value)| {
        let mut members = plainest.as_object()?.clone();
        members.insert(name.clone(), value);
        Some(Value::Object(members))
    });
    objects.collect()
}

/// Values about the limits of a schema that it is not easily seen to refuse.
fn about<'a>(sampler: &Sampler<'_, 'a>, schemas: &All<'a>) -> Vec<Value> {
    let node = sampler.node(schemas);
    let mut found = probes(&Sides {
        source: &node,
        target: &node,
        refusing: schemas,
        sampler,
        other: sampler,
    });
    found.retain(|value| !is_refused(&node, value));
    found.truncate(MOST_EACH);
    found
}
