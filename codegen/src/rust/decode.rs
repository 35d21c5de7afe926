//! How a struct and an enum are read: little of their own, the rest is the runtime's.
//!
//! `serde` derives many times as much, which the compiler then checks for every type.

use super::made::Made;
use super::tokens::ident;
use crate::ir::{Api, EnumVariant, Extra, Field, ModelShape, Type, TypeKind};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote};

/// `Deserialize` for a struct, through the runtime's `object`.
pub(super) fn structure(api: &Api, name: &Ident, fields: &[Field], extra: &Extra) -> TokenStream {
    let wires = fields.iter().map(|field| &field.wire);
    let closed = matches!(extra, Extra::Refused).then(|| {
        quote!(
            const CLOSED: bool = true;
        )
    });
    let body = Made(|| match fields.iter().any(|field| field.required) {
        true => gathered(api, fields, extra),
        false => filled(api, fields, extra),
    });
    quote! {
        impl<'de> Deserialize<'de> for #name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                object::read(deserializer)
            }
        }

        impl<'de> object::Object<'de> for #name {
            const MEMBERS: &'static [&'static str] = &[#(#wires),*];
            #closed
            fn read<A: serde::de::MapAccess<'de>>(mut members: object::Members<A>) -> Result<Self, A::Error> {
                #body
            }
        }
    }
}

/// Reads into places from which the struct is made once all required members are there.
fn gathered(api: &Api, fields: &[Field], extra: &Extra) -> TokenStream {
    let places: Vec<Ident> = fields.iter().map(place).collect();
    let values = fields.iter().zip(&places).enumerate();
    let values = values.map(|(index, (field, place))| {
        Made(move || {
            let (rust, index) = (ident(&field.rust), Literal::usize_unsuffixed(index));
            if field.required {
                quote!(#rust: members.required(#index, #place)?,)
            } else {
                quote!(#rust: #place,)
            }
        })
    });
    let (keep, kept) = match extra {
        Extra::Kept { rust, .. } => {
            let rust = ident(rust);
            (
                Some(quote!(let mut kept = std::collections::BTreeMap::new();)),
                Some(quote!(#rust: kept,)),
            )
        }
        _ => (None, None),
    };
    let map = kept.is_some().then(|| quote!(kept));
    let read = Made(|| reading(api, fields, &places, map.as_ref()));
    quote! {
        #(let mut #places = None;)*
        #keep
        #read
        Ok(Self { #(#values)* #kept })
    }
}

/// Reads into the struct itself, which may lack any of its members.
fn filled(api: &Api, fields: &[Field], extra: &Extra) -> TokenStream {
    let names: Vec<Ident> = fields.iter().map(|field| ident(&field.rust)).collect();
    let (keep, kept) = match extra {
        Extra::Kept { rust, .. } => {
            let rust = ident(rust);
            (
                Some(quote!(#rust: std::collections::BTreeMap::new(),)),
                Some(quote!(it.#rust)),
            )
        }
        _ => (None, None),
    };
    if names.is_empty() && kept.is_none() {
        let read = reading::<Ident>(api, &[], &[], None);
        return quote!(#read Ok(Self {}));
    }
    let places = names.iter().map(|name| Made(move || quote!(it.#name)));
    let places: Vec<_> = places.collect();
    let read = Made(|| reading(api, fields, &places, kept.as_ref()));
    quote! {
        let mut it = Self { #(#names: None,)* #keep };
        #read
        Ok(it)
    }
}

/// Reads all members, each into its place and others into what is kept of them, if anything.
fn reading<P: ToTokens>(
    api: &Api,
    fields: &[Field],
    places: &[P],
    kept: Option<&TokenStream>,
) -> TokenStream {
    let other = match kept {
        Some(kept) => quote!(members.keep(&mut #kept)),
        None => quote!(members.skip()),
    };
    let arms = fields.iter().zip(places).enumerate();
    let arms = arms.map(|(index, (field, place))| {
        Made(move || {
            let (index, put) = (Literal::usize_unsuffixed(index), put(api, field));
            quote!(#index => members.#put(&mut #place),)
        })
    });
    match places {
        [] => quote!(while members.member()?.is_some() { #other?; }),
        _ => quote! {
            while let Some(member) = members.member()? {
                let read = match member {
                    #(#arms)*
                    _ => #other,
                };
                read?;
            }
        },
    }
}

/// How the value of a field is read.
fn put(api: &Api, field: &Field) -> Ident {
    ident(match innermost(api, &field.ty) {
        _ if field.boxed => "put",
        TypeKind::Json => "put_any",
        // One of any values is a `serde_json::Map`, whose names the reader counts.
        TypeKind::Map(value) if !matches!(value.kind, TypeKind::Json) => "put_map",
        _ => "put",
    })
}

/// What a type is that may only have another name.
fn innermost<'a>(api: &'a Api, ty: &'a Type) -> &'a TypeKind {
    match &ty.kind {
        TypeKind::Model(id) => match api.models.get(id.0).map(|model| &model.shape) {
            Some(ModelShape::Alias(inner)) => innermost(api, inner),
            _ => &ty.kind,
        },
        kind => kind,
    }
}

/// Where the value of a field is until all are there.
fn place(field: &Field) -> Ident {
    ident(&format!("its_{}", field.rust.trim_start_matches("r#")))
}

/// `Deserialize` for an enum of strings.
pub(super) fn enumeration(name: &Ident, variants: &[EnumVariant]) -> TokenStream {
    let names = variants.iter().map(|variant| ident(&variant.rust));
    let wires = variants.iter().map(|variant| &variant.wire);
    quote! {
        impl<'de> Deserialize<'de> for #name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                constant::one_of(deserializer, &[#((#wires, Self::#names)),*])
            }
        }
    }
}
