//! From a value at the place of a difference to a whole body or parameter around it.

use super::witness::Scene;
use crate::comparison::Direction;
use crate::schema::{PairId, Step};
use sample::normal::{NormalForm, Union, Variant};
use sample::{Distinguisher, Sampler, Style, matching};
use serde_json::{Map, Value};

/// What is around a value, as the sender's schemas require it: made once for all values.
pub(super) struct WitnessContext<'a> {
    style: Style,
    /// The innermost first.
    layers: Vec<Layer<'a>>,
}

/// What is around a value at one step.
enum Layer<'a> {
    Member(String, Map<String, Value>),
    Item(usize, Vec<Value>),
    Variant(Chosen<'a>),
}

/// The variant of a value.
struct Chosen<'a> {
    variant: Option<Variant<'a>>,
    /// The other variants of the sender, if only one may match, and those of the receiver: they should
    /// refuse the value.
    others: (Vec<Variant<'a>>, Vec<Variant<'a>>),
    /// The members beside those of the variant.
    beside: Map<String, Value>,
    /// The members in which the difference lies, the outermost first.
    fixed: Option<Vec<String>>,
}

/// A whole with a value at a place.
pub(super) struct Whole {
    pub(super) value: Value,
    /// A JSON pointer to the place.
    pub(super) at: String,
    /// A JSON pointer to the outermost union around the place.
    pub(super) union: Option<String>,
}

impl Whole {
    /// The same with nothing at the place.
    pub(super) fn frame(&self) -> Value {
        let mut frame = self.value.clone();
        if let Some(place) = frame.pointer_mut(&self.at) {
            *place = Value::Null;
        }
        frame
    }
}

impl<'a> WitnessContext<'a> {
    /// Of values at the end of a path; `None` if something on the way has no values.
    pub(super) fn new(
        scene: Scene<'_, 'a>,
        style: Style,
        path: &[(PairId, Step)],
    ) -> Option<WitnessContext<'a>> {
        let (mut layers, mut fixed) = (Vec::new(), None::<Vec<String>>);
        for (pair, step) in path.iter().rev() {
            layers.push(layer(scene, style, *pair, step, fixed.as_deref())?);
            fixed = match step {
                Step::Member(name) => {
                    let within = fixed.into_iter().flatten();
                    Some([name.clone()].into_iter().chain(within).collect())
                }
                Step::Variant(..) => fixed,
                Step::Matching(_) | Step::Other | Step::Item(_) => None,
            };
        }
        Some(WitnessContext { style, layers })
    }

    /// The whole with a value at the end of the path.
    pub(super) fn whole(&self, scene: Scene<'_, 'a>, value: Value) -> Option<Whole> {
        let (mut value, mut at, mut union) = (value, String::new(), None);
        for layer in &self.layers {
            let token = match layer {
                Layer::Member(name, members) => {
                    let mut members = members.clone();
                    members.insert(name.clone(), value);
                    value = Value::Object(members);
                    name.replace('~', "~0").replace('/', "~1")
                }
                Layer::Item(index, items) => {
                    let mut items = items.clone();
                    *items.get_mut(*index)? = value;
                    value = Value::Array(items);
                    index.to_string()
                }
                Layer::Variant(chosen) => {
                    value = self.of_variant(scene, chosen, value)?;
                    union = Some(String::new());
                    continue;
                }
            };
            at = format!("/{token}{at}");
            union = union.map(|below: String| format!("/{token}{below}"));
        }
        Some(Whole { value, at, union })
    }

    fn of_variant(&self, scene: Scene<'_, 'a>, chosen: &Chosen<'a>, value: Value) -> Option<Value> {
        let Some(variant) = &chosen.variant else {
            return Some(value);
        };
        let mut value = variant.tagged(value);
        if self.style.distinct {
            let (sending, receiving) = scene.forms();
            let sampler = Sampler::new(sending, self.style);
            let (own, theirs) = &chosen.others;
            for (forms, others) in [(sending, own), (receiving, theirs)] {
                let distinguisher =
                    Distinguisher::new(&sampler, forms).fixing(chosen.fixed.as_deref());
                value = distinguisher.distinguish(variant, others.iter(), value)?;
            }
        }
        if let Value::Object(members) = &mut value {
            for (name, member) in &chosen.beside {
                members.entry(name).or_insert_with(|| member.clone());
            }
        }
        Some(value)
    }
}

fn layer<'a>(
    scene: Scene<'_, 'a>,
    style: Style,
    pair: PairId,
    step: &Step,
    fixed: Option<&[String]>,
) -> Option<Layer<'a>> {
    let (own, theirs) = scene.schemas(pair)?;
    let (sending, receiving) = scene.forms();
    let sampler = Sampler::new(sending, style);
    let form = sending.of(&own);
    let member = |name: String| {
        let hole = Map::from_iter([(name.clone(), Value::Null)]);
        let members = sampler.members_around(&form, hole, None)?;
        Some(Layer::Member(name, members))
    };
    match step {
        Step::Member(name) => member(name.clone()),
        Step::Matching(pattern) => member(matching(pattern).into_iter().next()?),
        Step::Other => {
            let mut names = (0..16).map(|index| format!("extra{index}"));
            member(names.find(|name| !form.properties.contains_key(name))?)
        }
        Step::Item(index) => {
            let least = u64::try_from(*index).ok()?.saturating_add(1);
            // A list with one item may be written as that item alone.
            let wanted = least.saturating_add(u64::from(style.distinct));
            let room = form.limit("maxItems");
            let wanted = room.map_or(wanted, |room| wanted.min(room.max(least)));
            let length = form.limit("minItems").unwrap_or_default().max(wanted);
            match sampler.array(&form, length)? {
                Value::Array(items) => Some(Layer::Item(*index, items)),
                _ => None,
            }
        }
        Step::Variant(union, before, after) => {
            let indices = match scene.subject.direction {
                Direction::Request => [*before, *after],
                Direction::Response => [*after, *before],
            };
            let theirs = receiving.of(&theirs);
            let chosen = chosen(&sampler, [&form, &theirs], *union, indices);
            Some(Layer::Variant(Chosen {
                fixed: fixed.map(<[String]>::to_vec),
                ..chosen
            }))
        }
    }
}

/// The variants at indices of a union of the sender and the receiver.
fn chosen<'a>(
    sampler: &Sampler<'_, 'a>,
    [sending, receiving]: [&NormalForm<'a>; 2],
    union: usize,
    [own, theirs]: [usize; 2],
) -> Chosen<'a> {
    let others = |union: Option<&Union<'a>>, but: usize| -> Vec<Variant<'a>> {
        let variants = union.into_iter().flat_map(|union| &union.variants);
        let others = variants.enumerate().filter(|(index, _)| *index != but);
        others.map(|(_, other)| other.clone()).collect()
    };
    let unions = (sending.unions.get(union), receiving.unions.get(union));
    let variant = unions.0.and_then(|union| union.variants.get(own));
    let exact = unions.0.filter(|union| union.exactly_one);
    let beside = sampler.members_around(sending, Map::new(), Some(union));
    Chosen {
        variant: variant.cloned(),
        others: (others(exact, own), others(unions.1, theirs)),
        beside: beside.unwrap_or_default(),
        fixed: None,
    }
}
