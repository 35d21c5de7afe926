//! Merges `allOf`, and keywords beside `$ref`, into one schema, where that is exact.

use super::models::Models;
use crate::openapi::Key;
use crate::schema::{JsonType, Keywords, Schema};
use json_schema::reference::reference_to;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The result of merging.
pub(super) enum Merged<'a> {
    /// Only one of the schemas constrains anything.
    One(Schema<'a>),
    /// One schema that is equal to all of them together.
    Whole(Box<Keywords<'a>>),
}

/// Merges a schema with its `allOf` and `$ref`; `None` where no single schema is equal to them.
pub(super) fn merge<'a>(models: &mut Models<'a>, k: &Keywords<'a>) -> Option<Merged<'a>> {
    let own = Keywords {
        reference: None,
        all_of: Vec::new(),
        ..k.clone()
    };
    let mut parts = Vec::new();
    if let Some(key) = &k.reference {
        let reference = json!({ "$ref": reference_to(key) });
        let lone = Keywords {
            reference: Some(key.clone()),
            raw: Cow::Owned(reference),
            at: k.at.clone(),
            ..Keywords::default()
        };
        parts.push(Schema::Keywords(Box::new(lone)));
    }
    parts.extend(k.all_of.iter().filter(|part| constrains(part)).cloned());
    if !own.constrains() {
        match parts.as_slice() {
            [] => return Some(Merged::One(Schema::Always)),
            [only] => return Some(Merged::One(only.clone())),
            _ => {}
        }
    }
    let mut merged = own;
    let mut seen = BTreeSet::new();
    for part in &parts {
        let mut part = flat(models, part, 0, &mut seen)?;
        join(&mut merged, &mut part)?;
    }
    merged.take_unevaluated();
    Some(Merged::Whole(Box::new(merged)))
}

/// Whether a part constrains values; many only describe the reference beside them.
fn constrains(part: &Schema<'_>) -> bool {
    match part {
        Schema::Always => false,
        Schema::Never => true,
        Schema::Keywords(k) => k.constrains() || k.reference.is_some() || !k.all_of.is_empty(),
    }
}

/// A part with its own references and `allOf` merged in. Schemas in `seen` are skipped, because
/// parts may refer to the same schema many times at every depth.
fn flat<'a>(
    models: &mut Models<'a>,
    part: &Schema<'a>,
    depth: usize,
    seen: &mut BTreeSet<Key>,
) -> Option<Keywords<'a>> {
    if depth > 16 {
        return None;
    }
    if let Schema::Keywords(k) = part
        && let Some(key) = k.lone_reference()
        && !seen.insert(key.to_owned())
    {
        return Some(Keywords::default());
    }
    let mut found = models.resolved(part)?;
    if found.reference.is_some() || found.foreign.is_some() {
        return None;
    }
    // It counts members that its own schema evaluates, and not those of its neighbours.
    if found.unevaluated_properties.is_some() || found.unevaluated_items.is_some() {
        return None;
    }
    for inner in std::mem::take(&mut found.all_of) {
        let mut inner = flat(models, &inner, depth + 1, seen)?;
        join(&mut found, &mut inner)?;
    }
    Some(found)
}

/// Adds `part` to `into`; fails where both constrain the same keyword differently.
fn join<'a>(into: &mut Keywords<'a>, part: &mut Keywords<'a>) -> Option<()> {
    if !into.one_of.is_empty()
        || !into.any_of.is_empty()
        || !part.one_of.is_empty()
        || !part.any_of.is_empty()
    {
        return None;
    }
    join_types(into, part)?;
    join_properties(into, part)?;
    for name in part.required.drain(..) {
        if !into.required.contains(&name) {
            into.required.push(name);
        }
    }
    either(&mut into.constant, part.constant.take())?;
    join_values(into, part)?;
    either(&mut into.format, part.format.take())?;
    either(&mut into.min_length, part.min_length)?;
    either(&mut into.max_length, part.max_length)?;
    either(&mut into.pattern, part.pattern.take())?;
    either(&mut into.minimum, part.minimum.take())?;
    either(&mut into.maximum, part.maximum.take())?;
    either(&mut into.exclusive_minimum, part.exclusive_minimum.take())?;
    either(&mut into.exclusive_maximum, part.exclusive_maximum.take())?;
    either(&mut into.multiple_of, part.multiple_of.take())?;
    either(&mut into.min_items, part.min_items)?;
    either(&mut into.max_items, part.max_items)?;
    either(&mut into.min_properties, part.min_properties)?;
    either(&mut into.max_properties, part.max_properties)?;
    into.unique_items |= part.unique_items;
    match (&into.items, part.items.take()) {
        (Some(_), Some(_)) => return None,
        (None, Some(items)) => into.items = Some(items),
        (_, None) => {}
    }
    if into.description.is_none() {
        into.description = part.description.take();
    }
    Some(())
}

/// Merges `additionalProperties`, which counts members that its own schema does not name: schemas
/// with different members can only be merged if neither refuses or describes those of the other.
fn join_properties<'a>(into: &mut Keywords<'a>, part: &mut Keywords<'a>) -> Option<()> {
    let closes =
        |k: &Keywords<'_>| matches!(k.additional, Some(Schema::Never | Schema::Keywords(_)));
    let counts = |k: &Keywords<'_>, other: &Keywords<'_>| {
        let names = |name: &String| k.properties.iter().any(|(own, _)| own == name);
        closes(k) && !other.properties.iter().all(|(name, _)| names(name))
    };
    if counts(into, part) || counts(part, into) || (closes(into) && closes(part)) {
        return None;
    }
    match (&into.additional, part.additional.take()) {
        // Any value is the weaker of two.
        (Some(_), Some(Schema::Always)) | (_, None) => {}
        (_, additional) => into.additional = additional,
    }
    for (name, schema) in part.properties.drain(..) {
        match into.properties.iter_mut().find(|(known, _)| *known == name) {
            None => into.properties.push((name, schema)),
            Some((_, known)) => *known = both(known, schema)?,
        }
    }
    Some(())
}

/// How deep schemas with several parts are merged into each other. The members of a recursive type
/// could be merged for ever.
const MAX_DEPTH: usize = 4;

/// How many schemas were merged into this one.
fn joined(k: &Keywords<'_>) -> usize {
    let inner = k.all_of.iter().map(|part| match part {
        Schema::Keywords(k) => joined(k),
        _ => 0,
    });
    match k.raw {
        Cow::Owned(_) => 1 + inner.sum::<usize>(),
        Cow::Borrowed(_) => 0,
    }
}

/// A schema equal to two schemas together.
fn both<'a>(one: &Schema<'a>, other: Schema<'a>) -> Option<Schema<'a>> {
    let (Schema::Keywords(first), Schema::Keywords(second)) = (one, &other) else {
        return match (one, &other) {
            (Schema::Always, _) => Some(other),
            (_, Schema::Always) => Some(one.clone()),
            _ => None,
        };
    };
    if first.raw == second.raw {
        return Some(one.clone());
    }
    if joined(first) + joined(second) > MAX_DEPTH {
        return None;
    }
    let raw: Value = json!({ "allOf": [first.raw.as_ref(), second.raw.as_ref()] });
    Some(Schema::Keywords(Box::new(Keywords {
        at: first.at.clone(),
        raw: Cow::Owned(raw),
        description: first
            .description
            .clone()
            .or_else(|| second.description.clone()),
        all_of: vec![one.clone(), other],
        ..Keywords::default()
    })))
}

fn join_types(into: &mut Keywords<'_>, part: &Keywords<'_>) -> Option<()> {
    if part.types.is_empty() {
        return Some(());
    }
    if into.types.is_empty() {
        into.types.clone_from(&part.types);
        return Some(());
    }
    // Every integer is a number: of these two types, integers are in both.
    let is_in = |types: &[JsonType], ty: JsonType| types.iter().any(|own| own.includes(ty));
    let others = part.types.iter().copied();
    let narrower = others.filter(|ty| is_in(&into.types, *ty) && !into.types.contains(ty));
    let narrower: Vec<JsonType> = narrower.collect();
    into.types.retain(|ty| is_in(&part.types, *ty));
    into.types.extend(narrower);
    (!into.types.is_empty()).then_some(())
}

/// Merges lists of values: of two lists of strings, those in both are left.
fn join_values(into: &mut Keywords<'_>, part: &mut Keywords<'_>) -> Option<()> {
    let are_texts = |values: &[Value]| values.iter().all(Value::is_string);
    match (&mut into.values, part.values.take()) {
        (Some(known), Some(others)) if are_texts(known) && are_texts(&others) => {
            known.retain(|value| others.contains(value));
            (!known.is_empty()).then_some(())
        }
        (known, others) => either(known, others),
    }
}

fn either<T: PartialEq>(into: &mut Option<T>, part: Option<T>) -> Option<()> {
    match (&into, part) {
        (_, None) => Some(()),
        (None, some) => {
            *into = some;
            Some(())
        }
        (Some(known), Some(new)) => (*known == new).then_some(()),
    }
}
