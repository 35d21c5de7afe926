//! Sources that another crate embeds as a module, by `include!` of their root.
//!
//! Such a module does not know where it stands, so that its paths begin with `super` instead of `crate`;
//! and the features of the crate around it are not its own, so that those of the generator decide.

use super::{file, tokens::ident};
use crate::Feature;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::Item;

/// The root of the module, from that of the crate. An included file has no inner attributes, so that each item
/// allows the lints that a crate around it may warn about.
pub(super) fn root(lib: &str, features: &[Feature]) -> String {
    let Ok(lib) = syn::parse_file(lib) else {
        // What the generator has made is Rust; where it is not, the compiler says so of this text.
        return lib.to_owned();
    };
    let items = lib.items.into_iter().map(|item| match item {
        Item::Const(_) | Item::Mod(_) | Item::Static(_) | Item::Use(_) => quote! {
            #[allow(
                clippy::all,
                clippy::pedantic,
                dead_code,
                deprecated,
                missing_docs,
                non_camel_case_types,
                non_snake_case,
                non_upper_case_globals,
                unreachable_pub,
                unused_imports,
            )]
            #item
        },
        item => item.to_token_stream(),
    });
    file::text("", [embedded(items.collect(), 0, features)])
}

/// Items of a file that stands `depth` modules below the root.
pub(super) fn embedded(items: TokenStream, depth: usize, features: &[Feature]) -> TokenStream {
    let mut out = TokenStream::new();
    let mut tokens = items.into_iter().peekable();
    let mut is_module = false;
    while let Some(token) = tokens.next() {
        let was_module = is_module;
        is_module = false;
        match token {
            TokenTree::Ident(name) if name == "crate" && is_punct(tokens.peek(), ':') => {
                out.extend(up(depth));
            }
            TokenTree::Ident(name) => {
                is_module = was_module || name == "mod";
                out.extend([TokenTree::Ident(name)]);
            }
            TokenTree::Group(group) if is_condition(&group) => {
                out.extend(grouped(&group, decided(group.stream(), features)));
            }
            TokenTree::Group(group) => {
                let inner = depth + usize::from(was_module);
                out.extend(grouped(&group, embedded(group.stream(), inner, features)));
            }
            token => out.extend([token]),
        }
    }
    out
}

/// Whether a group is that of `#[cfg(…)]` or `#[cfg_attr(…)]`.
fn is_condition(group: &Group) -> bool {
    let first = group.stream().into_iter().next();
    group.delimiter() == Delimiter::Bracket
        && matches!(first, Some(TokenTree::Ident(name)) if name == "cfg" || name == "cfg_attr")
}

/// A condition in which each feature is `all()`, which always holds, or `any()`, which never does.
fn decided(condition: TokenStream, features: &[Feature]) -> TokenStream {
    let mut out = TokenStream::new();
    let mut tokens = condition.into_iter();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(name) if name == "feature" => {
                let named = tokens
                    .nth(1)
                    .map(|name| name.to_string())
                    .unwrap_or_default();
                let is_on = |feature: &Feature| named.trim_matches('"') == feature.name();
                let is_on = features.iter().any(is_on);
                out.extend(if is_on { quote!(all()) } else { quote!(any()) });
            }
            TokenTree::Group(group) => {
                out.extend(grouped(&group, decided(group.stream(), features)));
            }
            token => out.extend([token]),
        }
    }
    out
}

/// A group with other content.
fn grouped(group: &Group, content: TokenStream) -> TokenStream {
    TokenTree::Group(Group::new(group.delimiter(), content)).into()
}

/// The path of the root, from a module that far below.
fn up(depth: usize) -> TokenStream {
    if depth == 0 {
        return quote!(self);
    }
    let supers = (0..depth).map(|_| ident("super"));
    quote!(#(#supers)::*)
}

fn is_punct(token: Option<&TokenTree>, sign: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_to_the_root_from_wherever_they_stand() {
        let items = quote! {
            use crate::{api, models};
            pub(crate) mod inner { fn f() { crate::SCHEMAS } }
            fn module(crate_: u8) { [crate::SCHEMAS] }
        };
        let expected = quote! {
            use super::super::{api, models};
            pub(crate) mod inner { fn f() { super::super::super::SCHEMAS } }
            fn module(crate_: u8) { [super::super::SCHEMAS] }
        };
        assert_eq!(embedded(items, 2, &[]).to_string(), expected.to_string());
    }

    #[test]
    fn features_are_decided() {
        let items = quote! {
            #[cfg(feature = "client")] mod client;
            #[cfg(any(feature = "client", feature = "server"))] mod api;
            fn f(mut feature: u8) { feature = 7; }
        };
        let expected = quote! {
            #[cfg(any())] mod client;
            #[cfg(any(any(), all()))] mod api;
            fn f(mut feature: u8) { feature = 7; }
        };
        let found = embedded(items, 0, &[Feature::Server]);
        assert_eq!(found.to_string(), expected.to_string());
    }

    #[test]
    fn the_root_has_no_inner_attributes() {
        let root = root(
            "//! Words.\n#![recursion_limit = \"256\"]\npub mod models;\n",
            &[],
        );
        assert!(
            !root.contains('!') && root.ends_with("pub mod models;\n"),
            "{root}"
        );
    }
}
