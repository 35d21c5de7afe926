//! Puts a value at the place of a difference into a whole body or parameter.

use super::witness::{Candidate, SchemaComparison};
use crate::comparison::Direction;
use crate::schema::{PairId, Step};
use sample::normal::Variant;
use sample::{Sampler, Style, matching};
use serde_json::{Map, Value};

/// The members and items around a value, as the sender's schemas require them, the innermost layer first:
/// made once for all values.
pub(super) struct WitnessContext<'a>(Vec<Layer<'a>>);

/// The members or items around a value at one step.
enum Layer<'a> {
    Member(String, Map<String, Value>),
    Item(usize, Vec<Value>),
    /// The variant of a value, and the members beside those of the variant.
    Variant(Variant<'a>, Map<String, Value>),
    /// The value itself, where the other version has a union at this place.
    Unchanged,
}

impl<'a> WitnessContext<'a> {
    /// The context of values at the end of a path; `None` if a schema on the path has no values.
    pub(super) fn new(
        comparison: SchemaComparison<'_, 'a>,
        style: Style,
        path: &[(PairId, Step)],
    ) -> Option<WitnessContext<'a>> {
        let layers = path.iter().rev();
        let layers = layers.map(|(pair, step)| layer(comparison, style, *pair, step));
        Some(WitnessContext(layers.collect::<Option<_>>()?))
    }

    /// The body or parameter with a value at the end of the path.
    pub(super) fn candidate(&self, value: Value) -> Option<Candidate> {
        let (mut value, mut at, mut union) = (value, String::new(), None);
        for layer in &self.0 {
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
                Layer::Variant(variant, beside) => {
                    value = variant.tagged(value);
                    if let Value::Object(members) = &mut value {
                        for (name, member) in beside {
                            members.entry(name).or_insert_with(|| member.clone());
                        }
                    }
                    union = Some(String::new());
                    continue;
                }
                Layer::Unchanged => {
                    union = Some(String::new());
                    continue;
                }
            };
            at = format!("/{token}{at}");
            union = union.map(|below: String| format!("/{token}{below}"));
        }
        Some(Candidate { value, at, union })
    }
}

fn layer<'a>(
    comparison: SchemaComparison<'_, 'a>,
    style: Style,
    pair: PairId,
    step: &Step,
) -> Option<Layer<'a>> {
    let (own, _) = comparison.schemas(pair)?;
    let (sending, _) = comparison.forms();
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
            let index = match comparison.subject.direction {
                Direction::Request => before,
                Direction::Response => after,
            };
            // A schema that became a union is compared like one, and has no variant itself.
            let Some(own) = form.unions.get(*union) else {
                return Some(Layer::Unchanged);
            };
            let beside = sampler.members_around(&form, Map::new(), Some(*union));
            let variant = own.variants.get(*index)?.clone();
            Some(Layer::Variant(variant, beside.unwrap_or_default()))
        }
    }
}
