//! How types are written: a short statement for each member, the rest is the runtime's.
//!
//! `serde` derives several times as much, which the compiler then checks for every type.

use super::made::Made;
use super::tokens::ident;
use crate::ir::{Extra, Field, UnionVariant};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

/// `Serialize` for a struct, through the runtime's `fields`.
pub(super) fn structure(name: &Ident, fields: &[Field], extra: &Extra) -> TokenStream {
    written(name, Made(|| body(fields, extra)))
}

fn body(fields: &[Field], extra: &Extra) -> TokenStream {
    let others = match extra {
        Extra::Kept { rust, .. } => {
            let rust = ident(rust);
            Some(quote!(fields.others(&self.#rust);))
        }
        _ => None,
    };
    if fields.is_empty() && others.is_none() {
        return quote!(fields::Writer::new(serializer).end());
    }
    let members = fields.iter().map(|field| Made(|| member(field)));
    quote! {
        let mut fields = fields::Writer::new(serializer);
        #(#members)*
        #others
        fields.end()
    }
}

fn member(field: &Field) -> TokenStream {
    let (rust, wire) = (ident(&field.rust), &field.wire);
    if field.required {
        quote!(fields.member(#wire, &self.#rust);)
    } else {
        quote!(fields.optional(#wire, &self.#rust);)
    }
}

/// A member that names a variant, which is written where the variant's value lacks it.
pub(super) struct AddedTag<'a> {
    pub(super) member: &'a str,
    pub(super) tag: &'a str,
    pub(super) lack: Lack<'a>,
}

/// How a value comes to lack a member.
pub(super) enum Lack<'a> {
    /// By this field, where it is absent.
    Absent(&'a Field),
    /// By its type, or by what it is: it is looked at.
    Perhaps,
}

/// `Serialize` for a union: what is written is the value of the variant, with the tag where the value
/// lacks it.
pub(super) fn union<'a>(
    name: &Ident,
    variants: &'a [UnionVariant],
    added: impl Fn(&'a UnionVariant) -> Option<AddedTag<'a>>,
) -> TokenStream {
    let arms = variants.iter().map(|variant| {
        let rust = ident(&variant.rust);
        let plain = quote!(Self::#rust(value) => Serialize::serialize(value, serializer),);
        let Some(AddedTag { member, tag, lack }) = added(variant) else {
            return plain;
        };
        let tagged = quote!(union::write_tagged(serializer, #member, #tag, value));
        match lack {
            Lack::Perhaps => quote!(Self::#rust(value) => #tagged,),
            Lack::Absent(field) => {
                let field = ident(&field.rust);
                quote!(Self::#rust(value) if value.#field.is_none() => #tagged, #plain)
            }
        }
    });
    written(name, quote!(match self { #(#arms)* }))
}

/// `Serialize`, of which this is the body.
pub(super) fn written(name: &Ident, body: impl ToTokens) -> TokenStream {
    quote! {
        impl Serialize for #name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                #body
            }
        }
    }
}
