//! From a value at the place of a difference to a whole body or parameter that has it there.

use super::apart::Apart;
use super::compare::{Comparison, PairId, Step};
use super::node::{All, Node, Union, Variant};
use super::normal::Nodes;
use super::overlap::Place;
use super::refused::Whole;
use super::sample::{Sampler, count};
use super::text;
use super::view::Direction;
use super::witness::Subject;
use serde_json::{Map, Number, Value};
use std::collections::BTreeSet;
use std::ptr;

/// With how many other variants a value is brought together.
const MOST_COMPANIES: usize = 8;
/// At how many of the choices among variants around it.
pub(super) const MOST_CHOICES: usize = 6;

/// How what is around a value is made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manner {
    /// Whether optional members are there as well.
    pub(super) full: bool,
    /// Whether examples are looked past, and values of one variant are made ones of no other.
    pub(super) wary: bool,
}

/// What is around a value, as the accepting contract wants it: made once, whatever the value.
pub(super) struct Surroundings<'a> {
    manner: Manner,
    /// The innermost first.
    layers: Vec<Layer<'a>>,
}

/// What is around a value at one step.
enum Layer<'a> {
    Member(String, Map<String, Value>),
    Item(usize, Vec<Value>),
    Variant(Chosen<'a>),
}

/// A variant that a value is of.
pub(super) struct Chosen<'a> {
    variant: Option<Variant<'a>>,
    /// The variants beside it that must refuse the value: those of the contract that accepts it, where
    /// no more than one may hold, and those of the other one.
    own: Vec<Variant<'a>>,
    theirs: Vec<Variant<'a>>,
    /// The members beside those of the variant.
    beside: Map<String, Value>,
    /// Members of samples of the other variants of which only one may hold: those beside it, of a value
    /// that may be of both.
    companies: Vec<Map<String, Value>>,
    /// The members in which the difference lies, the outermost first.
    held: Option<Vec<String>>,
}

impl Manner {
    /// All, those that make the plainest values first.
    pub(super) const ALL: [Manner; 4] = [
        Manner::new(false, false),
        Manner::new(true, false),
        Manner::new(false, true),
        Manner::new(true, true),
    ];

    const fn new(full: bool, wary: bool) -> Manner {
        Manner { full, wary }
    }

    pub(super) fn sampler<'s, 'a>(self, nodes: &'s Nodes<'a>) -> Sampler<'s, 'a> {
        Sampler::new(nodes, self.full).wary(self.wary)
    }
}

/// Where a value is to be made: the two contracts, and what of them.
#[derive(Clone, Copy)]
pub(super) struct Scene<'s, 'a> {
    pub(super) comparison: &'s Comparison<'a>,
    pub(super) subject: &'s Subject<'s>,
}

impl<'a> Surroundings<'a> {
    /// Of values at the end of a path; `None` where something on the way has no values.
    pub(super) fn new(
        scene: Scene<'_, 'a>,
        manner: Manner,
        path: &[(PairId, Step)],
    ) -> Option<Surroundings<'a>> {
        let (mut layers, mut held) = (Vec::new(), None::<Vec<String>>);
        for (pair, step) in path.iter().rev() {
            layers.push(scene.layer(manner, *pair, step, held.as_deref())?);
            held = match step {
                Step::Member(name) => {
                    let within = held.into_iter().flatten();
                    Some([name.clone()].into_iter().chain(within).collect())
                }
                Step::Variant(..) => held,
                Step::Matching(_) | Step::Other | Step::Item(_) => None,
            };
        }
        Some(Surroundings { manner, layers })
    }

    /// Members that a value can have beside it to be of another variant as well, each with the choice among
    /// variants that it is for, the innermost first.
    pub(super) fn companies(&self) -> impl Iterator<Item = (&Chosen<'a>, &Map<String, Value>)> {
        let choices = self.layers.iter().filter_map(|layer| match layer {
            Layer::Variant(chosen) => Some(chosen),
            _ => None,
        });
        choices
            .take(MOST_CHOICES)
            .flat_map(|chosen| chosen.companies.iter().map(move |others| (chosen, others)))
    }

    /// The whole that has a value at the end of the path; one that is likely to be of another variant as well,
    /// where the index of that is given.
    pub(super) fn whole(
        &self,
        scene: Scene<'_, 'a>,
        value: Value,
        company: Option<usize>,
    ) -> Option<Whole> {
        let (mut value, mut at, mut union) = (value, String::new(), None);
        let company = company.and_then(|at| self.companies().nth(at));
        for layer in &self.layers {
            if let (Layer::Variant(here), Some((choice, others))) = (layer, company)
                && ptr::eq(here, choice)
            {
                add(&mut value, others);
            }
            let (whole, token) = self.put(scene, layer, value)?;
            value = whole;
            match token {
                Some(token) => {
                    let token = token.replace('~', "~0").replace('/', "~1");
                    at = format!("/{token}{at}");
                    union = union.map(|below: String| format!("/{token}{below}"));
                }
                None => union = Some(String::new()),
            }
        }
        Some(Whole { value, at, union })
    }

    fn put(
        &self,
        scene: Scene<'_, 'a>,
        layer: &Layer<'a>,
        value: Value,
    ) -> Option<(Value, Option<String>)> {
        Some(match layer {
            Layer::Member(name, members) => {
                let mut members = members.clone();
                members.insert(name.clone(), value);
                (Value::Object(members), Some(name.clone()))
            }
            Layer::Item(index, items) => {
                let mut items = items.clone();
                *items.get_mut(*index)? = value;
                (Value::Array(items), Some(index.to_string()))
            }
            Layer::Variant(chosen) => (self.of_variant(scene, chosen, value)?, None),
        })
    }

    fn of_variant(&self, scene: Scene<'_, 'a>, chosen: &Chosen<'a>, value: Value) -> Option<Value> {
        let Some(variant) = &chosen.variant else {
            return Some(value);
        };
        let mut value = variant.tagged(value);
        if self.manner.wary {
            let (source, target) = scene.nodes();
            let sampler = self.manner.sampler(source);
            for (nodes, others) in [(source, &chosen.own), (target, &chosen.theirs)] {
                let apart = Apart::new(&sampler, nodes).holding(chosen.held.as_deref());
                value = apart.away_from_all(variant, others.iter(), value)?;
            }
        }
        add(&mut value, &chosen.beside);
        Some(value)
    }
}

/// Gives an object the members that it does not have.
fn add(value: &mut Value, beside: &Map<String, Value>) {
    if let Value::Object(members) = value {
        for (name, member) in beside {
            members.entry(name).or_insert_with(|| member.clone());
        }
    }
}

impl<'s, 'a> Scene<'s, 'a> {
    /// The contract that accepts a value, and the one that refuses it.
    pub(super) fn nodes(self) -> (&'s Nodes<'a>, &'s Nodes<'a>) {
        self.subject.nodes(self.comparison)
    }

    /// The schemas of a pair in each.
    pub(super) fn schemas(self, pair: PairId) -> Option<(All<'a>, All<'a>)> {
        self.subject.schemas(self.comparison, pair)
    }

    /// Where the variants of a pair stand that the refusing contract has and the accepting one has not.
    pub(super) fn unequal(self, pair: PairId) -> BTreeSet<Place> {
        let (before, after) = self.comparison.unequal(pair);
        match self.subject.direction {
            Direction::Request => after,
            Direction::Response => before,
        }
    }

    /// What is around a value at one step, each with a sampler that has looked at nothing yet.
    fn layer(
        self,
        manner: Manner,
        pair: PairId,
        step: &Step,
        held: Option<&[String]>,
    ) -> Option<Layer<'a>> {
        let (source, target) = self.schemas(pair)?;
        let (nodes, others) = self.nodes();
        let sampler = manner.sampler(nodes);
        let node = sampler.node(&source);
        let member = |name: String| {
            let hole = Map::from_iter([(name.clone(), Value::Null)]);
            let members = sampler.around(&node, hole, None)?;
            Some(Layer::Member(name, members))
        };
        match step {
            Step::Member(name) => member(name.clone()),
            Step::Matching(pattern) => member(text::matching(pattern).into_iter().next()?),
            Step::Other => {
                let mut names = (0..16).map(|index| format!("extra{index}"));
                member(names.find(|name| !node.properties.contains_key(name))?)
            }
            Step::Item(index) => {
                let least = u64::try_from(*index).ok()?.saturating_add(1);
                // A list of one may be its item, where it is written as a text.
                let wanted = least.saturating_add(u64::from(manner.wary));
                let room = node.bounds.get("maxItems").and_then(Number::as_u64);
                let wanted = room.map_or(wanted, |room| wanted.min(room.max(least)));
                let length = count(&node, "minItems").max(wanted);
                match sampler.array(&node, 0, length)? {
                    Value::Array(items) => Some(Layer::Item(*index, items)),
                    _ => None,
                }
            }
            Step::Variant(union, before, after) => {
                let (own, theirs) = match self.subject.direction {
                    Direction::Request => (*before, *after),
                    Direction::Response => (*after, *before),
                };
                let others = others.of(&target);
                let chosen = chosen(&sampler, [&node, &others], *union, [own, theirs]);
                Some(Layer::Variant(Chosen {
                    held: held.map(<[String]>::to_vec),
                    ..chosen
                }))
            }
        }
    }
}

/// The variants of that union, of the contract that accepts a value and of the other one.
fn chosen<'a>(
    sampler: &Sampler<'_, 'a>,
    sides: [&Node<'a>; 2],
    union: usize,
    indices: [usize; 2],
) -> Chosen<'a> {
    let ([source, target], [own, theirs]) = (sides, indices);
    let others = |union: &Union<'a>, but: usize| {
        let variants = union.variants.iter().enumerate();
        let others = variants.filter(|(index, _)| *index != but);
        others.map(|(_, other)| other.clone()).collect()
    };
    let unions = [source.unions.get(union), target.unions.get(union)];
    let variant = unions[0].and_then(|union| union.variants.get(own));
    let exact = unions[0].filter(|union| union.exactly_one);
    let own: Vec<Variant<'a>> = exact.map(|union| others(union, own)).unwrap_or_default();
    Chosen {
        variant: variant.cloned(),
        companies: companies(sampler, &own),
        own,
        theirs: unions[1]
            .map(|union| others(union, theirs))
            .unwrap_or_default(),
        beside: sampler
            .around(source, Map::new(), Some(union))
            .unwrap_or_default(),
        held: None,
    }
}

/// What samples of those variants that go by no name have.
fn companies<'a>(sampler: &Sampler<'_, 'a>, others: &[Variant<'a>]) -> Vec<Map<String, Value>> {
    let nameless = others.iter().filter(|other| other.tags.is_empty());
    let samples = nameless.filter_map(|other| match sampler.variant(other)? {
        Value::Object(members) => Some(members),
        _ => None,
    });
    samples.take(MOST_COMPANIES).collect()
}
