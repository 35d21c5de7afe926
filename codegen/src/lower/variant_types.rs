//! The JSON types of a union's variants, or a constant member of each, by which a value's variant is
//! known before any is read.

use super::models::Models;
use crate::ir::UnionVariant;
use crate::openapi::Key;
use crate::schema::{JsonType, Keywords, Schema};
use std::collections::BTreeMap;

/// The JSON types that values of a schema may have, as far as its keywords tell.
pub(super) fn types_of<'a>(models: &mut Models<'a>, schema: &Schema<'a>) -> Vec<JsonType> {
    let reference = match schema {
        Schema::Keywords(k) => k.lone_reference().map(str::to_owned),
        _ => None,
    };
    if let Some(types) = reference.as_ref().and_then(|key| models.types.get(key)) {
        return types.clone();
    }
    let types = TypeSearch(models, BTreeMap::new()).types(schema, 0);
    if let Some(key) = reference {
        models.types.insert(key, types.clone());
    }
    types
}

/// How many levels of schemas are followed.
const MAX_DEPTH: usize = 32;

/// Follows schemas, and each target of a reference once: it may be used many times at every depth.
struct TypeSearch<'m, 'a>(&'m mut Models<'a>, BTreeMap<Key, Vec<JsonType>>);

impl<'a> TypeSearch<'_, 'a> {
    fn types(&mut self, schema: &Schema<'a>, depth: usize) -> Vec<JsonType> {
        let TypeSearch(models, seen) = self;
        let reference = match schema {
            Schema::Keywords(k) => k.lone_reference().map(str::to_owned),
            _ => None,
        };
        if let Some(types) = reference.as_ref().and_then(|key| seen.get(key)) {
            return types.clone();
        }
        let any = JsonType::ALL.to_vec();
        let Some(k) = models.resolved(schema).filter(|_| depth < MAX_DEPTH) else {
            return match schema {
                Schema::Never => Vec::new(),
                _ => any,
            };
        };
        if let Some(key) = &reference {
            // The types of a schema inside itself are not known.
            seen.insert(key.clone(), any);
        }
        let types = self.of_keywords(&k, depth + 1);
        if let Some(key) = reference {
            self.1.insert(key, types.clone());
        }
        types
    }

    fn of_keywords(&mut self, k: &Keywords<'a>, depth: usize) -> Vec<JsonType> {
        let mut types = if k.types.is_empty() {
            JsonType::ALL.to_vec()
        } else {
            k.types.clone()
        };
        let mut narrow =
            |others: &[JsonType]| types.retain(|ty| others.iter().any(|o| ty.meets(*o)));
        if k.constant.is_some() || k.values.is_some() {
            let values = k.constant.iter().chain(k.values.iter().flatten());
            narrow(&values.map(JsonType::of).collect::<Vec<_>>());
        }
        for part in &k.all_of {
            narrow(&self.types(part, depth));
        }
        for variants in [&k.one_of, &k.any_of] {
            if !variants.is_empty() {
                let each = variants.iter();
                let any: Vec<_> = each.flat_map(|v| self.types(v, depth)).collect();
                narrow(&any);
            }
        }
        types
    }
}

/// Whether no two variants have a type in common.
pub(super) fn are_disjoint(variants: &[UnionVariant]) -> bool {
    variants.iter().enumerate().all(|(index, one)| {
        let others = variants.iter().skip(index + 1);
        let mut types = others.flat_map(|other| &other.types);
        types.all(|other| one.types.iter().all(|ty| !ty.meets(*other)))
    })
}

/// A member that every variant requires, with different strings in each, and these strings.
pub(super) fn constant_member<'a>(
    models: &mut Models<'a>,
    variants: &[&Schema<'a>],
) -> Option<(String, Vec<Vec<String>>)> {
    let mut objects = Vec::new();
    for variant in variants {
        let k = models.resolved(variant)?;
        if k.types != [JsonType::Object] {
            return None;
        }
        objects.push(k);
    }
    let candidates = objects.first()?.required.clone();
    candidates.into_iter().find_map(|member| {
        let each = objects
            .iter()
            .map(|object| strings(models, object, &member));
        let tags: Vec<Vec<String>> = each.collect::<Option<_>>()?;
        let mut all: Vec<&String> = tags.iter().flatten().collect();
        let count = all.len();
        all.sort();
        all.dedup();
        (all.len() == count).then_some((member, tags))
    })
}

/// The only strings that a required member of an object may be.
fn strings<'a>(
    models: &mut Models<'a>,
    object: &Keywords<'a>,
    member: &str,
) -> Option<Vec<String>> {
    let required = object.required.iter().any(|name| name == member);
    let (_, schema) = object.properties.iter().find(|(name, _)| name == member)?;
    let k = models.resolved(schema).filter(|_| required)?;
    let values = match (&k.constant, &k.values) {
        (Some(value), _) => std::slice::from_ref(value),
        (None, Some(values)) => values.as_slice(),
        (None, None) => return None,
    };
    let mut texts: Vec<String> = Vec::new();
    for value in values {
        // The member's other keywords may refuse a listed string: then no variant accepts it.
        let text = value.as_str()?.to_owned();
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    (!texts.is_empty()).then_some(texts)
}
