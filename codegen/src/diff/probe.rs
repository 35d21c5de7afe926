//! Values at one place that two schemas may judge differently.

use super::apart::Apart;
use super::node::{All, Kind, Node, Variant};
use super::sample::Sampler;
use super::scalar::{LONGEST as LONGEST_SAMPLE, numbers, texts};
use super::text::matching;
use crate::schema::values::Values;
use serde_json::{Map, Number, Value};
use std::collections::BTreeSet;

/// The longest list that is made to cross a limit.
const LONGEST: u64 = 1_000_000;
/// The longest text.
const LONGEST_TEXT: u64 = 10_000_000;

/// More values than this are not tried at one place.
const MOST: usize = 300;

/// A pair of schemas, by the part that each plays for a witness.
pub(super) struct Sides<'s, 'a> {
    /// The contract that accepts the witness.
    pub(super) source: &'s Node<'a>,
    /// The contract that refuses it, and its schemas.
    pub(super) target: &'s Node<'a>,
    pub(super) refusing: &'s All<'a>,
    pub(super) sampler: &'s Sampler<'s, 'a>,
    /// Makes samples of the refusing contract.
    pub(super) other: &'s Sampler<'s, 'a>,
}

/// Values that the source may accept and the target refuse, the likely ones first.
pub(super) fn probes(sides: &Sides<'_, '_>) -> Vec<Value> {
    let (source, target) = (sides.source, sides.target);
    let mut found: Vec<Value> = Vec::new();
    if let Some(listed) = &source.listed {
        // Nothing else is valid, and what the target lists as well is no witness.
        let known = Values::of(target.listed.as_deref().unwrap_or_default());
        let (shared, own) = listed.iter().partition::<Vec<_>, _>(|v| known.contains(v));
        found.extend(own.into_iter().chain(shared).cloned());
        found.truncate(MOST);
        return found;
    }
    found.extend(sides.variants());
    let (gone, kept): (Vec<Kind>, Vec<Kind>) = source
        .kinds
        .iter()
        .partition(|kind| !target.kinds.contains(kind));
    for kind in gone.into_iter().chain(kept) {
        match kind {
            Kind::Null => found.push(Value::Null),
            Kind::Boolean => found.extend([Value::Bool(true), Value::Bool(false)]),
            Kind::Number => {
                found.extend(numbers(source, target).into_iter().map(Value::Number));
            }
            Kind::String => {
                found.extend(texts(source, target).into_iter().map(Value::String));
                found.extend(sides.long_texts());
            }
            Kind::Array => found.extend(sides.arrays()),
            Kind::Object => found.extend(sides.objects()),
        }
    }
    found.extend(sides.opaque());
    found.truncate(MOST);
    found
}

impl<'s, 'a> Sides<'s, 'a> {
    /// The same the other way round: values of what refuses, whose schemas are given, at the place of what
    /// accepts.
    pub(super) fn swapped(&self, accepting: &'s All<'a>) -> Sides<'s, 'a> {
        Sides {
            source: self.target,
            target: self.source,
            refusing: accepting,
            sampler: self.other,
            other: self.sampler,
        }
    }

    /// The limits of both under two keywords, and their neighbours.
    fn lengths(&self, keywords: [&str; 2]) -> Vec<u64> {
        let mut lengths = vec![0, 1, 2];
        for side in [self.source, self.target] {
            for keyword in keywords {
                if let Some(limit) = side.bounds.get(keyword).and_then(Number::as_u64) {
                    lengths.extend([limit, limit.saturating_add(1), limit.saturating_sub(1)]);
                }
            }
        }
        lengths.sort_unstable();
        lengths.dedup();
        lengths
    }

    fn arrays(&self) -> Vec<Value> {
        let lengths = self.lengths(["minItems", "maxItems"]).into_iter();
        let mut found: Vec<Value> = lengths.filter_map(|length| self.array(length)).collect();
        let doubled = found.iter().find_map(|array| match array.as_array() {
            Some(items) => items.first().cloned(),
            None => None,
        });
        found.extend(doubled.map(|item| Value::Array(vec![item.clone(), item])));
        found
    }

    /// A list of that length; a very long one repeats an item.
    fn array(&self, length: u64) -> Option<Value> {
        let own = self.sampler.array(self.source, 0, length);
        if own.is_some() || length > LONGEST {
            return own;
        }
        let Value::Array(items) = self.sampler.array(self.source, 0, 1)? else {
            return None;
        };
        let length = usize::try_from(length).ok()?;
        Some(Value::Array(vec![items.first()?.clone(); length]))
    }

    /// Texts too long to be samples, about the limits of both.
    fn long_texts(&self) -> Vec<Value> {
        let lengths = self.lengths(["minLength", "maxLength"]).into_iter();
        let long = lengths.filter(|length| (LONGEST_SAMPLE + 1..=LONGEST_TEXT).contains(length));
        let texts = long.filter_map(|length| Some("a".repeat(usize::try_from(length).ok()?)));
        texts.map(Value::String).collect()
    }

    fn objects(&self) -> Vec<Value> {
        let (source, sampler) = (self.source, self.sampler);
        let Some(base) = sampler.around(source, Map::new(), None) else {
            return Vec::new();
        };
        let mut found = vec![base.clone()];
        for name in self.target.required.iter().chain(&source.required) {
            let mut less = base.clone();
            less.shift_remove(name);
            found.push(less);
        }
        let names = source
            .properties
            .keys()
            .chain(self.target.properties.keys());
        for name in names {
            let schemas = source.member(name).unwrap_or_default();
            if base.contains_key(name) || schemas.refuses_everything() {
                continue;
            }
            if let Some(value) = sampler.sample(&schemas) {
                let mut more = base.clone();
                more.insert(name.clone(), value);
                found.push(more);
            }
        }
        for length in self.lengths(["minProperties", "maxProperties"]) {
            let mut padded = base.clone();
            let length = usize::try_from(length).unwrap_or_default();
            sampler.pad(source, &mut padded, length, 0);
            found.push(padded);
        }
        for (name, value) in self.conditions() {
            let mut more = base.clone();
            more.insert(name, value);
            found.push(more);
        }
        for name in ["extra0", "A b", ""] {
            let mut more = base.clone();
            let schemas = source.member(name).unwrap_or_default();
            if let Some(value) = sampler.sample(&schemas) {
                more.insert(name.to_owned(), value);
                found.push(more);
            }
        }
        found.into_iter().map(Value::Object).collect()
    }

    /// Members of which something is said, though they are not named among the properties:
    /// by a pattern, or as what others depend on.
    fn conditions(&self) -> Vec<(String, Value)> {
        let patterned = self
            .target
            .patterns
            .keys()
            .chain(self.source.patterns.keys())
            .flat_map(|pattern| matching(pattern));
        let keywords = self.target.opaque.keys();
        let depended = keywords.filter_map(|keyword| keyword.strip_prefix("dependentSchemas/"));
        let depended = depended.map(str::to_owned);
        let asking = self.target.dependencies().map(|(name, _)| name);
        let depended = depended.chain(asking);
        let names = patterned.chain(depended);
        let members = names.flat_map(|name| {
            let schemas = self.source.member(&name).unwrap_or_default();
            let values = self.sampler.sample(&schemas).into_iter();
            let values = values.chain(["a".into(), 1.into(), Value::Null]);
            values.map(move |value| (name.clone(), value))
        });
        members.take(MOST / 4).collect()
    }

    /// Samples of every variant, and of two at a time.
    fn variants(&self) -> Vec<Value> {
        let mut found = Vec::new();
        for union in &self.source.unions {
            let each = union.variants.iter();
            let samples: Vec<Value> = each.flat_map(|v| self.called(v)).collect();
            found.extend(union.variants.iter().flat_map(|v| self.apart(v)));
            for (index, sample) in samples.iter().enumerate() {
                found.push(self.inside(sample.clone()));
                for other in samples.iter().skip(index + 1).take(8) {
                    if let (Value::Object(one), Value::Object(two)) = (sample, other) {
                        let both = one.clone().into_iter().chain(two.clone()).collect();
                        found.push(self.inside(Value::Object(both)));
                    }
                }
            }
        }
        found
    }

    /// A sample of a variant that is none of any that the target has.
    fn apart(&self, variant: &Variant<'a>) -> Option<Value> {
        let sample = self.sampler.variant(variant)?;
        let whole = Variant {
            schemas: self.refusing.clone(),
            tags: BTreeSet::new(),
        };
        let unions = &self.target.unions;
        let others = unions.iter().flat_map(|union| &union.variants);
        let whole = unions.is_empty().then_some(&whole);
        let apart = Apart::new(self.sampler, self.other.nodes);
        let value = apart.away_from_all(variant, others.chain(whole), sample)?;
        Some(self.inside(value))
    }

    /// A sample of a variant by each of its names.
    fn called(&self, variant: &Variant<'a>) -> Vec<Value> {
        let Some(sample) = self.sampler.variant(variant) else {
            return Vec::new();
        };
        let renamed = variant.tags.iter().skip(1).map(|(property, tag)| {
            let mut sample = sample.clone();
            if let Value::Object(members) = &mut sample {
                members.insert(property.clone(), tag.clone().into());
            }
            sample
        });
        let renamed: Vec<Value> = renamed.collect();
        std::iter::once(sample).chain(renamed).collect()
    }

    /// Values made for the keywords that are compared whole.
    fn opaque(&self) -> Vec<Value> {
        let own = self.source.opaque.values();
        let mut found: Vec<Value> = own.filter_map(|all| self.sampler.sample(all)).collect();
        let others = self.target.opaque.values();
        found.extend(others.filter_map(|all| self.other.sample(all)));
        let all = || {
            self.source
                .opaque
                .values()
                .chain(self.target.opaque.values())
        };
        found.extend(all().flat_map(|all| constants(all)));
        let mut inside: Vec<Value> = found
            .iter()
            .map(|value| self.inside(value.clone()))
            .collect();
        let listed = found.iter().map(|value| Value::Array(vec![value.clone()]));
        inside.extend(listed.collect::<Vec<_>>());
        found.extend(inside);
        found
    }

    /// An object with the members that its surroundings want; any other value as it is.
    pub(super) fn inside(&self, value: Value) -> Value {
        match value {
            Value::Object(members) => {
                let whole = self.sampler.object(self.source, 0, members.clone());
                whole.unwrap_or(Value::Object(members))
            }
            other => other,
        }
    }
}

/// Objects that meet the constants in a schema's members, as conditions ask for.
fn constants(all: &All<'_>) -> Vec<Value> {
    let each = all.0.iter().filter_map(|schema| {
        let members = schema.get("properties")?.as_object()?;
        let fixed = members.iter().filter_map(|(name, schema)| {
            let listed = schema.get("enum").and_then(Value::as_array);
            let value = schema.get("const").or_else(|| listed?.first())?;
            Some((name.clone(), value.clone()))
        });
        Some(Value::Object(fixed.collect()))
    });
    each.collect()
}
