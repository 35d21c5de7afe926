//! Types of equal schemas that stand in members of the same name: they are one type, and each later
//! name is another name for it.

use crate::ir::{ModelId, ModelShape};
use crate::schema::{JsonType, Keywords};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::mem::{Discriminant, discriminant};

/// The place of the document's schemas.
const COMPONENTS: &str = "/components/schemas/";

/// Keywords that say nothing about values; a title is the name of a variant.
const ANNOTATIONS: &[&str] = &[
    "default",
    "deprecated",
    "description",
    "example",
    "examples",
];

/// Keywords whose members have names of the document.
const NAMED: &[&str] = &[
    "properties",
    "patternProperties",
    "dependentSchemas",
    "$defs",
];

/// The types of schemas in members, by the steps from the name of the member on.
#[derive(Default)]
pub(super) struct EqualTypes<'a>(BTreeMap<String, Vec<Known<'a>>>);

struct Known<'a> {
    raw: Cow<'a, Value>,
    types: Vec<JsonType>,
    /// A schema without a type is a union, and its objects are a struct.
    kind: Discriminant<ModelShape>,
    id: ModelId,
}

impl<'a> EqualTypes<'a> {
    /// The type of a schema that is equal to this one, of which a model is made; without one, the model
    /// is known from now on. The only value of a type is an expression in Rust, which another name for
    /// the type is not.
    pub(super) fn first(
        &mut self,
        k: &Keywords<'a>,
        shape: &ModelShape,
        id: ModelId,
    ) -> Option<ModelId> {
        if !matches!(
            shape,
            ModelShape::Struct { .. }
                | ModelShape::Enum(_)
                | ModelShape::IntegerEnum(_)
                | ModelShape::Union(_)
        ) {
            return None;
        }
        // Operations come and go; what they hold gives no type another name.
        let component = k.at.as_str().strip_prefix(COMPONENTS)?;
        let (_, member) = component.rsplit_once("/properties/")?;
        let known = self.0.entry(member.to_owned()).or_default();
        let kind = discriminant(shape);
        let equal = known.iter().find(|known| {
            known.kind == kind && known.types == k.types && are_equal(&known.raw, &k.raw, false)
        });
        let first = equal.map(|known| known.id);
        if first.is_none() {
            known.push(Known {
                raw: k.raw.clone(),
                types: k.types.clone(),
                kind,
                id,
            });
        }
        first
    }
}

/// Whether two schemas say the same about values; `are_names` where the members' names are the document's.
fn are_equal(one: &Value, other: &Value, are_names: bool) -> bool {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            let says = |name: &String| are_names || !ANNOTATIONS.contains(&name.as_str());
            let count =
                |members: &Map<String, Value>| members.keys().filter(|name| says(name)).count();
            let mut said = one.iter().filter(|(name, _)| says(name));
            let is_equal = |(name, value): (&String, &Value)| {
                let named = !are_names && NAMED.contains(&name.as_str());
                other
                    .get(name)
                    .is_some_and(|other| are_equal(value, other, named))
            };
            count(one) == count(other) && said.all(is_equal)
        }
        (Value::Array(one), Value::Array(other)) => {
            let mut both = one.iter().zip(other);
            one.len() == other.len() && both.all(|(one, other)| are_equal(one, other, false))
        }
        _ => one == other,
    }
}
