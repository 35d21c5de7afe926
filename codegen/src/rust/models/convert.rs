//! `From` between the read and the write variant of a schema.

use crate::ir::{Api, Conversion, ConvertedParts, Step};
use crate::rust::closure::argument;
use crate::rust::names;
use crate::rust::tokens::model;
use proc_macro2::TokenStream;
use quote::quote;

/// The implementation of a conversion.
pub(super) fn implementation(api: &Api, conversion: &Conversion) -> TokenStream {
    let (from, to) = (model(api, conversion.from), model(api, conversion.to));
    let body = match &conversion.parts {
        ConvertedParts::Fields(fields) => {
            let fields = fields.iter().map(|(name, step)| {
                let name = names::snake(name);
                let value = converted(step, quote!(value.#name));
                quote!(#name: #value)
            });
            quote!(Self { #(#fields),* })
        }
        ConvertedParts::Variants(variants) => {
            let arms = variants.iter().map(|(name, step)| {
                let (name, value) = (names::pascal(name), converted(step, quote!(value)));
                quote!(#from::#name(value) => Self::#name(#value),)
            });
            quote!(match value { #(#arms)* })
        }
    };
    let value = argument("value", body.clone());
    quote! {
        impl std::convert::From<#from> for #to {
            fn from(#value: #from) -> Self { #body }
        }
    }
}

/// An expression for the conversion of a value.
fn converted(step: &Step, value: TokenStream) -> TokenStream {
    match step {
        Step::Same => value,
        Step::Converted { unboxed, boxed } => {
            let value = if *unboxed { quote!((*#value)) } else { value };
            match boxed {
                true => quote!(Box::new(#value.into())),
                false => quote!(#value.into()),
            }
        }
        Step::Optional(step) => {
            let step = function(step);
            quote!(#value.map(#step))
        }
        Step::Items(step) => {
            let step = function(step);
            quote!(#value.into_iter().map(#step).collect())
        }
        Step::Members(step) => {
            let step = converted(step, quote!(value));
            quote!(#value.into_iter().map(|(name, value)| (name, #step)).collect())
        }
        Step::Present(step) => {
            let value = converted(step, value);
            quote!(Some(#value))
        }
        Step::Absent => quote!(None),
        Step::Empty => quote!(std::collections::BTreeMap::new()),
    }
}

/// The conversion of a value, as a function.
fn function(step: &Step) -> TokenStream {
    let plain = Step::Converted {
        unboxed: false,
        boxed: false,
    };
    if *step == plain {
        return quote!(std::convert::Into::into);
    }
    let value = converted(step, quote!(value));
    quote!(|value| #value)
}
