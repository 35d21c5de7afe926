//! Additional `#[derive]`s of generated types, from the setting `derive`.

use crate::diagnostic::spelling::closest;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::ir::{Api, Model};
use crate::source::Pointer;
use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

/// The traits to derive, by the names of the types; those of `*` are for every type.
pub type Derives = BTreeMap<String, Vec<Derive>>;

/// The path of a trait that can be derived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Derive(String);

impl FromStr for Derive {
    type Err = String;

    fn from_str(text: &str) -> Result<Derive, String> {
        match syn::parse_str::<syn::Path>(text) {
            Ok(_) => Ok(Derive(text.to_owned())),
            Err(_) => Err(format!("`{text}` is not the path of a trait")),
        }
    }
}

/// The traits that a model derives beside its `own`, each once.
pub(crate) fn additional<'d>(derives: &'d Derives, model: &Model, own: &[&str]) -> Vec<&'d str> {
    let lists = ["*", &model.name.pascal()].map(|name| derives.get(name));
    let mut all: Vec<&str> = Vec::new();
    for Derive(path) in lists.into_iter().flatten().flatten() {
        if !own.contains(&path.as_str()) && !all.contains(&path.as_str()) {
            all.push(path);
        }
    }
    all
}

/// Reports the names in the setting `derive` that no generated type has.
pub(crate) fn check(derives: &Derives, api: &Api, diagnostics: &mut Diagnostics) {
    let names: BTreeSet<String> = api.models.iter().map(|model| model.name.pascal()).collect();
    for name in derives.keys() {
        if name != "*" && !names.contains(name) {
            let message =
                format!("the setting `derive` names the type `{name}`, which is not generated");
            let problem = Diagnostic::new(Code::RustType, &Pointer::default(), message);
            let meant = closest(name, names.iter().map(String::as_str));
            diagnostics.recover(problem.did_you_mean(meant), "they are ignored");
        }
    }
}
