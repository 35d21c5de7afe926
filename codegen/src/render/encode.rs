//! How types are written: a short statement for each member, the rest is the runtime's.
//!
//! `serde` derives several times as much, which the compiler then checks for every type.

use super::rust::ident;
use crate::ir::{Extra, Field, UnionVariant};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// `Serialize` for a struct, through the runtime's `fields`.
pub(super) fn structure(name: &Ident, fields: &[Field], extra: &Extra) -> TokenStream {
    let mut all: Vec<TokenStream> = fields.iter().map(member).collect();
    if let Extra::Kept { rust, .. } = extra {
        let rust = ident(rust);
        all.push(quote!(fields.others(&self.#rust);));
    }
    let body = match all.as_slice() {
        [] => quote!(fields::Writer::new(serializer).end()),
        _ => quote! {
            let mut fields = fields::Writer::new(serializer);
            #(#all)*
            fields.end()
        },
    };
    written(name, &body)
}

fn member(field: &Field) -> TokenStream {
    let (rust, wire) = (ident(&field.rust), &field.wire);
    if field.required {
        quote!(fields.member(#wire, &self.#rust);)
    } else {
        quote!(fields.optional(#wire, &self.#rust);)
    }
}

/// `Serialize` for a union: what is written is the value of the variant, with the tag where there is
/// one that its type does not hold.
pub(super) fn union(
    name: &Ident,
    variants: &[UnionVariant],
    added: impl Fn(&UnionVariant) -> Option<(String, String)>,
) -> TokenStream {
    let arms = variants.iter().map(|variant| {
        let rust = ident(&variant.rust);
        match added(variant) {
            None => quote!(Self::#rust(value) => Serialize::serialize(value, serializer),),
            Some((member, tag)) => {
                quote!(Self::#rust(value) => union::write_tagged(serializer, #member, #tag, value),)
            }
        }
    });
    written(name, &quote!(match self { #(#arms)* }))
}

/// `Serialize`, of which this is the body.
pub(super) fn written(name: &Ident, body: &TokenStream) -> TokenStream {
    quote! {
        impl Serialize for #name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                #body
            }
        }
    }
}
