//! Discriminators: which values of a member name a variant, and whether they may (OpenAPI 3.1.1
//! §4.8.25).

use super::decide;
use super::models::Models;
use super::sequences;
use crate::diagnostic::Code;
use crate::ir::UnionVariant;
use crate::schema::{Discriminator, JsonType, Keywords, Schema};
use crate::source::Pointer;
use std::collections::BTreeSet;

impl Discriminator {
    /// The values that select the schema of that key: mapped ones, or else its own name.
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

/// Whether the member may be a text in every variant. Where it is a number, say, no name of a
/// variant is ever there, and the variants are told apart as without a discriminator.
pub(super) fn is_text<'a>(models: &mut Models<'a>, variants: &[&Schema<'a>], member: &str) -> bool {
    variants.iter().all(|variant| {
        let said = said_of(models, variant, member, &mut BTreeSet::new());
        let mut types = said.iter().map(|said| decide::types_of(models, said));
        types.all(|types| types.contains(&JsonType::String))
    })
}

/// Reports variants of several names that do not hold the member: it is written as the first.
pub(super) fn report_lost<'a>(
    models: &mut Models<'a>,
    k: &Keywords<'a>,
    discriminator: &Discriminator,
    (schemas, variants): (&[&Schema<'a>], &[UnionVariant]),
) {
    let member = &discriminator.property;
    for (schema, variant) in schemas.iter().zip(variants) {
        let [first, _, ..] = variant.tags.as_slice() else {
            continue;
        };
        let keeps = |k: &Keywords<'_>| k.additional.is_some() || k.foreign.is_some();
        let kept = models.resolved(schema).is_none_or(|k| keeps(&k));
        if kept || !said_of(models, schema, member, &mut BTreeSet::new()).is_empty() {
            continue;
        }
        let (at, name) = (k.at.child("discriminator").child("mapping"), &variant.rust);
        let message = format!("`{name}` has several names, but no `{member}` to hold them");
        let instead = format!("whichever comes in, it is written as `{first}`");
        let found = &mut models.found;
        found.mended(Code::Discriminator, &at, message, &instead);
    }
}

/// What a schema says of a member, with all that it builds on or chooses from.
fn said_of<'a>(
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
    let mut said: Vec<_> = own.map(|(_, schema)| schema.clone()).collect();
    let referred = k
        .reference
        .as_deref()
        .map(|key| sequences::parsed(models, key));
    let parts = k.all_of.iter().chain(&k.one_of).chain(&k.any_of);
    for part in parts.chain(&referred) {
        said.extend(said_of(models, part, member, seen));
    }
    said
}
