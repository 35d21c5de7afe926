//! Closures over one argument: none around a single call, and no name for an unused argument.

use super::tokens::ident;
use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

/// A closure over `value`, or the function itself where the closure would only call it.
pub(super) fn closure(body: TokenStream) -> TokenStream {
    closure_over("value", body)
}

/// The same over a variable of another name.
pub(super) fn closure_over(variable: &str, body: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = body.into_iter().collect();
    if let [
        TokenTree::Ident(value),
        TokenTree::Punct(_),
        TokenTree::Ident(method),
        _,
    ] = tokens.as_slice()
        && value == variable
        && method == "is_valid"
    {
        return quote!(runtime::Check::is_valid);
    }
    if let [path @ .., TokenTree::Group(arguments)] = tokens.as_slice()
        && arguments.stream().to_string() == variable
        && path.iter().all(is_path)
        // Takes a slice, which a function that is passed on would not make of a list.
        && path.last().is_some_and(|name| !matches!(name.to_string().as_str(), "unique" | "distinct"))
    {
        return path.iter().cloned().collect();
    }
    let argument = argument(variable, tokens.iter().cloned());
    let mut closure = quote!(|#argument|);
    closure.extend(tokens);
    closure
}

/// The name of an argument, unless nothing uses it.
pub(super) fn argument(variable: &str, body: impl IntoIterator<Item = TokenTree>) -> TokenStream {
    if uses(variable, body) {
        let name = ident(variable);
        quote!(#name)
    } else {
        quote!(_)
    }
}

fn is_path(token: &TokenTree) -> bool {
    match token {
        TokenTree::Ident(_) => true,
        TokenTree::Punct(punct) => matches!(punct.as_char(), ':' | '<' | '>'),
        _ => false,
    }
}

fn uses(variable: &str, tokens: impl IntoIterator<Item = TokenTree>) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(name) => name == variable,
        TokenTree::Group(group) => uses(variable, group.stream()),
        _ => false,
    })
}
