//! `models.rs` and `patterns.rs`: the types of the document.

use super::check::{Access, Checked, joined};
use super::closure::closure;
use super::decode;
use super::encode;
use super::made::Made;
use super::prose::doc;
use super::tokens::{Seen, field_ty, ident, is_constant, ty};
use super::union;
use crate::ir::{
    Api, Content, EnumVariant, Extra, Field, Model, ModelId, ModelShape, Type, TypeKind,
};
use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Value;
use std::collections::BTreeSet;

/// The regular expressions, each compiled once at its first use.
pub(super) fn patterns(api: &Api) -> (&'static str, Vec<TokenStream>) {
    let mut items = Vec::new();
    for pattern in &api.patterns {
        let (name, source) = (ident(&pattern.constant), &pattern.source);
        let doc = doc(&format!("`{source}`"));
        items.push(quote!(#doc pub static #name: Pattern = Pattern::new(#source);));
    }
    ("The regular expressions of the contract (ECMA-262).", items)
}

/// Every model, in the order of the document.
pub(super) fn file(
    api: &Api,
    checked: &Checked,
) -> (&'static str, impl Iterator<Item = TokenStream>) {
    let answers = answers(api);
    // One at a time: what makes up all of them at once is many times their text.
    let items = api
        .models
        .iter()
        .enumerate()
        .flat_map(move |(index, model)| {
            let id = ModelId(index);
            let printer = Printer {
                api,
                checked,
                model,
                id,
                answers: answers.contains(&id),
            };
            let mut items = printer.definition();
            items.push(printer.check());
            items
        });
    ("The types of the contract's schemas.", items)
}

struct Printer<'a> {
    api: &'a Api,
    checked: &'a Checked,
    model: &'a Model,
    id: ModelId,
    /// Whether the model is the whole body of an answer.
    answers: bool,
}

/// The models that are the whole body of an answer.
fn answers(api: &Api) -> BTreeSet<ModelId> {
    let responses = api
        .all_operations()
        .flat_map(|operation| &operation.responses);
    let media = responses.flat_map(|response| &response.media);
    let bodies = media.filter_map(|media| match &media.content {
        Content::Json(ty, _) => Some(&ty.kind),
        _ => None,
    });
    let models = bodies.filter_map(|kind| match kind {
        TypeKind::Model(id) => Some(*id),
        _ => None,
    });
    models.collect()
}

impl Printer<'_> {
    /// The type, and how it is written and read.
    fn definition(&self) -> Vec<TokenStream> {
        match &self.model.shape {
            ModelShape::Struct { fields, extra } => self.structure(fields, extra),
            ModelShape::Enum(variants) => self.enumeration(variants),
            ModelShape::Constant(value) => self.constant(value),
            ModelShape::Union(choice) => {
                union::definition(self.api, self.checked, self.id, &self.doc(), choice)
            }
            ModelShape::Alias(inner) => {
                let (name, doc) = (ident(&self.model.name), self.doc());
                let inner = ty(self.api, inner, Seen::Inside);
                vec![quote!(#doc pub type #name = #inner;)]
            }
            ModelShape::Newtype(inner) => self.newtype(inner),
        }
    }

    fn newtype(&self, inner: &Type) -> Vec<TokenStream> {
        let (name, doc) = (ident(&self.model.name), self.doc());
        let inner = ty(self.api, inner, Seen::Inside);
        let definition = quote! {
            #doc
            #[derive(Debug, Clone, PartialEq)]
            pub struct #name(pub #inner);
        };
        let encode = encode::written(&name, quote!(self.0.serialize(serializer)));
        let decode = quote! {
            impl<'de> Deserialize<'de> for #name {
                fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    Deserialize::deserialize(deserializer).map(Self)
                }
            }
        };
        vec![definition, encode, decode]
    }

    fn doc(&self) -> TokenStream {
        if self.model.doc.trim().is_empty() {
            return doc(&format!("`{}`.", self.model.name));
        }
        doc(&self.model.doc)
    }

    fn structure(&self, fields: &[Field], extra: &Extra) -> Vec<TokenStream> {
        let name = ident(&self.model.name);
        vec![
            self.fields(fields, extra),
            encode::structure(&name, fields, extra),
            decode::structure(self.api, &name, fields, extra),
            self.constructor(fields, extra),
            self.join(fields, extra),
        ]
    }

    fn fields(&self, fields: &[Field], extra: &Extra) -> TokenStream {
        let (name, doc) = (ident(&self.model.name), Made(|| self.doc()));
        let fields = fields.iter().map(|field| Made(|| self.field(field)));
        let kept = match extra {
            Extra::Kept { rust, ty: inner } => {
                let (rust, inner) = (ident(rust), ty(self.api, inner, Seen::Inside));
                Some(quote! {
                    /// The members that have no field of their own.
                    pub #rust: std::collections::BTreeMap<String, #inner>,
                })
            }
            _ => None,
        };
        quote! {
            #doc
            #[derive(Debug, Clone, PartialEq)]
            pub struct #name { #(#fields)* #kept }
        }
    }

    /// `join`, for the body of an answer: it is made of members that may be encoded already.
    fn join(&self, fields: &[Field], extra: &Extra) -> TokenStream {
        let plain = fields
            .iter()
            .all(|field| field.required && !is_constant(self.api, &field.ty));
        if !self.answers || !plain || fields.len() > 7 || matches!(extra, Extra::Kept { .. }) {
            return TokenStream::new();
        }
        let name = ident(&self.model.name);
        let arguments = fields.iter().map(|field| {
            let (rust, ty) = (ident(&field.rust), field_ty(self.api, field, Seen::Inside));
            quote!(#rust: impl Into<Part<'a, #ty>>)
        });
        let members = fields.iter().map(|field| {
            let (rust, wire) = (ident(&field.rust), &field.wire);
            quote!(.member(#wire, #rust.into()))
        });
        let lifetime = (!fields.is_empty()).then(|| quote!(<'a>));
        quote! {
            impl #name {
                /// The encoded object of members that are values or are encoded already.
                pub fn join #lifetime(#(#arguments),*) -> Encoded<Self> {
                    ObjectWriter::new() #(#members)* .finish()
                }
            }
        }
    }

    /// `new`, for a struct of which some members can only have one value.
    fn constructor(&self, fields: &[Field], extra: &Extra) -> TokenStream {
        let constant = |field: &&Field| field.required && is_constant(self.api, &field.ty);
        let free: Vec<&Field> = fields
            .iter()
            .filter(|f| f.required && !constant(f))
            .collect();
        if !fields.iter().any(|field| constant(&field)) || free.len() > 6 {
            return TokenStream::new();
        }
        let name = ident(&self.model.name);
        let arguments = free.iter().map(|field| {
            let (rust, ty) = (ident(&field.rust), field_ty(self.api, field, Seen::Inside));
            quote!(#rust: #ty)
        });
        let values = fields.iter().map(|field| {
            let rust = ident(&field.rust);
            if constant(&field) {
                let ty = field_ty(self.api, field, Seen::Inside);
                quote!(#rust: #ty)
            } else if field.required {
                quote!(#rust)
            } else {
                quote!(#rust: None)
            }
        });
        let kept = match extra {
            Extra::Kept { rust, .. } => {
                let rust = ident(rust);
                Some(quote!(#rust: std::collections::BTreeMap::new()))
            }
            _ => None,
        };
        let default = free.is_empty().then(|| {
            quote! {
                impl Default for #name {
                    fn default() -> Self {
                        Self::new()
                    }
                }
            }
        });
        quote! {
            impl #name {
                /// A value whose constant members are set and whose optional members are absent.
                pub fn new(#(#arguments),*) -> Self {
                    Self { #(#values,)* #kept }
                }
            }

            #default
        }
    }

    fn field(&self, field: &Field) -> TokenStream {
        let (name, wire) = (ident(&field.rust), &field.wire);
        let text = if field.doc.trim().is_empty() {
            format!("`{wire}`.")
        } else {
            field.doc.clone()
        };
        let doc = Made(|| doc(&text));
        let ty = Made(|| field_ty(self.api, field, Seen::Inside));
        quote!(#doc pub #name: #ty,)
    }

    fn enumeration(&self, variants: &[EnumVariant]) -> Vec<TokenStream> {
        let (name, doc) = (ident(&self.model.name), self.doc());
        let each = variants.iter().map(|variant| {
            Made(|| {
                let (rust, wire) = (ident(&variant.rust), &variant.wire);
                let doc = Made(|| self::doc(&format!("`{wire}`")));
                quote!(#doc #rust,)
            })
        });
        let names = variants.iter().map(|variant| ident(&variant.rust));
        let wires = variants.iter().map(|variant| &variant.wire);
        let encode = encode::written(&name, quote!(serializer.serialize_str(self.as_str())));
        let decode = decode::enumeration(&name, variants);
        let definition = quote! {
            #doc
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
            pub enum #name { #(#each)* }

            impl #name {
                /// The string on the wire.
                pub fn as_str(self) -> &'static str {
                    match self { #(Self::#names => #wires,)* }
                }
            }
        };
        vec![definition, encode, decode]
    }

    fn constant(&self, value: &Value) -> Vec<TokenStream> {
        let (name, doc) = (ident(&self.model.name), self.doc());
        let (write, read) = match value {
            Value::Bool(flag) => (
                quote!(serialize_bool(#flag)),
                quote!(boolean(deserializer, #flag)),
            ),
            Value::String(text) => (
                quote!(serialize_str(#text)),
                quote!(text(deserializer, #text)),
            ),
            Value::Number(number) => match number.as_i64() {
                Some(n) => (quote!(serialize_i64(#n)), quote!(integer(deserializer, #n))),
                None => {
                    // The lowering keeps others as JSON.
                    let n = number.as_f64().unwrap_or_default();
                    (quote!(serialize_f64(#n)), quote!(number(deserializer, #n)))
                }
            },
            _ => (quote!(serialize_unit()), quote!(null(deserializer))),
        };
        let definition = quote! {
            #doc
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
            pub struct #name;
        };
        let encode = encode::written(&name, quote!(serializer.#write));
        let decode = quote! {
            impl<'de> Deserialize<'de> for #name {
                fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    constant::#read.map(|()| Self)
                }
            }
        };
        vec![definition, encode, decode]
    }

    /// The implementation of `Check`, for a type that has anything to check.
    fn check(&self) -> TokenStream {
        if !self.checked.has(self.id) {
            return TokenStream::new();
        }
        let name = ident(&self.model.name);
        let body = match &self.model.shape {
            ModelShape::Struct { fields, extra } => self.check_struct(fields, extra),
            ModelShape::Union(choice) => union::check(self.api, self.checked, choice),
            ModelShape::Newtype(inner) => {
                let inner = self.checked.expression(self.api, inner, Access::Closure);
                let inner = inner.unwrap_or_else(|| quote!(true));
                quote!(let value = &self.0; #inner)
            }
            ModelShape::Alias(_) | ModelShape::Enum(_) | ModelShape::Constant(_) => {
                return TokenStream::new();
            }
        };
        quote! {
            impl Check for #name {
                fn is_valid(&self) -> bool { #body }
            }
        }
    }

    fn check_struct(&self, fields: &[Field], extra: &Extra) -> TokenStream {
        let mut all: Vec<_> = fields
            .iter()
            .filter_map(|field| self.checked.field(self.api, field))
            .collect();
        if let Extra::Kept { rust, ty } = extra {
            let rust = ident(rust);
            let inner = self.checked.expression(self.api, ty, Access::Closure);
            all.extend(
                inner
                    .map(closure)
                    .map(|inner| quote!(self.#rust.values().all(#inner))),
            );
        }
        joined(all).unwrap_or_else(|| quote!(true))
    }
}
