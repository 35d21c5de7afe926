//! `formats.rs`: a type for each format of the contract that has one.

use super::closure::closure_over;
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
    let read = match &row.read {
        Some(read) => tokens(read),
        None => quote!(text.parse()),
    };
    let read = closure_over("text", read);
    let write = match &row.write {
        Some(write) => {
            let write = tokens(write);
            quote!(let value = &self.0; write!(f, "{}", #write))
        }
        None => quote!(std::fmt::Display::fmt(&self.0, f)),
    };
    quote! {
        #text
        #[derive(Debug, Clone, PartialEq #(, #derives)*)]
        pub struct #name(pub #ty);

        impl From<#ty> for #name {
            fn from(value: #ty) -> Self {
                Self(value)
            }
        }

        impl std::ops::Deref for #name {
            type Target = #ty;

            fn deref(&self) -> &#ty {
                &self.0
            }
        }

        impl std::str::FromStr for #name {
            type Err = rt::formatted::Mismatch;

            fn from_str(text: &str) -> Result<Self, rt::formatted::Mismatch> {
                rt::formatted::read(#wire, text, #read).map(Self)
            }
        }

        impl std::fmt::Display for #name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                #write
            }
        }

        impl rt::serde::Serialize for #name {
            fn serialize<S: rt::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> rt::serde::Deserialize<'de> for #name {
            fn deserialize<D: rt::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                rt::formatted::deserialize(deserializer)
            }
        }
    }
}

/// Rust of the table, which has been read as such.
fn tokens(text: &str) -> TokenStream {
    text.parse().unwrap_or_default()
}
