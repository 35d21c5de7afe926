//! Formats whose strings have a Rust type: those that the contract uses, and their crates.

use crate::formats::{Dependency, Formats, Meaning};
use crate::ir::{Format, Model, ModelShape, Name, Rules};
use crate::names::Scope;
use crate::openapi::Bundle;
use json_schema::format::{self, Length};

/// The formats that are named by schemas of strings and have a type, by name.
pub(super) fn used(bundle: &Bundle) -> Vec<Format> {
    let mut scope = Scope::default();
    let used = bundle.used_formats().iter();
    let typed = used.filter_map(|name| match bundle.formats().meaning(name) {
        Some(Meaning::Type(typed)) => Some((name, typed)),
        _ => None,
    });
    typed
        .map(|(name, typed)| Format {
            wire: name.clone(),
            name: scope.claim(Name::of(name)),
            typed: typed.as_ref().clone(),
        })
        .collect()
}

/// The crates that types come from, those of formats and those of models, each once, with all features that
/// they need.
pub(super) fn dependencies(formats: &[Format], models: &[Model]) -> Vec<Dependency> {
    let mut all: Vec<Dependency> = Vec::new();
    let of_models = models.iter().filter_map(|model| match &model.shape {
        ModelShape::Own { typed, .. } => Some(typed.as_ref()),
        _ => None,
    });
    let types = formats.iter().map(|format| &format.typed);
    for own in types
        .chain(of_models)
        .filter_map(|typed| typed.dependency.as_ref())
    {
        match all.iter_mut().find(|known| known.name == own.name) {
            None => all.push(own.clone()),
            Some(known) => {
                known.default_features |= own.default_features;
                let missing = own.features.iter().filter(|f| !known.features.contains(f));
                let missing: Vec<_> = missing.cloned().collect();
                known.features.extend(missing);
            }
        }
    }
    all.sort_by(|one, other| one.name.cmp(&other.name));
    all
}

/// The format, if it is asserted of strings.
pub(super) fn of_text(formats: &Formats, format: Option<&str>) -> Option<String> {
    let asserted = |format: &&str| match formats.meaning(format) {
        Some(Meaning::Type(_)) => true,
        Some(Meaning::Checked) => !is_range(format),
        _ => false,
    };
    format.filter(asserted).map(str::to_owned)
}

/// The format, if it is asserted of numbers.
pub(super) fn of_number(formats: &Formats, format: Option<&str>) -> Option<String> {
    let asserted = |format: &&str| formats.asserts(format) && is_range(format);
    format.filter(asserted).map(str::to_owned)
}

/// Removes the bounds that every text of the format keeps.
pub(super) fn without_implied(rules: &mut Rules) {
    let format = rules.format.as_deref().and_then(format::Format::named);
    if let Some(Length::Within(least, most)) = format.map(|format| format.length) {
        rules.min_length = rules.min_length.filter(|min| *min > least);
        rules.max_length = rules.max_length.filter(|max| *max < most);
    }
}

fn is_range(format: &str) -> bool {
    format::integer_range(format).is_some()
}
