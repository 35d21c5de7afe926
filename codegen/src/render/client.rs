//! `client.rs`: the typed client.

use crate::ir::Api;
use proc_macro2::TokenStream;

/// One method per operation.
pub(super) fn file(_api: &Api) -> (&'static str, Vec<TokenStream>) {
    ("The typed client of the contract.", Vec::new())
}
