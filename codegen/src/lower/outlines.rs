//! What rules a variant of a union out at a glance: the names and types of an object's members.
//!
//! An outline may say less than the schema, never more: what it rules out, the schema refuses.

use super::decide;
use super::models::Models;
use crate::ir::Outline;
use crate::schema::{JsonType, Schema};

/// How far `allOf` is followed, because schemas may be recursive.
const DEPTH: usize = 8;

/// The outlines of the variants, as far as they tell them apart.
pub(super) fn of_variants<'a>(models: &mut Models<'a>, variants: &[&Schema<'a>]) -> Vec<Outline> {
    let each = variants.iter().map(|variant| {
        let mut outline = Outline::default();
        draw(models, variant, DEPTH, &mut outline);
        outline
    });
    let all: Vec<Outline> = each.collect();
    let telling = all.iter().map(|outline| {
        let required = outline.required.iter();
        let members = outline.members.iter();
        Outline {
            required: required
                .filter(|name| !all.iter().all(|o| o.required.contains(name)))
                .cloned()
                .collect(),
            closed: outline.closed.clone(),
            members: members
                .filter(|(name, types)| all.iter().any(|o| o.differs(name, types)))
                .cloned()
                .collect(),
        }
    });
    telling.collect()
}

/// Adds what a schema and the parts of its `allOf` say.
fn draw<'a>(models: &mut Models<'a>, schema: &Schema<'a>, depth: usize, outline: &mut Outline) {
    let (Some(k), Some(depth)) = (models.resolved(schema), depth.checked_sub(1)) else {
        return;
    };
    for name in &k.required {
        if !outline.required.contains(name) {
            outline.required.push(name.clone());
        }
    }
    for (name, property) in &k.properties {
        let types = decide::types_of(models, property);
        if types != JsonType::ALL {
            outline.members.push((name.clone(), types));
        }
    }
    if matches!(k.additional, Some(Schema::Never)) && k.raw.get("patternProperties").is_none() {
        let names = k.properties.iter().map(|(name, _)| name.clone());
        outline.closed.get_or_insert(names.collect());
    }
    for part in &k.all_of {
        draw(models, part, depth, outline);
    }
}

impl Outline {
    /// Whether the member is declared here with other types.
    fn differs(&self, name: &str, types: &[JsonType]) -> bool {
        self.members
            .iter()
            .any(|(own, other)| own == name && other != types)
    }
}
