//! Boundary values: those that one schema may accept and another refuse.

use crate::normal::{AllOf, NormalForm, Type, Variant};
use crate::sampler::Sampler;
use crate::value::scalar::{MAX_LENGTH as MAX_SAMPLE, numbers, texts};
use crate::value::text::matching;
use json_schema::equality::ValueSet;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The longest list that is made to cross a limit.
const MAX_ITEMS: u64 = 1_000_000;
/// The longest text.
const MAX_LENGTH: u64 = 10_000_000;
/// How many values are made.
const MAX_VALUES: usize = 300;
/// With how many others the sample of a variant is combined.
const MAX_COMBINED: usize = 8;

/// Two schemas for the same place.
#[derive(Debug)]
pub struct Boundary<'s, 'a> {
    /// Of the schema that accepts the values.
    pub accepting: &'s NormalForm<'a>,
    /// The schema that may refuse them.
    pub refusing: &'s NormalForm<'a>,
    /// Makes samples of the schemas that accept.
    pub sampler: &'s Sampler<'s, 'a>,
    /// Makes samples of the schemas that refuse.
    pub other: &'s Sampler<'s, 'a>,
}

impl<'a> Boundary<'_, 'a> {
    /// Values that one schema may accept and the other refuse, the likely ones first.
    #[must_use]
    pub fn values(&self) -> Vec<Value> {
        let (accepting, refusing) = (self.accepting, self.refusing);
        let mut found: Vec<Value> = Vec::new();
        if let Some(values) = &accepting.enumerated {
            // A value that both list proves nothing.
            let known = ValueSet::of(refusing.enumerated.as_deref().unwrap_or_default());
            let (shared, own) = values.iter().partition::<Vec<_>, _>(|v| known.contains(v));
            found.extend(own.into_iter().chain(shared).cloned());
            found.truncate(MAX_VALUES);
            return found;
        }
        found.extend(self.of_variants());
        let (gone, kept): (Vec<Type>, Vec<Type>) = accepting
            .types
            .iter()
            .partition(|ty| !refusing.types.contains(ty));
        for ty in gone.into_iter().chain(kept) {
            match ty {
                Type::Null => found.push(Value::Null),
                Type::Boolean => found.extend([Value::Bool(true), Value::Bool(false)]),
                Type::Number => {
                    let numbers = numbers(accepting, refusing).into_iter();
                    found.extend(numbers.map(Value::Number));
                }
                Type::String => {
                    let texts = texts(accepting, refusing).into_iter();
                    found.extend(texts.map(Value::String));
                    found.extend(self.long_texts());
                }
                Type::Array => found.extend(self.arrays()),
                Type::Object => found.extend(self.objects()),
            }
        }
        found.extend(self.of_opaque_keywords());
        found.truncate(MAX_VALUES);
        found
    }

    /// The limits of both under two keywords, and their neighbours.
    fn lengths(&self, keywords: [&str; 2]) -> BTreeSet<u64> {
        let mut lengths = BTreeSet::from([0, 1, 2]);
        for side in [self.accepting, self.refusing] {
            for limit in keywords.iter().filter_map(|keyword| side.limit(keyword)) {
                lengths.extend([limit, limit.saturating_add(1), limit.saturating_sub(1)]);
            }
        }
        lengths
    }

    fn arrays(&self) -> Vec<Value> {
        let lengths = self.lengths(["minItems", "maxItems"]).into_iter();
        let mut found: Vec<Value> = lengths.filter_map(|length| self.array(length)).collect();
        let doubled = found
            .iter()
            .find_map(|array| array.as_array()?.first().cloned());
        found.extend(doubled.map(|item| Value::Array(vec![item.clone(), item])));
        found
    }

    /// A list of a length; a very long one repeats an item.
    fn array(&self, length: u64) -> Option<Value> {
        let own = self.sampler.array(self.accepting, length);
        if own.is_some() || length > MAX_ITEMS {
            return own;
        }
        let Value::Array(items) = self.sampler.array(self.accepting, 1)? else {
            return None;
        };
        let length = usize::try_from(length).ok()?;
        Some(Value::Array(vec![items.first()?.clone(); length]))
    }

    /// Texts at the limits of both that are too long for samples.
    fn long_texts(&self) -> Vec<Value> {
        let lengths = self.lengths(["minLength", "maxLength"]).into_iter();
        let long = lengths.filter(|length| (MAX_SAMPLE + 1..=MAX_LENGTH).contains(length));
        let texts = long.filter_map(|length| Some("a".repeat(usize::try_from(length).ok()?)));
        texts.map(Value::String).collect()
    }

    fn objects(&self) -> Vec<Value> {
        let (form, sampler) = (self.accepting, self.sampler);
        let Some(base) = sampler.members_around(form, Map::new(), None) else {
            return Vec::new();
        };
        let mut found = vec![base.clone()];
        for name in self.refusing.required.iter().chain(&form.required) {
            let mut less = base.clone();
            less.shift_remove(name);
            found.push(less);
        }
        let with = |name: &str, value: Value| {
            let mut more = base.clone();
            more.insert(name.to_owned(), value);
            more
        };
        let declared = form.properties.keys();
        let declared = declared.chain(self.refusing.properties.keys());
        let declared = declared.filter(|name| !base.contains_key(*name)).cloned();
        let invented = ["extra0", "A b", ""].map(str::to_owned);
        let sampled = |name: String| {
            let schemas = form.member(&name).unwrap_or_default();
            let value = sampler.sample(&schemas).filter(|_| !schemas.is_false())?;
            Some(with(&name, value))
        };
        found.extend(declared.filter_map(sampled));
        for length in self.lengths(["minProperties", "maxProperties"]) {
            let mut padded = base.clone();
            let length = usize::try_from(length).unwrap_or_default();
            sampler.pad(form, &mut padded, length, 0);
            found.push(padded);
        }
        let conditions = self.conditional_members().into_iter();
        found.extend(conditions.map(|(name, value)| with(&name, value)));
        found.extend(invented.into_iter().filter_map(sampled));
        found.into_iter().map(Value::Object).collect()
    }

    /// Members that patterns and dependencies are about.
    fn conditional_members(&self) -> Vec<(String, Value)> {
        let refusing = self.refusing;
        let patterns = refusing
            .patterns
            .keys()
            .chain(self.accepting.patterns.keys());
        let matching = patterns.flat_map(|pattern| matching(pattern));
        let keywords = refusing.opaque.keys();
        let dependent = keywords.filter_map(|keyword| keyword.strip_prefix("dependentSchemas/"));
        let dependent = dependent.map(str::to_owned);
        let requiring = refusing.dependencies().map(|(name, _)| name);
        let names = matching.chain(dependent).chain(requiring);
        let members = names.flat_map(|name| {
            let schemas = self.accepting.member(&name).unwrap_or_default();
            let values = self.sampler.sample(&schemas).into_iter();
            let values = values.chain(["a".into(), 1.into(), Value::Null]);
            values.map(move |value| (name.clone(), value))
        });
        members.take(MAX_VALUES / 4).collect()
    }

    /// Samples of every variant, and of two at a time.
    fn of_variants(&self) -> Vec<Value> {
        let mut found = Vec::new();
        for union in &self.accepting.unions {
            let variants = union.variants.iter();
            let samples: Vec<Value> = variants.flat_map(|v| self.by_each_tag(v)).collect();
            for (index, sample) in samples.iter().enumerate() {
                found.push(self.completed(sample.clone()));
                for other in samples.iter().skip(index + 1).take(MAX_COMBINED) {
                    if let (Value::Object(one), Value::Object(two)) = (sample, other) {
                        let both = one.clone().into_iter().chain(two.clone()).collect();
                        found.push(self.completed(Value::Object(both)));
                    }
                }
            }
        }
        found
    }

    /// Samples of a variant, one with each of its tags.
    fn by_each_tag(&self, variant: &Variant<'a>) -> Vec<Value> {
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

    /// Values for keywords such as `not`, `if` and `contains`.
    fn of_opaque_keywords(&self) -> Vec<Value> {
        let (own, theirs) = (&self.accepting.opaque, &self.refusing.opaque);
        let mut found: Vec<Value> = Vec::new();
        found.extend(own.values().filter_map(|all| self.sampler.sample(all)));
        found.extend(theirs.values().filter_map(|all| self.other.sample(all)));
        found.extend(own.values().chain(theirs.values()).flat_map(constants));
        let completed = found.iter().map(|value| self.completed(value.clone()));
        let listed = found.iter().map(|value| Value::Array(vec![value.clone()]));
        let around: Vec<Value> = completed.chain(listed).collect();
        found.extend(around);
        found
    }

    /// An object with the members that the accepting schema requires beside; other values as they are.
    fn completed(&self, value: Value) -> Value {
        match value {
            Value::Object(members) => {
                let whole = self.sampler.object(self.accepting, 0, members.clone());
                whole.unwrap_or(Value::Object(members))
            }
            other => other,
        }
    }
}

/// Objects with the constants of the members of schemas, as conditions ask for them.
fn constants(all: &AllOf<'_>) -> Vec<Value> {
    let objects = all.0.iter().filter_map(|schema| {
        let members = schema.get("properties")?.as_object()?;
        let constants = members.iter().filter_map(|(name, schema)| {
            let values = schema.get("enum").and_then(Value::as_array);
            let value = schema.get("const").or_else(|| values?.first())?;
            Some((name.clone(), value.clone()))
        });
        Some(Value::Object(constants.collect()))
    });
    objects.collect()
}
