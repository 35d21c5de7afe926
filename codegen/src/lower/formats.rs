//! Formats whose strings have a Rust type: those that the contract uses, and what they depend on.

use crate::document::Bundle;
use crate::formats::{Dependency, Formats, Meaning};
use crate::ir::Format;
use crate::names::{self, Scope};

/// Names that `formats.rs` uses for what is not a format.
const RESERVED: &[&str] = &[
    "Mismatch", "Option", "Result", "Some", "None", "Ok", "Err", "Vec", "String",
];

/// The formats that schemas of strings name and that have a type, by name.
pub(super) fn used(bundle: &Bundle) -> Vec<Format> {
    let mut scope = Scope::reserving(RESERVED);
    let used = bundle.used_formats().iter();
    let typed = used.filter_map(|name| match bundle.formats().meaning(name) {
        Some(Meaning::Type(typed)) => Some((name, typed)),
        _ => None,
    });
    typed
        .map(|(name, typed)| Format {
            name: name.clone(),
            rust: scope.claim(names::pascal(name)),
            typed: typed.as_ref().clone(),
        })
        .collect()
}

/// The crates that the types of formats come from, each once, with all the features wanted.
pub(super) fn dependencies(formats: &[Format]) -> Vec<Dependency> {
    let mut all: Vec<Dependency> = Vec::new();
    for own in formats
        .iter()
        .filter_map(|format| format.typed.dependency.as_ref())
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

/// The format, where it is asserted of strings.
pub(super) fn of_text(formats: &Formats, format: Option<&str>) -> Option<String> {
    let asserted = |format: &&str| match formats.meaning(format) {
        Some(Meaning::Type(_)) => true,
        Some(Meaning::Checked) => !is_range(format),
        _ => false,
    };
    format.filter(asserted).map(str::to_owned)
}

/// The format, where it is asserted of numbers.
pub(super) fn of_number(formats: &Formats, format: Option<&str>) -> Option<String> {
    let asserted = |format: &&str| formats.asserts(format) && is_range(format);
    format.filter(asserted).map(str::to_owned)
}

fn is_range(format: &str) -> bool {
    crate::checker::format::integer_range(format).is_some()
}
