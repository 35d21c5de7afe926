//! Unions: merged into one form where that is exact, and tagged by their discriminator.

use super::merge::and;
use super::{Annotations, NormalForm, Type, address, resolved};
use crate::bundle::Bundle;
use json_schema::equality::ValueSet;
use json_schema::reference::key_in;
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashSet};
use std::rc::Rc;

/// The variants of an `anyOf`, each once; those of a variant that is an `anyOf` itself in its place.
pub(super) fn flat<'a>(bundle: &'a Bundle, variants: Vec<&'a Value>) -> Vec<&'a Value> {
    let mut open: Vec<&Value> = variants.into_iter().rev().collect();
    let mut seen = HashSet::new();
    let mut flat: Vec<&Value> = Vec::new();
    while let Some(schema) = open.pop() {
        let target = resolved(bundle, schema);
        if !seen.insert(address(target)) {
            continue;
        }
        let lone = target.as_object().filter(|keywords| keywords.len() == 1);
        match lone.and_then(|keywords| keywords.get("anyOf")?.as_array()) {
            Some(inner) => open.extend(inner.iter().rev()),
            None if flat.iter().any(|known| resolved(bundle, known) == target) => {}
            None => flat.push(schema),
        }
    }
    flat
}

/// One form for a union in which each type of value belongs to one variant: keywords are each about
/// one type, so that those of one variant never apply to a value of another.
pub(super) fn merged<'a>(
    variants: &[Rc<NormalForm<'a>>],
    exactly_one: bool,
) -> Option<NormalForm<'a>> {
    if let [only] = variants {
        return Some(NormalForm::clone(only));
    }
    let is_nested = |form: &Rc<NormalForm<'_>>| !form.unions.is_empty() || !form.opaque.is_empty();
    if variants.iter().any(is_nested) {
        return None;
    }
    if let Some(form) = enumerations(variants, exactly_one) {
        return Some(form);
    }
    let mut taken = BTreeSet::new();
    let mut types = variants.iter().flat_map(|form| form.types.iter().copied());
    if !types.all(|ty| taken.insert(ty)) {
        return None;
    }
    let is_enumerated = variants.iter().any(|form| form.enumerated.is_some());
    let (mut values, mut merged) = (Vec::new(), NormalForm::any());
    for variant in variants {
        let mut form = NormalForm::clone(variant);
        if is_enumerated {
            values.extend(enumeration(&form)?);
            form.enumerated = None;
        }
        form.types = Type::ALL.into();
        merged = and(merged, form);
    }
    merged.types = taken;
    merged.enumerated = is_enumerated.then_some(values);
    merged.annotations = shared(variants);
    Some(merged)
}

/// Enumerations as one, unless two variants of a `oneOf` share a value, which no list expresses.
fn enumerations<'a>(variants: &[Rc<NormalForm<'a>>], exactly_one: bool) -> Option<NormalForm<'a>> {
    let (mut values, mut known) = (Vec::new(), ValueSet::default());
    for form in variants {
        let is_bare =
            form.limits.is_empty() && form.constraints.is_empty() && form.required.is_empty();
        if !is_bare || !form.additional.is_empty() || !form.items.is_empty() {
            return None;
        }
        for value in enumeration(form)? {
            if known.insert(&value) {
                values.push(value);
            } else if exactly_one {
                return None;
            }
        }
    }
    Some(NormalForm {
        enumerated: Some(values),
        annotations: shared(variants),
        ..NormalForm::any()
    })
}

fn shared(variants: &[Rc<NormalForm<'_>>]) -> Annotations {
    Annotations::of_union(variants.iter().map(|form| &form.annotations))
}

fn enumeration(form: &NormalForm<'_>) -> Option<Vec<Value>> {
    let values = form.enumerated.clone();
    values.or_else(|| all_values(&form.types))
}

/// Every value of types that have finitely many; `None` for others.
#[must_use]
pub fn all_values(types: &BTreeSet<Type>) -> Option<Vec<Value>> {
    let mut values = Vec::new();
    for ty in types {
        match ty {
            Type::Null => values.push(Value::Null),
            Type::Boolean => values.extend([Value::Bool(false), Value::Bool(true)]),
            _ => return None,
        }
    }
    Some(values)
}

/// A member and its value that name a variant (OpenAPI 3.1.1 §4.8.25).
pub type Tag = (String, String);

/// Whether a variant is the one of values that the discriminator does not name (OpenAPI 3.2.0 §4.25).
pub(super) fn is_default(keywords: &Map<String, Value>, variant: &Value) -> bool {
    let discriminator = keywords.get("discriminator");
    let default = discriminator.and_then(|one| one.get("defaultMapping")?.as_str());
    default.is_some() && key_in(variant).as_deref() == default
}

/// The tags of each variant; none where the validator does not go by them either.
pub(super) fn tags(keywords: &Map<String, Value>, variants: &[&Value]) -> Vec<BTreeSet<Tag>> {
    let discriminator = keywords.get("discriminator");
    let property = discriminator.and_then(|one| one.get("propertyName")?.as_str());
    let Some(property) = property else {
        return Vec::new();
    };
    let mapping = discriminator.and_then(|one| one.get("mapping")?.as_object());
    let tagged = variants.iter().map(|variant| {
        if variant.get("type").is_some_and(|name| name == "null") {
            return Some(BTreeSet::new());
        }
        let key = key_in(variant)?;
        let mapped = mapping.into_iter().flatten();
        let mapped = mapped.filter(|(_, target)| target.as_str() == Some(&key));
        let mut tags: BTreeSet<Tag> = mapped
            .map(|(tag, _)| (property.to_owned(), tag.clone()))
            .collect();
        if tags.is_empty() {
            // Only components have a name of their own.
            let name = Some(&key).filter(|key| !key.contains(['/', '~']));
            match name {
                Some(name) => _ = tags.insert((property.to_owned(), name.clone())),
                None if is_default(keywords, variant) => {}
                None => return None,
            }
        }
        Some(tags)
    });
    tagged.collect::<Option<_>>().unwrap_or_default()
}
