//! The imports of a generated file: a fixed set, of which each stands where the file names it.
//!
//! No import can collide with a name of the document: modules are lower case while every type is
//! capitalised, and the trait is imported without a name.

use super::tokens::ident;
use proc_macro2::{Spacing, TokenStream, TokenTree};
use quote::quote;
use std::collections::BTreeSet;

/// The modules of the generated crate.
const MODULES: &[&str] = &[
    "api",
    "client",
    "conditions",
    "formats",
    "models",
    "operations",
    "patterns",
];

/// The imports that some items need.
pub(super) fn imports(items: &[TokenStream]) -> TokenStream {
    let mut names = Names::default();
    for item in items {
        names.read(item.clone());
    }
    let modules = MODULES.iter().filter(|name| names.paths.contains(**name));
    let modules: Vec<_> = modules.map(|name| ident(name)).collect();
    let modules = match modules.as_slice() {
        [] => None,
        [only] => Some(quote!(use crate::#only;)),
        _ => Some(quote!(use crate::{#(#modules),*};)),
    };
    let check = names.checks.then(|| {
        quote!(
            use runtime::Check as _;
        )
    });
    let runtime = names.paths.contains("rt");
    let runtime = runtime.then(|| {
        quote!(
            use runtime::__private as rt;
        )
    });
    quote!(#modules #check #runtime)
}

/// The names of other modules in some items.
#[derive(Default)]
struct Names {
    /// The first segments of paths.
    paths: BTreeSet<String>,
    /// Whether the method of the trait `Check` is called outside of its implementations.
    checks: bool,
}

impl Names {
    fn read(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        let mut before = [' ', ' '];
        let mut implements_check = false;
        while let Some(token) = tokens.next() {
            let next = tokens.peek();
            match &token {
                TokenTree::Group(group) => {
                    let checks = self.checks;
                    self.read(group.stream());
                    self.checks = checks || (self.checks && !implements_check);
                    implements_check = false;
                }
                TokenTree::Ident(name) => {
                    if before != [':', ':'] && next.is_some_and(begins_path) {
                        self.paths.insert(name.to_string());
                    }
                    self.checks |=
                        name == "is_valid" && before[1] == '.' && next.is_some_and(is_empty);
                    implements_check |= name == "Check" && next.is_some_and(is_for);
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
            before = match token {
                TokenTree::Punct(punct) => [before[1], punct.as_char()],
                _ => [' ', ' '],
            };
        }
    }
}

fn begins_path(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(it) if it.as_char() == ':' && it.spacing() == Spacing::Joint)
}

fn is_empty(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(it) if it.stream().is_empty())
}

fn is_for(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Ident(it) if it == "for")
}

#[cfg(test)]
mod tests {
    use super::imports;
    use quote::quote;

    #[test]
    fn imports_what_is_named_by_a_path() {
        let items = quote! {
            pub fn f(a: models::A, patterns: u8) -> rt::Reply { crate::api::g(a.is_valid()) }
            impl runtime::Check for A { fn is_valid(&self) -> bool { self.b.is_valid() } }
        };
        let expected = quote! {
            use crate::models;
            use runtime::Check as _;
            use runtime::__private as rt;
        };
        assert_eq!(imports(&[items]).to_string(), expected.to_string());
        let alone = quote! {
            impl runtime::Check for A { fn is_valid(&self) -> bool { self.b.is_valid() } }
        };
        assert!(imports(&[alone]).is_empty());
    }
}
