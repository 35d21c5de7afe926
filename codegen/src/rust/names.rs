//! How names are written in Rust. A name that means something else where it stands is raw, or ends
//! in `_`, which no name of the IR does; so names stay distinct.
//!
//! The tables here have every name that generated code gives to its own things in a scope that it
//! shares with the document's; `codegen/tests/it/identifiers.rs` holds that none is missing.

use crate::ir::{
    Format, Group, Model, Name, Operation, Param, ParamLocation, Scheme, SecurityRequirement,
};
use crate::names::Scope;
use proc_macro2::{Ident, Span};

/// Words that cannot be plain identifiers in edition 2024.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// Keywords that cannot even be raw identifiers.
const UNRAWABLE: &[&str] = &["crate", "self", "super", "Self", "_"];

/// Crates of Rust's standard distribution.
const BUILT_IN: &[&str] = &["alloc", "core", "proc_macro", "std", "test"];

/// The methods that a type has beside those of operations: the host's, the rejections', the
/// client's, and `clone`, which the client is made anew with. The client's method for a credential begins
/// with `with_`.
const METHODS: &[&str] = &[
    "admit",
    "ask",
    "body_too_large",
    "clone",
    "credential_invalid",
    "credential_missing",
    "exchange",
    "internal",
    "invalid",
    "media_type_not_taken",
    "method_not_allowed",
    "new",
    "no_such_route",
    "not_acceptable",
    "not_json",
    "observe",
    "open",
    "rate_limited",
    "scope_insufficient",
    "send",
    "unavailable",
];

/// Types and variants that every module has, and names in the macros of the runtime.
const PRELUDE: &[&str] = &[
    "Box",
    "Check",
    "Deserialize",
    "Encoded",
    "Err",
    "Into",
    "Mismatch",
    "None",
    "ObjectWriter",
    "Ok",
    "Option",
    "Part",
    "Result",
    "Serialize",
    "Some",
    "String",
    "Vec",
];

/// Variables of the functions of conditions.
const CHECKING: &[&str] = &[
    "items", "members", "memo", "name", "number", "text", "value",
];

/// Variables of a client's method, beside its arguments.
const CALLING: &[&str] = &["request", "response", "stream"];

/// Variables of the functions that read a request, beside those of its parameters.
const READING: &[&str] = &[
    "accept",
    "body",
    "bytes",
    "call",
    "consumed",
    "host",
    "params",
    "principal",
    "reader",
    "stream",
    "stream_rejection",
];

/// Whether a word has a meaning in Rust, so that no crate should have it as its name.
pub fn is_reserved(word: &str) -> bool {
    let mut reserved = [KEYWORDS, UNRAWABLE, BUILT_IN].into_iter().flatten();
    reserved.any(|known| *known == word)
}

/// An identifier, raw where its text is a keyword.
pub(super) fn ident(text: &str) -> Ident {
    match KEYWORDS.contains(&text) {
        true => Ident::new_raw(text, Span::call_site()),
        false => Ident::new(text, Span::call_site()),
    }
}

/// An identifier that is none of the taken ones.
fn free(text: &str, taken: &[&str]) -> Ident {
    match taken.contains(&text) || UNRAWABLE.contains(&text) {
        true => ident(&format!("{text}_")),
        false => ident(text),
    }
}

/// A field, a function or a module.
pub(super) fn snake(name: &Name) -> Ident {
    free(name.snake(), &[])
}

/// The same, where some names are taken.
fn snake_beside(name: &Name, taken: &[&str]) -> Ident {
    free(name.snake(), taken)
}

/// A variant.
pub(super) fn pascal(name: &Name) -> Ident {
    free(&name.pascal(), &[])
}

/// A type, where some names are taken.
fn pascal_beside(name: &Name, taken: &[&str]) -> Ident {
    free(&name.pascal(), taken)
}

/// The type of a thing that belongs to a named one: `PetResponse`.
pub(super) fn pascal_with(name: &Name, suffix: &str) -> Ident {
    ident(&format!("{}{suffix}", name.pascal()))
}

/// A constant.
pub(super) fn upper(name: &Name) -> Ident {
    ident(&name.upper())
}

/// The type of a model.
pub(super) fn model(model: &Model) -> Ident {
    pascal_beside(&model.name, PRELUDE)
}

/// The type of a format.
pub(super) fn format(format: &Format) -> Ident {
    pascal_beside(&format.name, PRELUDE)
}

/// The function of a condition.
pub(super) fn condition(name: &Name) -> Ident {
    snake_beside(name, CHECKING)
}

/// The module of a tag.
pub(super) fn module(group: &Group) -> Ident {
    snake_beside(&group.name, &["api", "mod"])
}

/// The file of a tag's module, without its ending.
pub(super) fn file(group: &Group) -> String {
    let module = match group.name.is_ascii() {
        true => module(group),
        false => snake_beside(&group.name.ascii(), &["api", "mod"]),
    };
    module.to_string().trim_start_matches("r#").to_owned()
}

/// The method of an operation, on a host and on a client.
pub(super) fn method(operation: &Operation) -> Ident {
    let name = operation.name.snake();
    match name.starts_with("with_") {
        true => ident(&format!("{name}_")),
        false => free(name, METHODS),
    }
}

/// The variant of an operation among the ids of operations, whose list is `ALL`.
pub(super) fn operation_id(operation: &Operation) -> Ident {
    pascal_beside(&operation.name, &["ALL"])
}

/// The argument for a parameter in the path, or the field of another parameter.
pub(super) fn param(param: &Param) -> Ident {
    match param.place {
        ParamLocation::Path => snake_beside(&param.field.name, CALLING),
        _ => snake(&param.field.name),
    }
}

/// The constant of a security scheme.
pub(super) fn scheme(scheme: &Scheme) -> Ident {
    let taken = ["BASE_PATH", "CALLBACKS", "OPERATIONS", "WEBHOOKS"];
    free(&scheme.name.upper(), &taken)
}

/// The type of a scheme's principal, or that of a requirement of several.
pub(super) fn principal(name: &Name) -> Ident {
    pascal_beside(name, &["Context", "Error", "Security"])
}

/// The client's method for a scheme's credential.
pub(super) fn with_credential(scheme: &Scheme) -> Ident {
    ident(&match scheme.name.snake() {
        taken @ ("credential" | "header" | "login") => format!("with_{taken}_credential"),
        name => format!("with_{name}"),
    })
}

/// The field of a scheme's principal among several, and the variable of its credential.
pub(super) fn credential(scheme: &Scheme) -> Ident {
    snake_beside(&scheme.name, &["at", "host", "request"])
}

/// The function that authenticates by a requirement.
pub(super) fn by(requirement: &SecurityRequirement) -> Ident {
    ident(&format!("by_{}", requirement.name))
}

/// The variable of a field in the function that reads a form.
pub(super) fn form_variable(name: &Name) -> Ident {
    snake_beside(name, &["bytes", "form", "headers", "reader"])
}

/// The variables of a parameter in the functions that read and write it.
pub(super) struct Variables {
    /// Its value.
    pub(super) value: Ident,
    /// Its declaration.
    pub(super) spec: Ident,
}

/// The variables of parameters.
pub(super) fn variables<'p>(params: impl Iterator<Item = &'p Param>) -> Vec<Variables> {
    let mut scope = Scope::default();
    let names = params.map(|param| &param.field.name);
    let values: Vec<Name> = names.map(|name| scope.claim(name.clone())).collect();
    let variables = values.into_iter().map(|value| Variables {
        spec: snake(&scope.claim(value.with("spec"))),
        value: snake_beside(&value, READING),
    });
    variables.collect()
}
