//! Values of two variants of which only one may hold: where a variant takes more than it did, what
//! another one takes is refused.

use super::apart::{Apart, is_refused};
use super::arriving::Travels;
use super::compare::{Finding, PairId, Step};
use super::exclusive::is_exclusive;
use super::in_common::in_common;
use super::node::{All, Node, Variant};
use super::probe::{Sides, probes};
use super::sample::Sampler;
use super::surroundings::{MOST_CHOICES, Scene};
use serde_json::Value;
use std::collections::BTreeSet;
use std::rc::Rc;

/// More values than this are not tried at one place, half of them made of samples alone.
const MOST: usize = 120;
/// How many pairs of variants are looked at.
const MOST_PAIRS: usize = 2_500;
/// Of how many of them more than samples is tried.
const MOST_PROBED: usize = 16;
/// Of how many pairs of one union what they have in common is tried.
const MOST_JOINT: usize = 64;

/// Where a variant stands: the index of its union, and its own.
pub(super) type Place = (usize, usize);

/// A variant, looked into.
struct One<'a> {
    union: usize,
    schemas: All<'a>,
    node: Rc<Node<'a>>,
    sample: Option<Value>,
}

/// Values that the source, whose schemas are given, may accept as one variant, and that are of another
/// one of the target: of those only one may hold, and they go by no name. Variants of the target that have
/// no equal in the source come first, as what is new is most likely of them.
pub(super) fn overlaps<'a>(
    sides: &Sides<'_, 'a>,
    accepting: &All<'a>,
    unequal: &BTreeSet<Place>,
) -> Vec<Value> {
    let theirs = theirs(sides, unequal);
    if theirs.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<Value> = in_turn(joint(sides, &theirs)).take(MOST / 2).collect();
    let own = own(sides, accepting);
    let pairs = || {
        let pairs = theirs
            .iter()
            .flat_map(|one| own.iter().map(move |other| (one, other)));
        pairs.take(MOST_PAIRS)
    };
    let samples = theirs.iter().filter_map(|one| one.sample.clone());
    let joined = pairs().flat_map(|(one, other)| joined(one, other));
    let samples = samples.take(MOST / 4).chain(joined).take(MOST / 2);
    found.extend(samples);
    let probed = pairs().take(MOST_PROBED);
    let probed: Vec<_> = probed
        .map(|(one, other)| probed_values(sides, one, other))
        .collect();
    found.extend(in_turn(probed).take(MOST / 2));
    found.into_iter().map(|value| sides.inside(value)).collect()
}

/// The variants of the target of which only one may hold.
fn theirs<'a>(sides: &Sides<'_, 'a>, unequal: &BTreeSet<Place>) -> Vec<One<'a>> {
    let unions = sides.target.unions.iter().enumerate();
    let exact = unions.filter(|(_, union)| union.exactly_one);
    let variants = exact.flat_map(|(at, union)| {
        let variants = union.variants.iter().enumerate();
        variants.map(move |(index, variant)| ((at, index), variant))
    });
    let nameless = variants.filter(|(_, variant)| variant.tags.is_empty());
    let (first, others): (Vec<_>, Vec<_>) = nameless.partition(|(at, _)| unequal.contains(at));
    let ordered = first.into_iter().chain(others);
    let one = |((union, _), variant): (Place, &Variant<'a>)| One {
        union,
        schemas: variant.schemas.clone(),
        node: sides.other.node(&variant.schemas),
        sample: sides.other.variant(variant),
    };
    ordered.map(one).collect()
}

/// What two variants of a union have in common, of each pair of those that the target has.
fn joint<'a>(sides: &Sides<'_, 'a>, theirs: &[One<'a>]) -> Vec<Vec<Value>> {
    let pairs = theirs.iter().enumerate().flat_map(|(at, one)| {
        let others = theirs.iter().skip(at + 1);
        let others = others.filter(|other| other.union == one.union);
        others.map(move |other| (one, other))
    });
    let each = pairs.take(MOST_JOINT);
    each.map(|(one, other)| in_common(sides.other.nodes, &one.schemas, &other.schemas))
        .collect()
}

/// The variants of the source; itself, where it has none.
fn own<'a>(sides: &Sides<'_, 'a>, accepting: &All<'a>) -> Vec<One<'a>> {
    let whole = Variant {
        schemas: accepting.clone(),
        tags: BTreeSet::new(),
    };
    let unions = &sides.source.unions;
    let whole = unions.is_empty().then_some(&whole);
    let variants = unions.iter().enumerate();
    let variants = variants.flat_map(|(at, union)| union.variants.iter().map(move |v| (at, v)));
    let variants = variants.chain(whole.map(|whole| (0, whole)));
    let one = |(union, variant): (usize, &Variant<'a>)| One {
        union,
        schemas: variant.schemas.clone(),
        node: sides.sampler.node(&variant.schemas),
        sample: sides.sampler.variant(variant),
    };
    variants.map(one).collect()
}

/// An object that has the members of samples of both.
fn joined(one: &One<'_>, other: &One<'_>) -> Option<Value> {
    match (&one.sample, &other.sample) {
        (Some(Value::Object(theirs)), Some(Value::Object(own))) => {
            let both = theirs.clone().into_iter().chain(own.clone());
            let both = Value::Object(both.collect());
            (!is_refused(&one.node, &both)).then_some(both)
        }
        _ => None,
    }
}

/// Values about the limits of two variants, and those that either lists, as far as neither is easily seen
/// to refuse them.
fn probed_values<'a>(sides: &Sides<'_, 'a>, one: &One<'a>, other: &One<'a>) -> Vec<Value> {
    let mut found = probes(&Sides {
        source: &other.node,
        target: &one.node,
        refusing: &one.schemas,
        sampler: sides.sampler,
        other: sides.other,
    });
    found.extend(probes(&Sides {
        source: &one.node,
        target: &other.node,
        refusing: &other.schemas,
        sampler: sides.other,
        other: sides.sampler,
    }));
    found.retain(|value| !is_refused(&one.node, value) && !is_refused(&other.node, value));
    found
}

/// Whether a difference may be why a value is of several variants: what the value has at its place is of the
/// schema that refuses the whole, and was not of the one that accepts it, as far as that is easily seen.
pub(super) fn may_cause(scene: Scene<'_, '_>, finding: &Finding, value: &Value) -> bool {
    let Some((own, theirs)) = scene.schemas(finding.pair) else {
        return false;
    };
    let (source, target) = scene.nodes();
    let (own, theirs) = (source.of(&own), target.of(&theirs));
    let is_whole = !own.unions.is_empty() || !own.opaque.is_empty();
    let mut parts = parts(value, &finding.path).into_iter();
    // Only JSON tells a text from a number.
    let is_text = !matches!(scene.subject.travels, Travels::Json);
    parts.any(|part| {
        let has_parts = part.is_object() || part.is_array();
        is_text || !is_refused(&theirs, part) && (has_parts || is_whole || is_refused(&own, part))
    })
}

/// Whether a value has at the place of a difference what is easily seen to be refused by the schema there of the
/// one contract, and is not by that of the other.
pub(super) fn is_cause(scene: Scene<'_, '_>, finding: &Finding, value: &Value) -> bool {
    let (source, target) = scene.nodes();
    scene.schemas(finding.pair).is_some_and(|(own, theirs)| {
        let (own, theirs) = (source.of(&own), target.of(&theirs));
        let mut parts = parts(value, &finding.path).into_iter();
        parts.any(|part| is_refused(&own, part) && !is_refused(&theirs, part))
    })
}

/// Whether a value is of several variants of a union at a pair where only one may hold, as far as nothing is
/// easily seen to refuse it.
pub(super) fn is_of_several(scene: Scene<'_, '_>, pair: PairId, value: Option<&Value>) -> bool {
    let (Some((_, theirs)), Some(value)) = (scene.schemas(pair), value) else {
        return false;
    };
    let target = scene.nodes().1;
    let sampler = Sampler::new(target, false);
    let apart = Apart::new(&sampler, target);
    let node = target.of(&theirs);
    let mut exact = node.unions.iter().filter(|union| union.exactly_one);
    exact.any(|union| {
        let nameless = union
            .variants
            .iter()
            .filter(|variant| variant.tags.is_empty());
        let taking = nameless.filter(|variant| !apart.is_refused_by(&variant.schemas, value));
        taking.count() > 1
    })
}

/// Whether a value may be of two variants though none was found: where the variants themselves are others than
/// they were, or at one of the unions around a difference, the innermost first, that are too many to bring
/// values together at.
pub(super) fn may_overlap(scene: Scene<'_, '_>, finding: &Finding, unions: &[Finding]) -> bool {
    let target = scene.nodes().1;
    let own = unions.iter().filter(|union| union.pair == finding.pair);
    let mut open = own.chain(unions.iter().skip(MOST_CHOICES));
    open.any(|around| {
        let schemas = scene.schemas(around.pair);
        let node = schemas.map(|(_, theirs)| target.of(&theirs));
        node.is_some_and(|node| {
            let mut exact = node.unions.iter().filter(|union| union.exactly_one);
            exact.any(|union| !is_exclusive(target, union))
        })
    })
}

/// What a value has at the end of a path.
fn parts<'v>(value: &'v Value, path: &[(PairId, Step)]) -> Vec<&'v Value> {
    let mut parts = vec![value];
    for (_, step) in path {
        let below = |part: &'v Value| -> Vec<&'v Value> {
            match step {
                Step::Variant(..) => vec![part],
                Step::Member(name) => part.get(name).into_iter().collect(),
                Step::Item(index) => {
                    let items = part.as_array().into_iter().flatten();
                    items.skip(*index).collect()
                }
                Step::Matching(_) | Step::Other => {
                    let members = part.as_object().into_iter().flatten();
                    members.map(|(_, member)| member).collect()
                }
            }
        };
        parts = parts.into_iter().flat_map(below).collect();
    }
    parts
}

/// The first of each list, then the second of each, and so on.
fn in_turn(lists: Vec<Vec<Value>>) -> impl Iterator<Item = Value> {
    let longest = lists.iter().map(Vec::len).max().unwrap_or_default();
    (0..longest).flat_map(move |at| {
        let each = lists.iter().filter_map(|list| list.get(at).cloned());
        each.collect::<Vec<_>>()
    })
}
