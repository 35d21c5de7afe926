//! The names of a union's variants.
//!
//! The first of these that a variant has: the name of its reference, its title, the constant by which it
//! is told apart, the reference that it alone extends, the property that it alone requires or has, its
//! only value, its type. Its place in the list is the last resort. The serde taggings need no more: an
//! internal or adjacent tag is a constant, an external one is a property.

use super::models::Models;
use crate::names;
use crate::openapi::Key;
use crate::schema::{JsonType, Keywords, Schema};
use serde_json::Value;
use std::collections::BTreeSet;

/// The longest title that is used as a name.
const MAX_TITLE: usize = 40;

/// What tells a variant apart.
#[derive(Default)]
struct Traits {
    references: Vec<Key>,
    required: Vec<String>,
    properties: Vec<String>,
    /// Properties of a single string, and that string.
    constants: Vec<(String, String)>,
}

/// The names of the variants; `tags` are the constants of a property that all of them have.
pub(super) fn of_variants<'a>(
    models: &mut Models<'a>,
    listed: &[&Schema<'a>],
    tags: Option<&[Vec<String>]>,
) -> Vec<String> {
    let traits: Vec<Traits> = listed
        .iter()
        .map(|schema| {
            let mut traits = Traits::default();
            collect(models, schema, &mut traits, &mut BTreeSet::new());
            traits
        })
        .collect();
    let each = listed.iter().enumerate().map(|(index, schema)| {
        let Schema::Keywords(k) = schema else {
            return numbered(index);
        };
        if let Some(key) = k.lone_reference() {
            // A read or write variant has the component's name: `EventWrite::Commented(CommentedWrite)`.
            return names::of_key(models.bundle.component_of(key));
        }
        let tag = tags.and_then(|tags| tags.get(index)?.first());
        let known = title(k).or_else(|| tag.cloned());
        let apart = || traits.get(index)?.apart(index, &traits);
        let known = known.or_else(apart);
        known
            .or_else(|| by_value(k))
            .unwrap_or_else(|| numbered(index))
    });
    let names: Vec<String> = each.collect();
    let each = names.iter().zip(listed).map(|(name, schema)| {
        let is_shared = names.iter().filter(|other| *other == name).count() > 1;
        let finer = is_shared.then(|| finer(models, schema)).flatten();
        finer.unwrap_or_else(|| name.clone())
    });
    each.collect()
}

fn numbered(index: usize) -> String {
    format!("Variant{}", index + 1)
}

/// The title, if it is short enough for a name.
fn title(k: &Keywords<'_>) -> Option<String> {
    let title = k.title.as_ref().filter(|title| {
        let name = title.len() <= MAX_TITLE && !title.contains(['.', ',', ';', ':']);
        name && title.chars().any(char::is_alphanumeric)
    });
    title.cloned()
}

/// Adds what a schema and the parts of its `allOf` say of an object.
fn collect<'a>(
    models: &mut Models<'a>,
    schema: &Schema<'a>,
    traits: &mut Traits,
    seen: &mut BTreeSet<Key>,
) {
    let Schema::Keywords(k) = schema else {
        return;
    };
    if let Some(key) = &k.reference {
        traits.references.push(key.clone());
        if !seen.insert(key.clone()) {
            return;
        }
    }
    let target = k.lone_reference().and_then(|_| models.resolved(schema));
    let k = target.as_ref().unwrap_or(k);
    traits.required.extend(k.required.iter().cloned());
    for (name, property) in &k.properties {
        traits.properties.push(name.clone());
        let only = models.resolved(property).and_then(|k| only_value(&k));
        if let Some(only) = only {
            traits.constants.push((name.clone(), only));
        }
    }
    for part in &k.all_of {
        collect(models, part, traits, seen);
    }
}

/// The only string of a schema.
fn only_value(k: &Keywords<'_>) -> Option<String> {
    match (&k.constant, k.values.as_deref()) {
        (Some(value), _) | (None, Some([value])) => value.as_str().map(str::to_owned),
        _ => None,
    }
}

impl Traits {
    /// What this variant alone has: a constant, a reference, a required property or any property.
    fn apart(&self, own: usize, all: &[Traits]) -> Option<String> {
        let others = || all.iter().enumerate().filter(|(index, _)| *index != own);
        let alone = |has: &dyn Fn(&Traits) -> bool| !others().any(|(_, other)| has(other));
        let constant = self.constants.iter().find(|one| {
            let is_told = |(name, value): &(String, String)| name == &one.0 && value != &one.1;
            let mut constants = others().flat_map(|(_, other)| &other.constants);
            alone(&|other| other.constants.contains(one)) && constants.any(is_told)
        });
        if let Some((_, value)) = constant {
            return Some(value.clone());
        }
        let mut references = self.references.iter();
        if let Some(key) = references.find(|key| alone(&|other| other.references.contains(key))) {
            return Some(names::of_key(key));
        }
        let is_new = |name: &&String| alone(&|other| other.properties.contains(name));
        let required = self.required.iter().find(is_new);
        required
            .or_else(|| self.properties.iter().find(is_new))
            .cloned()
    }
}

/// A name by the only value, or by the type.
fn by_value(k: &Keywords<'_>) -> Option<String> {
    let has_letters = |text: &String| text.chars().any(char::is_alphanumeric);
    if let Some(only) = only_value(k).filter(has_letters) {
        return Some(only);
    }
    let types = k.types.iter().filter(|ty| **ty != JsonType::Null);
    let of_values = |value: &Value| match value {
        Value::String(_) => Some(JsonType::String),
        Value::Number(number) if number.is_i64() => Some(JsonType::Integer),
        _ => None,
    };
    let ty = match types.copied().collect::<Vec<_>>().as_slice() {
        [only] => Some(*only),
        [] => k
            .values
            .as_ref()
            .and_then(|values| of_values(values.first()?)),
        _ => None,
    };
    let name = match ty? {
        JsonType::Boolean => "Boolean",
        JsonType::Integer => "Integer",
        JsonType::Number => "Number",
        JsonType::String => "String",
        JsonType::Array => "Array",
        JsonType::Object if k.properties.is_empty() && k.all_of.is_empty() => "Map",
        JsonType::Object => "Object",
        JsonType::Null => return None,
    };
    Some(name.to_owned())
}

/// A name of a variant whose type others have as well: after its format, its items or its values.
fn finer<'a>(models: &mut Models<'a>, schema: &Schema<'a>) -> Option<String> {
    let Schema::Keywords(k) = schema else {
        return None;
    };
    if k.lone_reference().is_some() || title(k).is_some() {
        return None;
    }
    match k.types.as_slice() {
        [JsonType::Array] => {
            let Some(Schema::Keywords(items)) = &k.items else {
                return None;
            };
            let item = match items.lone_reference() {
                Some(key) => names::of_key(models.bundle.component_of(key)),
                None => title(items).or_else(|| by_value(items))?,
            };
            Some(format!("{item} array"))
        }
        [JsonType::String] if k.values.is_some() => Some("Known".to_owned()),
        _ => k.format.clone(),
    }
}
