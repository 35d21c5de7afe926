//! Any name may be anything: each identifier that occurs in generated crates is taken as the name of
//! everything that a document names, and the crates compile without a warning.
//!
//! One crate for each kind of thing has all the names, so that a clash of two of them is found too.
//! The names in a request also pass through the generated client and service.

mod documents;

use crate::crates::Crates;
use crate::naming;
use heck::ToSnakeCase;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeSet;

#[test]
#[ignore = "takes minutes: cargo xtask ci --all"]
fn what_generated_code_calls_its_own_may_name_anything() {
    let names = names();
    assert!(names.len() > 300, "{}", names.len());
    let mut crates = Crates::new("identifiers", true);
    for (kind, document) in documents::all(&names) {
        crates.generate(kind, &document);
    }
    crates.check();
}

/// The name of everything in the documents from which the identifiers are taken.
const OWN: &str = "zzz";

/// The words of every identifier that generated crates have beside the names of their documents.
fn names() -> Vec<String> {
    let own: Vec<String> = (0..5).map(|number| format!("{OWN}{number}")).collect();
    let mut names = BTreeSet::new();
    for (_, document) in documents::all(&own) {
        for (path, text) in naming::generate(&document).iter() {
            if path.starts_with("src/") && path.ends_with(".rs") {
                read(text.parse().unwrap(), &mut names);
            }
        }
    }
    // The documents' other names begin so too.
    names.retain(|name| !name.starts_with('z') && !name.contains(OWN));
    names.into_iter().collect()
}

fn read(tokens: TokenStream, names: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => read(group.stream(), names),
            TokenTree::Ident(ident) => spellings(&ident.to_string(), names),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// The names in a document that become this name in Rust, in one case or another: `ALL` is
/// `all`, and `a_l_l` as a type or a variant.
fn spellings(ident: &str, names: &mut BTreeSet<String>) {
    let ident = ident.trim_start_matches("r#");
    names.insert(ident.to_snake_case());
    let is_pascal = !ident.contains('_') && ident.starts_with(|c: char| c.is_ascii_uppercase());
    if is_pascal {
        let letters = ident.chars().map(|c| match c.is_ascii_uppercase() {
            true => format!("_{}", c.to_ascii_lowercase()),
            false => c.to_string(),
        });
        names.insert(
            letters
                .collect::<String>()
                .trim_start_matches('_')
                .to_owned(),
        );
    }
    names.remove("");
}
