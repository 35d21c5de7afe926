//! Values of one variant that others refuse: where variants overlap, most values fit several.

use crate::normal::{AllOf, NormalForm, Normalizer, Type, Variant};
use crate::sampler::{Sampler, least};
use crate::value::scalar::{accepts_number, accepts_text, numbers, texts};
use json_schema::equality::equal;
use serde_json::{Map, Value, json};
use std::cell::Cell;
use std::ptr;

/// How deeply values are looked into.
const MAX_DEPTH: usize = 4;
/// How many schemas are looked at.
const BUDGET: usize = 2_000;

/// Changes values of one schema so that others refuse them.
#[derive(Debug)]
pub struct Distinguisher<'s, 'a> {
    sampler: &'s Sampler<'s, 'a>,
    /// The normal forms of the others.
    others: &'s Normalizer<'a>,
    left: Cell<usize>,
}

impl<'s, 'a> Distinguisher<'s, 'a> {
    /// For values that the sampler's schemas accept.
    #[must_use]
    pub fn new(sampler: &'s Sampler<'s, 'a>, others: &'s Normalizer<'a>) -> Distinguisher<'s, 'a> {
        Distinguisher {
            sampler,
            others,
            left: Cell::new(BUDGET),
        }
    }

    /// A value of a variant, changed so that each of the others refuses it. Tags tell variants apart
    /// without that.
    pub fn distinguish<'v>(
        &self,
        chosen: &Variant<'a>,
        others: impl Iterator<Item = &'v Variant<'a>>,
        value: Value,
    ) -> Option<Value>
    where
        'a: 'v,
    {
        let mut others = others
            .filter(|other| !ptr::eq(*other, chosen))
            .filter(|other| chosen.tags.is_empty() || other.tags.is_empty());
        others.try_fold(value, |value, other| {
            self.distinguish_one(&chosen.schemas, &other.schemas, value, MAX_DEPTH)
        })
    }

    fn distinguish_one(
        &self,
        own: &AllOf<'a>,
        theirs: &AllOf<'a>,
        value: Value,
        depth: usize,
    ) -> Option<Value> {
        if self.is_refused_at(theirs, &value, depth) {
            return Some(value);
        }
        let depth = depth.checked_sub(1)?;
        self.spend()?;
        let (own, theirs) = (self.sampler.form(own), self.others.of(theirs));
        match value {
            Value::Object(members) => {
                let members = self.object(&own, &theirs, members, depth)?;
                Some(Value::Object(members))
            }
            Value::Array(items) => {
                let own = own.item(0)?;
                let first = items.into_iter().next();
                let first = first.or_else(|| self.sampler.sample(&own))?;
                let item = self.distinguish_one(&own, &theirs.item(0)?, first, depth)?;
                Some(Value::Array(vec![item]))
            }
            _ => scalars(&own, &theirs).find(|value| is_refused(&theirs, value)),
        }
    }

    /// An object with a member that is right for the one and wrong for the other: one that only the other
    /// names, or else one that both do.
    fn object(
        &self,
        own: &NormalForm<'a>,
        theirs: &NormalForm<'a>,
        mut members: Map<String, Value>,
        depth: usize,
    ) -> Option<Map<String, Value>> {
        let fresh = "extra0".to_owned();
        let names = || theirs.properties.keys().chain([&fresh]);
        let foreign = names()
            .filter(|name| own.member(name).is_none() && !members.contains_key(*name))
            .filter(|_| self.sampler.may_add_others(own));
        let mut wrong = foreign.filter_map(|name| {
            let schemas = theirs.member(name)?;
            // Where everything is written as text, only two of them differ from a single one.
            let two = json!(["a", "a"]);
            let mut any = [two, Value::Null, Value::Bool(true), json!(0), json!("a")].into_iter();
            let value = any.find(|value| self.is_refused_at(&schemas, value, 1))?;
            Some((name.clone(), value))
        });
        let found = wrong.next().or_else(|| {
            names().find_map(|name| {
                let (own, theirs) = (own.member(name)?, theirs.member(name)?);
                if own.is_false() {
                    return None;
                }
                let value = members.get(name).cloned();
                let value = value.or_else(|| self.sampler.plain(&own))?;
                let value = self.distinguish_one(&own, &theirs, value, depth)?;
                Some((name.clone(), value))
            })
        });
        members.extend([found?]);
        Some(members)
    }

    fn spend(&self) -> Option<()> {
        self.left.set(self.left.get().checked_sub(1)?);
        Some(())
    }

    /// Whether the others' schema clearly refuses a value.
    pub fn is_refused(&self, all: &AllOf<'a>, value: &Value) -> bool {
        self.is_refused_at(all, value, MAX_DEPTH)
    }

    fn is_refused_at(&self, all: &AllOf<'a>, value: &Value, depth: usize) -> bool {
        if all.is_false() {
            return true;
        }
        let Some(depth) = depth.checked_sub(1).filter(|_| self.spend().is_some()) else {
            return false;
        };
        let form = self.others.of(all);
        let refuses = |schemas: Option<AllOf<'a>>, part: &Value| {
            schemas.is_some_and(|schemas| self.is_refused_at(&schemas, part, depth))
        };
        let has_wrong_part = match value {
            Value::Array(items) => {
                let mut items = items.iter().take(MAX_DEPTH).enumerate();
                items.any(|(index, item)| refuses(form.item(index), item))
            }
            Value::Object(members) => {
                let mut members = members.iter();
                members.any(|(name, member)| refuses(form.member(name), member))
            }
            _ => false,
        };
        let fits_none = || {
            form.unions.iter().any(|union| {
                let mut variants = union.variants.iter();
                variants.all(|variant| self.is_refused_at(&variant.schemas, value, depth))
            })
        };
        has_wrong_part || is_refused(&form, value) || fits_none()
    }
}

/// Whether a form's keywords about the whole value clearly refuse it.
#[must_use]
pub fn is_refused(form: &NormalForm<'_>, value: &Value) -> bool {
    let is_not_listed = |values: &Vec<Value>| {
        !values.contains(value) && !values.iter().any(|one| equal(one, value))
    };
    let crosses = |length: usize, lower: &str, upper: &str| {
        let length = u64::try_from(length).unwrap_or(u64::MAX);
        length < least(form, lower) || form.limit(upper).is_some_and(|most| length > most)
    };
    form.enumerated.as_ref().is_some_and(is_not_listed)
        || !form.types.contains(&Type::of(value))
        || match value {
            Value::Null | Value::Bool(_) => false,
            Value::Number(number) => !accepts_number(form, number),
            Value::String(text) => !accepts_text(form, text),
            Value::Array(items) => crosses(items.len(), "minItems", "maxItems"),
            Value::Object(members) => {
                let mut required = form.required.iter();
                required.any(|name| !members.contains_key(name))
                    || crosses(members.len(), "minProperties", "maxProperties")
            }
        }
}

/// Values without parts that one form accepts, at the limits of both.
fn scalars(own: &NormalForm<'_>, theirs: &NormalForm<'_>) -> impl Iterator<Item = Value> {
    let mut found = own.enumerated.clone().unwrap_or_default();
    if own.enumerated.is_none() {
        found.extend([Value::Null, Value::Bool(true), Value::Bool(false)]);
        found.extend(texts(own, theirs).into_iter().map(Value::String));
        found.extend(numbers(own, theirs).into_iter().map(Value::Number));
    }
    found.retain(|value| !is_refused(own, value));
    found.into_iter()
}
