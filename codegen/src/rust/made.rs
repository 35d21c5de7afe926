//! Tokens that are made in the place where they are printed.

use proc_macro2::TokenStream;
use quote::ToTokens;

/// Tokens that a closure makes when they are put into others.
///
/// `quote` copies a stream that it is given, token by token, for it only borrows it. These are moved.
pub(super) struct Made<F>(pub(super) F);

impl<F: Fn() -> TokenStream> ToTokens for Made<F> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend((self.0)());
    }
}
