//! Values of one schema that others refuse, as far as that is easily seen: of variants that overlap,
//! most values are several's.

use super::node::{All, Kind, Node, Variant};
use super::normal::Nodes;
use super::sample::{Sampler, count};
use super::scalar::{admits, fits, numbers, texts};
use serde_json::{Map, Number, Value, json};
use std::cell::Cell;
use std::ptr;

/// How deeply values are looked into.
const DEEPEST: usize = 4;
/// How many schemas are looked at.
const BUDGET: usize = 2_000;

/// Changes values of one schema so that others refuse them.
pub(super) struct Apart<'s, 'a> {
    sampler: &'s Sampler<'s, 'a>,
    /// Where the others are.
    theirs: &'s Nodes<'a>,
    /// What stays as it is: a member by its names, the outermost first; the value itself, where there are none.
    held: Option<&'s [String]>,
    left: Cell<usize>,
}

impl<'s, 'a> Apart<'s, 'a> {
    pub(super) fn new(sampler: &'s Sampler<'s, 'a>, theirs: &'s Nodes<'a>) -> Apart<'s, 'a> {
        Apart {
            sampler,
            theirs,
            held: None,
            left: Cell::new(BUDGET),
        }
    }

    /// The same, for values of which a member of those names, the outermost first, stays as it is.
    pub(super) fn holding(self, held: Option<&'s [String]>) -> Apart<'s, 'a> {
        Apart { held, ..self }
    }

    /// A value of a variant that each of the others refuses. What goes by a name is told apart by that.
    pub(super) fn away_from_all<'v>(
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
            self.away_from(&chosen.schemas, &other.schemas, value, self.held, DEEPEST)
        })
    }

    fn away_from(
        &self,
        own: &All<'a>,
        theirs: &All<'a>,
        value: Value,
        held: Option<&[String]>,
        depth: usize,
    ) -> Option<Value> {
        if self.refuses(theirs, &value, depth) {
            return Some(value);
        }
        let depth = depth.checked_sub(1)?;
        self.spend()?;
        let (own, theirs) = (self.sampler.node(own), self.theirs.of(theirs));
        match value {
            Value::Object(members) => {
                let value = self.object(&own, &theirs, members, held, depth)?;
                Some(Value::Object(value))
            }
            _ if held.is_some() => None,
            Value::Array(items) => {
                let first = items.into_iter().next();
                let own = own.item(0)?;
                let first = first.or_else(|| self.sampler.sample(&own))?;
                let item = self.away_from(&own, &theirs.item(0)?, first, None, depth)?;
                Some(Value::Array(vec![item]))
            }
            _ => scalars(&own, &theirs).find(|value| is_refused(&theirs, value)),
        }
    }

    /// With a member that is right for the one and wrong for the other: one that only the other names,
    /// else one that both do.
    fn object(
        &self,
        own: &Node<'a>,
        theirs: &Node<'a>,
        mut members: Map<String, Value>,
        held: Option<&[String]>,
        depth: usize,
    ) -> Option<Map<String, Value>> {
        let fresh = "extra0".to_owned();
        let held = match held.map(<[String]>::split_first) {
            Some(None) => return None,
            held => held.flatten(),
        };
        let names = || {
            let named = theirs.properties.keys().chain([&fresh]);
            named.filter(|name| held.is_none_or(|(held, _)| held != *name))
        };
        let foreign = names().filter(|name| own.member(name).is_none());
        let foreign = foreign.filter(|name| !members.contains_key(*name));
        let foreign = foreign.filter(|_| self.sampler.keeps_others(own));
        let mut wrong = foreign.filter_map(|name| {
            let schemas = theirs.member(name)?;
            // Where all is written as texts, only two of them are not a single one.
            let two = json!(["a", "a"]);
            let any = [two, Value::Null, Value::Bool(true), json!(0), json!("a")];
            let value = any.into_iter().find(|v| self.refuses(&schemas, v, 1))?;
            Some((name.clone(), value))
        });
        let found = wrong.next().or_else(|| {
            let free = names().map(|name| (name, None));
            let held = held.into_iter().map(|(name, within)| (name, Some(within)));
            free.chain(held).find_map(|(name, held)| {
                let (own, theirs) = (own.member(name)?, theirs.member(name)?);
                if own.refuses_everything() {
                    return None;
                }
                let value = members.get(name).cloned();
                let value = value.or_else(|| self.sampler.plain(&own))?;
                let value = self.away_from(&own, &theirs, value, held, depth)?;
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

    /// Whether the others' schema is easily seen to refuse a value, as far as its parts go.
    pub(super) fn is_refused_by(&self, all: &All<'a>, value: &Value) -> bool {
        self.refuses(all, value, DEEPEST)
    }

    /// Whether the others' schemas are easily seen to refuse a value.
    fn refuses(&self, all: &All<'a>, value: &Value, depth: usize) -> bool {
        if all.refuses_everything() {
            return true;
        }
        let Some(depth) = depth.checked_sub(1).filter(|_| self.spend().is_some()) else {
            return false;
        };
        let node = self.theirs.of(all);
        let within = match value {
            Value::Array(items) => items.iter().take(DEEPEST).enumerate().any(|(index, item)| {
                let schemas = node.item(index);
                schemas.is_some_and(|schemas| self.refuses(&schemas, item, depth))
            }),
            Value::Object(members) => members.iter().any(|(name, member)| {
                let schemas = node.member(name);
                schemas.is_some_and(|schemas| self.refuses(&schemas, member, depth))
            }),
            _ => false,
        };
        within
            || is_refused(&node, value)
            || node.unions.iter().any(|union| {
                let mut variants = union.variants.iter();
                variants.all(|variant| self.refuses(&variant.schemas, value, depth))
            })
    }
}

/// Whether a value is easily seen to be refused, by what is said of it as a whole.
pub(super) fn is_refused(node: &Node<'_>, value: &Value) -> bool {
    let unlisted = node
        .listed
        .as_ref()
        .is_some_and(|listed| !listed.contains(value));
    let limit = |keyword: &str| node.bounds.get(keyword).and_then(Number::as_u64);
    let crosses = |length: usize, least: &str, most: &str| {
        let length = u64::try_from(length).unwrap_or(u64::MAX);
        length < count(node, least) || limit(most).is_some_and(|most| length > most)
    };
    unlisted
        || !node.kinds.contains(&Kind::of(value))
        || match value {
            Value::Null | Value::Bool(_) => false,
            Value::Number(number) => !admits(node, number),
            Value::String(text) => !fits(node, text),
            Value::Array(items) => crosses(items.len(), "minItems", "maxItems"),
            Value::Object(members) => {
                let mut required = node.required.iter();
                required.any(|name| !members.contains_key(name))
                    || crosses(members.len(), "minProperties", "maxProperties")
            }
        }
}

/// Values without parts that one normal form accepts, about the limits of both.
fn scalars(own: &Node<'_>, theirs: &Node<'_>) -> impl Iterator<Item = Value> {
    let mut found = own.listed.clone().unwrap_or_default();
    if own.listed.is_none() {
        found.extend([Value::Null, Value::Bool(true), Value::Bool(false)]);
        found.extend(texts(own, theirs).into_iter().map(Value::String));
        found.extend(numbers(own, theirs).into_iter().map(Value::Number));
    }
    found.retain(|value| !is_refused(own, value));
    found.into_iter()
}
