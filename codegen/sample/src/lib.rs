//! Values that fit a JSON Schema.
//!
//! - [`Samples`] finds a valid value of a named schema: for a self-test that calls every operation, for a
//!   collection of requests, for an example in a reference.
//! - [`normal`] gives the constraints of a schema on one place, however they are written.
//! - [`Sampler`] makes typical values, [`Boundary`] those that one schema may accept and another refuse,
//!   [`Distinguisher`] those that fit one variant of a union and no other.
//!
//! Only the validator says which value is valid; everything else here is a guess that it confirms.

mod boundary;
mod bundle;
mod distinguish;
pub mod normal;
mod sampler;
mod unsatisfiable;
mod value;

pub use boundary::Boundary;
pub use bundle::Bundle;
pub use distinguish::{Distinguisher, is_refused};
pub use sampler::{Sampler, Style};
pub use unsatisfiable::Satisfiability;
pub use value::choice::{distinct, is_blank};
pub use value::pattern::matches;
pub use value::text::{letters, matching, matching_with_length};

use json_schema::coerce::{Objects, raw::Raw};
use normal::{AllOf, Normalizer, Type};
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};
use value::scalar::{numbers, texts};

/// How many candidates of one schema are made.
pub const CANDIDATES: usize = 12;
/// The longest candidate, written as JSON.
const LARGE: usize = 4096;

/// Finds values of named schemas, and judges them.
#[derive(Debug)]
pub struct Samples {
    bundle: Bundle,
}

impl Samples {
    /// Of schemas by their names, which refer to each other as `#/Name`.
    #[must_use]
    pub fn new(schemas: Map<String, Value>) -> Samples {
        Samples {
            bundle: Bundle::new(schemas),
        }
    }

    /// The value that a text stands for under a schema.
    #[must_use]
    pub fn read(&self, key: &str, text: &str) -> Value {
        self.bundle
            .coerce(key, &Raw::Text(text.into()), Objects::AsJson)
    }

    /// Whether a schema accepts a value.
    #[must_use]
    pub fn accepts(&self, key: &str, value: &Value) -> bool {
        self.bundle.accepts(key, value)
    }

    /// The first violation by a value, in one line.
    #[must_use]
    pub fn complaint(&self, key: &str, value: &Value) -> Option<String> {
        let issues = self.bundle.issues(key, value);
        let first = issues.first()?;
        Some(format!("{} {}", first.at, first.message).trim().to_owned())
    }

    /// Whether a schema clearly accepts no value.
    #[must_use]
    pub fn is_unsatisfiable(&self, key: &str) -> bool {
        self.bundle.schema(key).is_some_and(|schema| {
            let forms = Normalizer::new(&self.bundle);
            Satisfiability::new(&forms).is_unsatisfiable(&AllOf::one(schema))
        })
    }

    /// Whether there are values, but none that a generated type writes again as it was: each variant of a
    /// `oneOf` that the type keeps fits others too.
    #[must_use]
    pub fn is_ambiguous(&self, key: &str) -> bool {
        let any = || self.search(key, false, |_| true, Some);
        self.search(key, true, |_| true, Some).is_none() && any().is_some()
    }

    /// A valid value that is also of use to the caller: one with optional members, or else the plainest,
    /// or else one at a bound of the schema. Of each, the part that `part` leaves is tried too.
    pub fn find(
        &self,
        key: &str,
        fits: impl Fn(&Value) -> bool,
        part: impl Fn(Value) -> Value,
    ) -> Option<Value> {
        self.search(key, true, fits, |value| Some(part(value)))
    }

    /// The plainest valid value: with required members alone, where there is one.
    #[must_use]
    pub fn plainest(&self, key: &str) -> Option<Value> {
        let schema = self.bundle.schema(key)?;
        let forms = Normalizer::new(&self.bundle);
        let sampler = Sampler::new(&forms, Style::default());
        let plainest = sampler.sample(&AllOf::one(schema));
        let valid = plainest.filter(|value| self.accepts(key, value));
        valid.or_else(|| self.find(key, |_| true, |value| value))
    }

    /// A few values of each of some schemas, the plainest first; some may be invalid.
    pub fn candidates<'k>(
        &self,
        keys: impl IntoIterator<Item = &'k str>,
    ) -> HashMap<&'k str, Vec<Value>> {
        let forms = Normalizer::new(&self.bundle);
        let mut found = HashMap::new();
        for key in keys {
            let schema = self.bundle.schema(key);
            found.entry(key).or_insert_with(|| {
                schema.map_or_else(Vec::new, |schema| candidates(&forms, &AllOf::one(schema)))
            });
        }
        found
    }

    fn search(
        &self,
        key: &str,
        round_trip: bool,
        fits: impl Fn(&Value) -> bool,
        part: impl Fn(Value) -> Option<Value>,
    ) -> Option<Value> {
        let schema = self.bundle.schema(key)?;
        let forms = Normalizer::new(&self.bundle);
        let all = AllOf::one(schema);
        let is_good = |value: &Value| fits(value) && self.accepts(key, value);
        let best = |value: Value| match is_good(&value) {
            true => Some(value),
            false => part(value).filter(is_good),
        };
        let plainest = Style {
            round_trip,
            ..Style::default()
        };
        for (distinct, filled) in [(false, false), (false, true), (true, false), (true, true)] {
            for optional in [true, false] {
                let style = Style {
                    optional,
                    distinct,
                    filled,
                    ..plainest
                };
                let value = Sampler::new(&forms, style).sample(&all);
                if let Some(value) = value.and_then(best) {
                    return Some(value);
                }
            }
        }
        let form = forms.of(&all);
        let sampler = Sampler::new(&forms, plainest);
        let boundary = Boundary {
            accepting: &form,
            refusing: &form,
            sampler: &sampler,
            other: &sampler,
        };
        boundary.values().into_iter().find_map(best)
    }
}

/// A sample of each style, the values that a schema shows, and some of each variant and type.
fn candidates<'a>(forms: &Normalizer<'a>, all: &AllOf<'a>) -> Vec<Value> {
    let form = forms.of(all);
    let plain = Sampler::new(forms, Style::default());
    let styles = [(false, false), (true, false), (false, true)];
    let samples = styles.into_iter().filter_map(|(optional, distinct)| {
        let style = Style {
            optional,
            distinct,
            ..Style::default()
        };
        Sampler::new(forms, style).sample(all)
    });
    let shown = form
        .annotations
        .examples
        .iter()
        .chain(&form.annotations.default);
    let listed = form.enumerated.iter().flatten();
    let variants = form.unions.iter().flat_map(|union| &union.variants);
    let variants = variants.filter_map(|variant| plain.variant(variant));
    let values = samples.chain(shown.chain(listed).cloned()).chain(variants);
    let mut found: Vec<Value> = values.collect();
    for ty in form.types.iter().filter(|_| form.enumerated.is_none()) {
        match ty {
            Type::Null => found.push(Value::Null),
            Type::Boolean => found.extend([true.into(), false.into()]),
            Type::Number => {
                found.extend(numbers(&form, &form).into_iter().take(4).map(Value::Number))
            }
            Type::String => {
                found.extend(texts(&form, &form).into_iter().take(4).map(Value::String))
            }
            Type::Array | Type::Object => {}
        }
    }
    let mut distinct = HashSet::new();
    found.retain(|value| value.to_string().len() <= LARGE && distinct.insert(value.clone()));
    found.truncate(CANDIDATES);
    found
}
