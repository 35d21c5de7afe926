//! Discriminators: the values of a member that select each variant, and whether they can (OpenAPI
//! 3.1.1 §4.8.25).

use super::models::Models;
use super::sequences;
use super::variant_types;
use crate::ir::{Name, UnionVariant};
use crate::schema::{Discriminator, JsonType, Keywords, Schema};
use crate::source::Pointer;
use std::collections::BTreeSet;

impl Discriminator {
    /// The values that select the schema of a key: the mapped ones, or else its own name.
    pub(super) fn tags(&self, key: &str) -> Vec<String> {
        let mapped = self.mapping.iter().filter(|(_, target)| target == key);
        let mapped: Vec<String> = mapped.map(|(tag, _)| tag.clone()).collect();
        if mapped.is_empty() && !key.contains('/') {
            vec![key.to_owned()]
        } else {
            mapped
        }
    }
}

/// Whether the member may be a string in every variant. Otherwise, as where it is a number, it
/// never holds a variant's name, and the discriminator is ignored.
pub(super) fn is_text<'a>(models: &mut Models<'a>, variants: &[&Schema<'a>], member: &str) -> bool {
    variants.iter().all(|variant| {
        let schemas = member_schemas(models, variant, member, &mut BTreeSet::new());
        let mut types = schemas
            .iter()
            .map(|schema| variant_types::types_of(models, schema));
        types.all(|types| types.contains(&JsonType::String))
    })
}

/// The variants, with one for each name of a variant that does not contain the member itself:
/// otherwise, the received name would be lost. The first name gives the Rust name, so that a name
/// added to the mapping renames nothing.
pub(super) fn by_name<'a>(
    models: &mut Models<'a>,
    member: &str,
    (schemas, variants): (&[&Schema<'a>], Vec<UnionVariant>),
) -> Vec<UnionVariant> {
    let mut named = Vec::new();
    for (schema, mut variant) in schemas.iter().zip(variants) {
        let keeps = |k: &Keywords<'_>| k.additional.is_some() || k.foreign.is_some();
        let kept = models.resolved(schema).is_none_or(|k| keeps(&k));
        let holds =
            kept || !member_schemas(models, schema, member, &mut BTreeSet::new()).is_empty();
        let others = if holds || variant.tags.is_empty() {
            Vec::new()
        } else {
            variant.tags.split_off(1)
        };
        let again = others.into_iter().map(|tag| UnionVariant {
            name: Name::of(&tag),
            tags: vec![tag],
            is_default: false,
            ..variant.clone()
        });
        let again: Vec<_> = again.collect();
        named.push(variant);
        named.extend(again);
    }
    named
}

/// The schemas of a member, in a schema and all that it extends or chooses from.
fn member_schemas<'a>(
    models: &mut Models<'a>,
    schema: &Schema<'a>,
    member: &str,
    seen: &mut BTreeSet<Pointer>,
) -> Vec<Schema<'a>> {
    let known = models.resolved(schema);
    let Some(k) = known.filter(|k| seen.insert(k.at.clone())) else {
        return Vec::new();
    };
    let own = k.properties.iter().filter(|(name, _)| name == member);
    let mut schemas: Vec<_> = own.map(|(_, schema)| schema.clone()).collect();
    let referred = k
        .reference
        .as_deref()
        .map(|key| sequences::parsed(models, key));
    let parts = k.all_of.iter().chain(&k.one_of).chain(&k.any_of);
    for part in parts.chain(&referred) {
        schemas.extend(member_schemas(models, part, member, seen));
    }
    schemas
}
