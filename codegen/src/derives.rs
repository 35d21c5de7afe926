//! Traits that types of models derive because a team asks for them.

use crate::diagnostic::spelling::closest;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::ir::{Api, Model};
use crate::source::Pointer;
use std::collections::BTreeMap;
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
pub(crate) fn of<'d>(derives: &'d Derives, model: &Model, own: &[&str]) -> Vec<&'d str> {
    let rows = ["*", &model.name.pascal()].map(|name| derives.get(name));
    let mut all: Vec<&str> = Vec::new();
    for Derive(path) in rows.into_iter().flatten().flatten() {
        if !own.contains(&path.as_str()) && !all.contains(&path.as_str()) {
            all.push(path);
        }
    }
    all
}

/// Tells which types with traits of their own do not exist.
pub(crate) fn check(derives: &Derives, api: &Api, diagnostics: &mut Diagnostics) {
    let names: Vec<String> = api.models.iter().map(|model| model.name.pascal()).collect();
    for name in derives.keys() {
        if name != "*" && !names.contains(name) {
            let message = format!("there is no type `{name}` to derive traits for");
            let problem = Diagnostic::new(Code::RustType, &Pointer::default(), message);
            let meant = closest(name, names.iter().map(String::as_str));
            diagnostics.recover(problem.did_you_mean(meant), "they are ignored");
        }
    }
}
