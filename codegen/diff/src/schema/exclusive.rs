//! Unions whose variants exclude each other, as far as their tags, types and required members show it.

use sample::normal::{AllOf, NormalForm, Normalizer, Type, Union, all_values};
use serde_json::Value;

/// How many levels of required members are compared.
const MAX_DEPTH: usize = 4;
/// How many variants are compared with each other.
const MAX_VARIANTS: usize = 64;

/// Whether each variant excludes each other one: by its tag, its types, or a required member that cannot
/// be right for both.
pub(crate) fn is_exclusive<'a>(forms: &Normalizer<'a>, union: &Union<'a>) -> bool {
    let variants = &union.variants;
    let excludes = |one: usize, other: usize| {
        let (Some(one), Some(other)) = (variants.get(one), variants.get(other)) else {
            return false;
        };
        let are_tagged = !one.tags.is_empty() && !other.tags.is_empty();
        are_tagged || exclude(forms, &one.schemas, &other.schemas, MAX_DEPTH)
    };
    variants.len() <= MAX_VARIANTS
        && (0..variants.len()).all(|one| (0..one).all(|other| excludes(one, other)))
}

fn exclude<'a>(forms: &Normalizer<'a>, one: &AllOf<'a>, other: &AllOf<'a>, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    if one.is_false() || other.is_false() {
        return true;
    }
    let (one, other) = (forms.of(one), forms.of(other));
    let member_excludes = || {
        one.required.union(&other.required).any(|name| {
            let first = one.member(name).unwrap_or_default();
            let second = other.member(name).unwrap_or_default();
            exclude(forms, &first, &second, depth)
        })
    };
    let mut shared = one.types.intersection(&other.types);
    refuses_values_of(&one, &other)
        || refuses_values_of(&other, &one)
        || shared.all(|ty| *ty == Type::Object && member_excludes())
}

/// Whether a form has few values, and another accepts none of them.
fn refuses_values_of(form: &NormalForm<'_>, few: &NormalForm<'_>) -> bool {
    let refuses = |value: &Value| sample::is_refused(form, value);
    let values = few.enumerated.clone().or_else(|| all_values(&few.types));
    values.is_some_and(|values| values.iter().all(refuses))
}
