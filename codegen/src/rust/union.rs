//! A union: an enum whose variants carry types, and how the variant of a value is found.

use super::check::{Access, Checked};
use super::encode::{self, AddedTag, Lack};
use super::made::Made;
use super::prose::doc;
use super::tokens::{Seen, ident, ty};
use crate::ir::{
    Ambiguity, Api, Discrimination, Extra, ModelId, ModelShape, Type, TypeKind, Union,
    UnionVariant, VariantFilter,
};
use crate::schema::JsonType;
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use serde_json::Value;

/// The enum, and how it is read.
pub(super) fn definition(
    api: &Api,
    checked: &Checked,
    id: ModelId,
    text: &TokenStream,
    union: &Union,
) -> Vec<TokenStream> {
    let name = ident(api.models.get(id.0).map_or("Unknown", |model| &model.name));
    let variants = union.variants.iter().map(|variant| {
        Made(|| {
            let (rust, inner) = (ident(&variant.rust), ty(api, &variant.ty, Seen::Inside));
            let inner = if variant.boxed {
                quote!(Box<#inner>)
            } else {
                inner
            };
            let text = doc(&format!("`{}`.", variant.rust));
            quote!(#text #rust(#inner),)
        })
    });
    let each = union.variants.iter().enumerate().map(|(index, variant)| {
        Made(move || {
            let (index, rust) = (Literal::usize_unsuffixed(index), ident(&variant.rust));
            quote!(#index => Deserialize::deserialize(value).map(Self::#rust),)
        })
    });
    let encode = encode::union(&name, &union.variants, |variant| {
        added_tag(api, &union.discrimination, variant)
    });
    let read = Made(|| reading(api, checked, id, union));
    let definition = quote! {
        #text
        #[derive(Debug, Clone, PartialEq)]
        pub enum #name { #(#variants)* }
    };
    let decode = quote! {
        impl<'de> Deserialize<'de> for #name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                #read
            }
        }

        impl<'de> union::Union<'de> for #name {
            fn read<D: serde::Deserializer<'de>>(variant: usize, value: D) -> Result<Self, D::Error> {
                match variant {
                    #(#each)*
                    _ => Err(union::no_variant()),
                }
            }
        }
    };
    vec![definition, encode, decode]
}

/// Whether a value of the union is valid.
pub(super) fn check(api: &Api, checked: &Checked, union: &Union) -> TokenStream {
    let arms = union.variants.iter().map(|variant| {
        let rust = ident(&variant.rust);
        match checked.expression(api, &variant.ty, Access::Closure) {
            Some(inner) => quote!(Self::#rust(value) => #inner,),
            None => quote!(Self::#rust(_) => true,),
        }
    });
    quote!(match self { #(#arms)* })
}

fn reading(api: &Api, checked: &Checked, id: ModelId, union: &Union) -> TokenStream {
    match &union.discrimination {
        Discrimination::Tag(tag) => {
            let arms = indexed(&union.variants, |variant| {
                let tags = &variant.tags;
                quote!(#(#tags)|*)
            });
            quote!(union::tagged(deserializer, &[#tag], |tag| match tag { #arms }))
        }
        Discrimination::Type => {
            let arms = indexed(&union.variants, |variant| {
                let forms = forms(&variant.types);
                quote!(#(#forms)|*)
            });
            quote!(union::formed(deserializer, |form| match form { #arms }))
        }
        Discrimination::Each {
            exactly_one,
            filters,
            ambiguity,
        } => {
            let outlines = union.variants.iter().zip(filters);
            // Where only one variant may take a value, it is no matter what each would keep.
            let chosen = !exactly_one && *ambiguity == Ambiguity::Reading;
            let outlines = outlines.map(|(variant, outline)| {
                let kept = kept(api, &variant.ty).filter(|_| chosen);
                printed(&variant.types, outline, kept.as_deref())
            });
            let read = match ambiguity {
                Ambiguity::Reading => {
                    let valid = match checked.has(id) {
                        true => quote!(Self::is_valid),
                        false => quote!(|_| true),
                    };
                    quote!(union::tried(deserializer, OUTLINES, #exactly_one, #valid))
                }
                Ambiguity::Conditions(ids) => {
                    let conditions = ids.iter().filter_map(|id| api.conditions.get(id.0));
                    let names = conditions.map(|condition| ident(&condition.rust));
                    let chosen =
                        quote!(union::choose(value, &[#(conditions::#names),*], #exactly_one));
                    quote!(union::outlined(deserializer, OUTLINES, |value| #chosen))
                }
                Ambiguity::Schemas => {
                    let keys = union.variants.iter().map(|variant| &variant.schema);
                    let chosen = quote! {
                        union::decide(&crate::SCHEMAS, value, &[#(#keys),*], #exactly_one)
                    };
                    quote!(union::outlined(deserializer, OUTLINES, |value| #chosen))
                }
            };
            quote! {
                const OUTLINES: &[union::Outline] = &[#(#outlines),*];
                #read
            }
        }
    }
}

/// The arms from what tells variants apart to their indices.
fn indexed(
    variants: &[UnionVariant],
    pattern: impl Fn(&UnionVariant) -> TokenStream,
) -> TokenStream {
    let arms = variants.iter().enumerate().map(|(index, variant)| {
        let (index, pattern) = (Literal::usize_unsuffixed(index), pattern(variant));
        quote!(#pattern => Some(#index),)
    });
    let every = JsonType::ALL.into_iter().all(|ty| {
        let mut types = variants.iter().flat_map(|variant| &variant.types);
        types.any(|known| known.meets(ty))
    });
    let tagged = variants.iter().any(|variant| !variant.tags.is_empty());
    let none = (tagged || !every).then(|| quote!(_ => None,));
    quote!(#(#arms)* #none)
}

/// The forms of values of these types; numbers are told apart by the type that reads them.
fn forms(types: &[JsonType]) -> Vec<TokenStream> {
    let all = JsonType::ALL
        .into_iter()
        .filter(|ty| *ty != JsonType::Integer);
    let forms = all.filter(|ty| types.iter().any(|own| own.meets(*ty)));
    let forms = forms.map(|ty| match ty {
        JsonType::Null => quote!(union::Form::Null),
        JsonType::Boolean => quote!(union::Form::Boolean),
        JsonType::Integer | JsonType::Number => quote!(union::Form::Number),
        JsonType::String => quote!(union::Form::String),
        JsonType::Array => quote!(union::Form::Array),
        JsonType::Object => quote!(union::Form::Object),
    });
    forms.collect()
}

/// The member that names a variant and the first of its names, where the variant may be written
/// without it.
fn added_tag<'a>(
    api: &'a Api,
    decision: &'a Discrimination,
    variant: &'a UnionVariant,
) -> Option<AddedTag<'a>> {
    let Discrimination::Tag(member) = decision else {
        return None;
    };
    let tag = variant.tags.first()?;
    let lack = lack(api, &variant.ty, member, &mut Vec::new())?;
    Some(AddedTag { member, tag, lack })
}

/// How a value of a type may come to be an object without a member; `None` where it may not, or
/// where it would not be valid with it.
fn lack<'a>(api: &'a Api, ty: &Type, member: &str, within: &mut Vec<ModelId>) -> Option<Lack<'a>> {
    let id = match &ty.kind {
        TypeKind::Json | TypeKind::Map(_) => return Some(Lack::Perhaps),
        TypeKind::Nullable(inner) => {
            return lack(api, inner, member, within).map(|_| Lack::Perhaps);
        }
        TypeKind::Model(id) if !within.contains(id) => *id,
        _ => return None,
    };
    within.push(id);
    match &api.models.get(id.0)?.shape {
        ModelShape::Struct { fields, extra } => {
            match (fields.iter().find(|field| field.wire == member), extra) {
                (Some(field), _) => (!field.required).then_some(Lack::Absent(field)),
                (None, Extra::Refused) => None,
                (None, Extra::Ignored | Extra::Kept { .. }) => Some(Lack::Perhaps),
            }
        }
        ModelShape::Alias(inner) => lack(api, inner, member, within),
        ModelShape::Newtype(inner) => lack(api, inner, member, within).map(|_| Lack::Perhaps),
        // It writes the member itself.
        ModelShape::Union(union)
            if union.discrimination == Discrimination::Tag(member.to_owned()) =>
        {
            None
        }
        ModelShape::Union(union) => {
            let mut variants = union.variants.iter();
            let lacks = variants.any(|inner| lack(api, &inner.ty, member, within).is_some());
            lacks.then_some(Lack::Perhaps)
        }
        ModelShape::Enum(_) | ModelShape::Constant(_) => None,
    }
}

/// The members that a type keeps of an object; nothing where it keeps all.
fn kept<'a>(api: &'a Api, ty: &Type) -> Option<Vec<&'a str>> {
    let TypeKind::Model(id) = &ty.kind else {
        return None;
    };
    match &api.models.get(id.0)?.shape {
        ModelShape::Struct {
            extra: Extra::Kept { .. },
            ..
        } => None,
        ModelShape::Struct { fields, .. } => Some(fields.iter().map(|f| f.wire.as_str()).collect()),
        ModelShape::Alias(inner) => kept(api, inner),
        _ => None,
    }
}

fn printed(types: &[JsonType], outline: &VariantFilter, kept: Option<&[&str]>) -> TokenStream {
    let mut said = Vec::new();
    if let Some(names) = kept {
        said.push(quote!(kept: Some(&[#(#names),*])));
    }
    if types != [JsonType::Object] {
        let forms = forms(types);
        said.push(quote!(forms: &[#(#forms),*]));
    }
    if !outline.required.is_empty() {
        let names = &outline.required;
        said.push(quote!(required: &[#(#names),*]));
    }
    if let Some(names) = &outline.closed {
        said.push(quote!(closed: Some(&[#(#names),*])));
    }
    if !outline.members.is_empty() {
        let members = outline.members.iter().map(|(name, types)| {
            let forms = self::forms(types);
            quote!((#name, &[#(#forms),*]))
        });
        said.push(quote!(members: &[#(#members),*]));
    }
    if !outline.constants.is_empty() {
        let constants = outline.constants.iter().map(|(name, values)| {
            let values = values.iter().filter_map(constant);
            quote!((#name, &[#(#values),*]))
        });
        said.push(quote!(constants: &[#(#constants),*]));
    }
    if said.is_empty() {
        return quote!(union::Outline::OBJECT);
    }
    quote!(union::Outline { #(#said,)* ..union::Outline::OBJECT })
}

fn constant(value: &Value) -> Option<TokenStream> {
    match value {
        Value::Bool(flag) => Some(quote!(union::Constant::Boolean(#flag))),
        Value::String(text) => Some(quote!(union::Constant::Text(#text))),
        Value::Number(number) => {
            let number = Literal::i64_unsuffixed(number.as_i64()?);
            Some(quote!(union::Constant::Integer(#number)))
        }
        _ => None,
    }
}
