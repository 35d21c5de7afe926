//! Names in templates with a modifier of URI templates (RFC 6570) or of some router: `{proxy+}`, `{+parent}`,
//! `{*rest}`. OpenAPI has none (3.1.1 §4.8.8), so that the name is meant without it.

use crate::openapi::{Operation, ParamLocation};

const MODIFIERS: [char; 2] = ['+', '*'];

/// The names in a path that are names of declared parameters with a modifier, each with its
/// parameter's name.
pub(super) fn modified<'o>(path: &'o str, operation: &'o Operation) -> Vec<(&'o str, &'o str)> {
    let declared = |name: &str| {
        let mut parameters = operation.parameters.iter();
        parameters.any(|one| one.place == ParamLocation::Path && one.name == name)
    };
    let names = path.split('{').skip(1);
    let names = names.filter_map(|part| Some(part.split_once('}')?.0));
    let meant = names.map(|name| (name, name.trim_matches(MODIFIERS)));
    meant
        .filter(|(name, plain)| name != plain && !declared(name) && declared(plain))
        .collect()
}

/// The path with the names of the declared parameters.
#[must_use]
pub fn plain(path: &str, operation: &Operation) -> String {
    let modified = modified(path, operation).into_iter();
    modified.fold(path.to_owned(), |path, (name, plain)| {
        path.replace(&format!("{{{name}}}"), &format!("{{{plain}}}"))
    })
}
