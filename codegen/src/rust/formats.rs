//! `formats.rs`: a type for each format of the contract that has one.

use super::doc_comment::doc;
use super::tokens::ident;
use crate::ir::{Api, Format, FormatId};
use crate::rust::names;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The types, and the table by which the checker knows them.
pub(super) fn file(api: &Api) -> (&'static str, Vec<TokenStream>) {
    let names = api.formats.iter().map(|format| &format.wire);
    let types = api.formats.iter().map(names::format);
    let mut items = vec![quote! {
        /// Whether a text is of a format: the checker asks the same types that hold the values.
        pub(crate) static ALL: &[rt::TypedFormat] = &[#((#names, rt::formatted::is::<#types>)),*];
    }];
    items.extend(api.formats.iter().map(definition));
    ("The types of the contract's formats.", items)
}

/// The name of a format's type.
pub(super) fn name(api: &Api, id: FormatId) -> Ident {
    let format = api.formats.get(id.0);
    format.map_or_else(|| ident("Unknown"), names::format)
}

fn definition(format: &Format) -> TokenStream {
    let (name, wire, row) = (names::format(format), &format.wire, &format.typed);
    let ty = tokens(&row.ty);
    let text = doc(&format!(
        "A string of the format `{wire}`, as a `{}`.",
        row.ty
    ));
    let derives = row.derives.iter().map(|name| ident(name));
    let read = row.read.as_deref().map(tokens);
    let read = read.map(|read| quote!(, read text => #read));
    let write = row.write.as_deref().map(tokens);
    let write = write.map(|write| quote!(, write value => #write));
    quote! {
        #text
        #[derive(Debug, Clone, PartialEq #(, #derives)*)]
        pub struct #name(pub #ty);

        rt::formatted!(#name(#ty) = #wire #read #write);
    }
}

/// Rust of the table, which has been read as such.
pub(super) fn tokens(text: &str) -> TokenStream {
    text.parse().unwrap_or_default()
}
