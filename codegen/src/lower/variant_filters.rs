//! Filters that rule variants of a union out at a glance: the members that an object must have or
//! may not have, and the types and constants of its members.
//!
//! A filter is weaker than its schema, never stronger: the schema refuses all values that the
//! filter rules out. It keeps only the parts that tell a variant from another one.

use super::models::Models;
use super::variant_types;
use crate::ir::VariantFilter;
use crate::openapi::Key;
use crate::schema::{self, JsonType, Keywords, Schema};
use serde_json::Value;
use std::collections::BTreeSet;

/// How far references and `allOf` are followed, because schemas may be recursive.
const MAX_DEPTH: usize = 8;

/// How many members are kept that make one variant more likely than another without excluding it.
const MAX_HINTS: usize = 2;

/// All that is known of a variant.
#[derive(Default)]
struct Known {
    types: Vec<JsonType>,
    filter: VariantFilter,
}

/// The filters of the variants, as far as they tell them apart.
pub(super) fn of_variants<'a>(
    models: &mut Models<'a>,
    variants: &[&Schema<'a>],
) -> Vec<VariantFilter> {
    let each = variants.iter().map(|variant| {
        let mut known = Known {
            types: variant_types::types_of(models, variant),
            filter: VariantFilter::default(),
        };
        collect(
            models,
            variant,
            MAX_DEPTH,
            &mut known.filter,
            &mut BTreeSet::new(),
        );
        known
    });
    let known: Vec<Known> = each.collect();
    let mut filters = vec![VariantFilter::default(); known.len()];
    for (first, one) in known.iter().enumerate() {
        for (second, other) in known.iter().enumerate().skip(first + 1) {
            let Ok([kept, kept_other]) = filters.get_disjoint_mut([first, second]) else {
                continue;
            };
            if !one.excludes(other, kept, kept_other) {
                kept.overlaps.push(second);
            }
        }
    }
    filters
}

/// Adds the members of a schema, of its target and of the parts of its `allOf`, each once.
fn collect<'a>(
    models: &mut Models<'a>,
    schema: &Schema<'a>,
    depth: usize,
    filter: &mut VariantFilter,
    visited: &mut BTreeSet<Key>,
) {
    if let Schema::Keywords(k) = schema
        && let Some(key) = k.lone_reference()
        && !visited.insert(key.to_owned())
    {
        return;
    }
    let (Some(k), Some(depth)) = (models.resolved(schema), depth.checked_sub(1)) else {
        return;
    };
    for name in &k.required {
        add(&mut filter.required, name);
    }
    for (name, property) in &k.properties {
        let types = variant_types::types_of(models, property);
        filter.members.push((name.clone(), types));
        let constants = models.resolved(property).and_then(|k| constants(&k));
        filter
            .constants
            .extend(constants.map(|of| (name.clone(), of)));
    }
    if matches!(k.additional, Some(Schema::Never)) && k.raw.get("patternProperties").is_none() {
        let names = k.properties.iter().map(|(name, _)| name.clone());
        filter.closed.get_or_insert(names.collect());
    }
    if let Some(key) = &k.reference
        && visited.insert(key.clone())
        && let Some(value) = models.bundle.get(key)
    {
        let referred = schema::parse(value, &models.bundle.place(key), models.diagnostics);
        collect(models, &referred, depth, filter, visited);
    }
    for part in &k.all_of {
        collect(models, part, depth, filter, visited);
    }
}

/// The values in a schema's `const` or `enum`, if they can be compared without decimals.
fn constants(k: &Keywords<'_>) -> Option<Vec<Value>> {
    let listed = k.constant.as_ref().map(std::slice::from_ref);
    let listed = listed.or(k.values.as_deref())?;
    let plain = |value: &Value| value.is_boolean() || value.is_string() || value.is_i64();
    listed.iter().all(plain).then(|| listed.to_vec())
}

fn add(names: &mut Vec<String>, name: &str) {
    if !names.iter().any(|known| known == name) {
        names.push(name.to_owned());
    }
}

impl Known {
    /// Keeps the parts that tell two variants apart, or most of their values; returns whether no
    /// value fits both.
    fn excludes(
        &self,
        other: &Known,
        kept: &mut VariantFilter,
        kept_other: &mut VariantFilter,
    ) -> bool {
        let meet = |ty: &JsonType| other.types.iter().any(|other| ty.meets(*other));
        let common: Vec<JsonType> = self.types.iter().copied().filter(meet).collect();
        if common.is_empty() {
            return true;
        }
        let (mine, theirs) = (&self.filter, &other.filter);
        if common == [JsonType::Object]
            && (mine.is_foreign_to(theirs, kept, kept_other)
                || theirs.is_foreign_to(mine, kept_other, kept)
                || mine.differs_from(theirs, kept, kept_other))
        {
            return true;
        }
        if common.contains(&JsonType::Object) {
            mine.hint_against(theirs, kept);
            theirs.hint_against(mine, kept_other);
        }
        false
    }
}

impl VariantFilter {
    /// Whether this variant requires a member that the other one forbids.
    fn is_foreign_to(
        &self,
        other: &VariantFilter,
        kept: &mut VariantFilter,
        kept_other: &mut VariantFilter,
    ) -> bool {
        let Some(closed) = &other.closed else {
            return false;
        };
        let foreign = self.required.iter().find(|name| !closed.contains(name));
        if let Some(name) = foreign {
            add(&mut kept.required, name);
            kept_other.closed = Some(closed.clone());
        }
        foreign.is_some()
    }

    /// Whether one of the variants requires a member that has another type, or other values, in the
    /// other one.
    fn differs_from(
        &self,
        other: &VariantFilter,
        kept: &mut VariantFilter,
        kept_other: &mut VariantFilter,
    ) -> bool {
        for (name, types) in &self.members {
            let Some((_, others)) = other.members.iter().find(|(known, _)| known == name) else {
                continue;
            };
            let requiring = if self.required.contains(name) {
                &mut *kept
            } else if other.required.contains(name) {
                &mut *kept_other
            } else {
                continue;
            };
            let by_type = types.iter().all(|ty| others.iter().all(|o| !ty.meets(*o)));
            let by_value = match (self.constants_of(name), other.constants_of(name)) {
                (Some(own), Some(others)) => own.iter().all(|value| !others.contains(value)),
                _ => false,
            };
            if by_type || by_value {
                add(&mut requiring.required, name);
                kept.keep_member(self, name, by_value);
                kept_other.keep_member(other, name, by_value);
                return true;
            }
        }
        false
    }

    /// Keeps the parts that most values of this variant have, and few of the other one.
    fn hint_against(&self, other: &VariantFilter, kept: &mut VariantFilter) {
        let declares = |name: &str| other.members.iter().any(|(known, _)| known == name);
        let unknown = self.required.iter().filter(|name| !declares(name));
        let optional = self
            .required
            .iter()
            .filter(|name| declares(name) && !other.required.contains(name));
        for name in unknown.chain(optional).take(MAX_HINTS) {
            add(&mut kept.required, name);
        }
        for (name, types) in &self.members {
            let others = other.members.iter().find(|(known, _)| known == name);
            let constants = (self.constants_of(name), other.constants_of(name));
            let by_value = constants.0.is_some() && constants.0 != constants.1;
            if others.is_some_and(|(_, others)| others != types || by_value) {
                kept.keep_member(self, name, by_value);
            }
        }
        if let Some(closed) = &self.closed
            && other.members.iter().any(|(name, _)| !closed.contains(name))
        {
            kept.closed = Some(closed.clone());
        }
    }

    fn constants_of(&self, name: &str) -> Option<&Vec<Value>> {
        let mut constants = self.constants.iter();
        let (_, values) = constants.find(|(known, _)| known == name)?;
        Some(values)
    }

    /// Copies the filter of a member: its values, or its types.
    fn keep_member(&mut self, known: &VariantFilter, name: &str, by_value: bool) {
        let is_it = |own: &str| own == name;
        if by_value && let Some(values) = known.constants_of(name) {
            if !self.constants.iter().any(|(own, _)| is_it(own)) {
                self.constants.push((name.to_owned(), values.clone()));
            }
        } else if let Some((_, types)) = known.members.iter().find(|(own, _)| is_it(own))
            && *types != JsonType::ALL
            && !self.members.iter().any(|(own, _)| is_it(own))
        {
            self.members.push((name.to_owned(), types.clone()));
        }
    }
}
