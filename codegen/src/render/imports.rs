//! Which names a file must import: those that its items name, and no others.

use super::rust::ident;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;
use std::collections::BTreeSet;

/// The identifiers of some items.
#[derive(Default)]
pub(super) struct Words {
    all: BTreeSet<String>,
    /// Those in front of parentheses, unless they are methods.
    called: BTreeSet<String>,
    /// Methods that are called without arguments.
    asked: BTreeSet<String>,
}

impl Words {
    /// Looks through tokens.
    pub(super) fn of(items: &[TokenStream]) -> Words {
        let mut words = Words::default();
        for item in items {
            words.read(item.clone());
        }
        words
    }

    fn read(&mut self, tokens: TokenStream) {
        let mut after_dot = false;
        let mut previous: Option<(String, bool)> = None;
        for token in tokens {
            let before = previous.take();
            match token {
                TokenTree::Ident(name) => {
                    let name = name.to_string();
                    self.all.insert(name.clone());
                    previous = Some((name, after_dot));
                    after_dot = false;
                }
                TokenTree::Group(group) => {
                    let parentheses = group.delimiter() == Delimiter::Parenthesis;
                    match before.filter(|_| parentheses) {
                        Some((name, false)) => _ = self.called.insert(name),
                        Some((name, true)) if group.stream().is_empty() => {
                            self.asked.insert(name);
                        }
                        _ => {}
                    }
                    self.read(group.stream());
                    after_dot = false;
                }
                TokenTree::Punct(mark) => after_dot = mark.as_char() == '.',
                TokenTree::Literal(_) => after_dot = false,
            }
        }
    }

    /// Whether a function of that name is called.
    pub(super) fn calls(&self, name: &str) -> bool {
        self.called.contains(name)
    }

    /// Whether a method of that name is called without arguments.
    pub(super) fn asks(&self, name: &str) -> bool {
        self.asked.contains(name)
    }

    /// A `use` for each path of which a name is used.
    pub(super) fn uses(&self, paths: &[(&str, &[&str])]) -> TokenStream {
        let each = paths.iter().map(|(path, names)| {
            let mut used = names.to_vec();
            used.retain(|name| self.all.contains(*name));
            self.uses_all(path, &used)
        });
        each.collect()
    }

    /// A `use` of all these names; nothing for none.
    pub(super) fn uses_all(&self, path: &str, names: &[&str]) -> TokenStream {
        let segments = path.split("::").map(ident);
        let path = quote!(#(#segments)::*);
        let names: Vec<_> = names.iter().map(|name| ident(name)).collect();
        match names.as_slice() {
            [] => TokenStream::new(),
            [only] => quote!(use #path::#only;),
            _ => quote!(use #path::{#(#names),*};),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_calls_from_methods_and_fields() {
        let words = Words::of(&[quote!(respond(a.status(1), b.is_valid(), status.x))]);
        assert!(words.calls("respond") && !words.calls("status"));
        assert!(words.asks("is_valid") && !words.asks("status"));
        let uses = words.uses(&[("a::b", &["a", "b", "c"]), ("d", &["d"])]);
        assert_eq!(
            uses.to_string(),
            quote!(
                use a::b::{a, b};
            )
            .to_string()
        );
    }
}
