//! Decides how a union finds the variant of a value that several variants may take.
//!
//! The value is read as one variant after the other: this is exact, and needs no code of its own.
//! Where two variants lead back to the union, the time would grow exponentially with the nesting,
//! since their parts would be read twice, the parts of these four times. Then conditions decide
//! before anything is read.

use super::Compiler;
use crate::ir::{
    Ambiguity, ConditionId, Discrimination, ModelId, Union, UnionVariant, VariantFilter,
};
use crate::lower::cycles::{self, Circles};
use crate::openapi::Key;
use json_schema::reference::key_of_reference;
use serde_json::{Map, Value};

impl Compiler<'_, '_> {
    pub(super) fn settle(&mut self, circles: &Circles, id: ModelId, union: &mut Union) {
        let Discrimination::Each {
            filters, ambiguity, ..
        } = &mut union.discrimination
        else {
            return;
        };
        let leads_back = |variant: &UnionVariant| {
            let mut models = cycles::all_models(&variant.ty).into_iter();
            models.any(|model| circles.have(id, model))
        };
        let back: Vec<bool> = union.variants.iter().map(leads_back).collect();
        let both = |(one, other): &(usize, usize)| {
            let back = [one, other].map(|index| back.get(*index).copied().unwrap_or_default());
            (back.contains(&true), !back.contains(&false))
        };
        let pairs: Vec<_> = overlapping(filters).map(|pair| both(&pair)).collect();
        if !pairs.iter().any(|(_, both)| *both) {
            *ambiguity = Ambiguity::Reading;
            return;
        }
        let keys: Vec<&str> = union.variants.iter().map(|v| v.schema.as_str()).collect();
        let alone = pairs.iter().all(|(either, both)| either == both);
        let differences = match alone {
            true => self.differences(&keys, &back),
            false => None,
        };
        let ids = differences.or_else(|| self.all(keys));
        *ambiguity = ids.map_or(Ambiguity::Schemas, Ambiguity::Conditions);
    }

    /// Conditions without the members that all ambiguous variants describe alike: these members
    /// cannot choose a variant, and are checked after the choice.
    fn differences(&mut self, keys: &[&str], in_question: &[bool]) -> Option<Vec<ConditionId>> {
        let all = keys.iter().zip(in_question);
        let mut common: Option<Map<String, Value>> = None;
        for (key, _) in all.clone().filter(|(_, own)| **own) {
            let members = self.members_of(key)?;
            common = Some(match common {
                None => members,
                Some(mut common) => {
                    common.retain(|name, schema| members.get(name) == Some(schema));
                    common
                }
            });
        }
        let common = common?;
        let mut own: Vec<Key> = Vec::new();
        for (key, in_question) in all {
            own.push(match in_question {
                true => self.without(key, &common)?,
                false => (*key).to_owned(),
            });
        }
        self.compiled.extend(own.iter().cloned());
        self.all(own.iter().map(String::as_str).collect())
    }

    /// Conditions for all schemas, or for none.
    fn all(&mut self, keys: Vec<&str>) -> Option<Vec<ConditionId>> {
        let before = self.conditions.len();
        let ids: Option<Vec<_>> = keys.into_iter().map(|key| self.whole(key)).collect();
        if ids.is_none() {
            self.forget_since(before);
        }
        ids
    }

    /// The schema of a key, behind references that stand alone.
    fn target(&self, key: &str) -> Option<&Map<String, Value>> {
        let mut members = self.models.schema_of(key)?.as_object()?;
        for _ in 0..32 {
            match members.get("$ref").filter(|_| members.len() == 1) {
                Some(to) => {
                    let key = key_of_reference(to.as_str()?)?;
                    members = self.models.schema_of(&key)?.as_object()?;
                }
                None => return Some(members),
            }
        }
        None
    }

    fn members_of(&self, key: &str) -> Option<Map<String, Value>> {
        self.target(key)?.get("properties")?.as_object().cloned()
    }

    /// A copy of the schema without these members.
    fn without(&mut self, key: &str, common: &Map<String, Value>) -> Option<Key> {
        let mut schema = self.target(key)?.clone();
        let members = schema.get_mut("properties")?.as_object_mut()?;
        for (name, member) in members.iter_mut() {
            if common.contains_key(name) {
                *member = Value::Bool(true);
            }
        }
        Some(self.models.register(key, &Value::Object(schema)))
    }
}

/// The pairs of variants that filters do not tell apart.
fn overlapping(filters: &[VariantFilter]) -> impl Iterator<Item = (usize, usize)> {
    let indexed = filters.iter().enumerate();
    indexed.flat_map(|(index, filter)| filter.overlaps.iter().map(move |other| (index, *other)))
}
