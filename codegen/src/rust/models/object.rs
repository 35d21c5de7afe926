//! Structs of an object's members, and the functions that make them.

use super::Printer;
use crate::ir::{Extra, Field, Rules};
use crate::rust::check::{Access, between, joined, whole};
use crate::rust::closure::closure;
use crate::rust::constructor::{MAX_ARGUMENTS, Member, constructor};
use crate::rust::deprecation;
use crate::rust::doc_comment::doc;
use crate::rust::names;
use crate::rust::tokens::{ModelPath, constant_model, field_ty, ident, is_constant, ty};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

impl Printer<'_> {
    pub(super) fn structure(&self, fields: &[Field], extra: &Extra) -> TokenStream {
        let parts = [
            self.fields(fields, extra),
            self.constructor(fields, extra),
            self.join(fields, extra),
        ];
        parts.into_iter().collect()
    }

    fn fields(&self, fields: &[Field], extra: &Extra) -> TokenStream {
        let (name, doc) = (names::model(self.model), self.doc());
        let fields = fields.iter().map(|field| self.field(field));
        let kept = match extra {
            Extra::Kept {
                name: rust,
                ty: inner,
            } => {
                let (rust, inner) = (names::snake(rust), ty(self.api, inner, ModelPath::Bare));
                Some(quote! {
                    /// The members that have no field of their own.
                    pub #rust: std::collections::BTreeMap<String, #inner>,
                })
            }
            _ => None,
        };
        let derive = self.derive(&["Debug", "Clone", "PartialEq"]);
        quote! {
            #doc
            #derive
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
        let name = names::model(self.model);
        let arguments = fields.iter().map(|field| {
            let (rust, ty) = (
                names::snake(&field.name),
                field_ty(self.api, field, ModelPath::Bare),
            );
            quote!(#rust: impl Into<rt::Part<'a, #ty>>)
        });
        let members = fields.iter().map(|field| {
            let (rust, wire) = (names::snake(&field.name), &field.wire);
            quote!(.member(#wire, #rust.into()))
        });
        let lifetime = (!fields.is_empty()).then(|| quote!(<'a>));
        quote! {
            impl #name {
                /// The encoded object of members that are values or are encoded already.
                pub fn join #lifetime(#(#arguments),*) -> runtime::Encoded<Self> {
                    rt::ObjectWriter::new() #(#members)* .finish()
                }
            }
        }
    }

    /// `new`, for a struct of which some members can only have one value, or that requests have.
    fn constructor(&self, fields: &[Field], extra: &Extra) -> TokenStream {
        let mut members: Vec<Member> = fields.iter().map(|field| self.member(field)).collect();
        let arguments = members.iter().filter(|it| it.value.is_none()).count();
        let constant = |field: &Field| field.required && is_constant(self.api, &field.ty);
        if !self.is_sent && (!fields.iter().any(constant) || arguments > MAX_ARGUMENTS) {
            return TokenStream::new();
        }
        if let Extra::Kept { name, ty: inner } = extra {
            let inner = ty(self.api, inner, ModelPath::Bare);
            members.push(Member::map(names::snake(name), &inner));
        }
        let doc = " A value whose constant members are set and whose optional members are absent.";
        constructor(&names::model(self.model), doc, &members)
    }

    fn member(&self, field: &Field) -> Member {
        let constant = constant_model(self.api, &field.ty).filter(|_| field.required);
        let value = constant.map(|(model, _)| {
            let value = names::model(model);
            quote!(#value)
        });
        Member {
            name: names::snake(&field.name),
            ty: field_ty(self.api, field, ModelPath::Bare),
            value: value.or_else(|| (!field.required).then(|| quote!(None))),
        }
    }

    fn field(&self, field: &Field) -> TokenStream {
        let (name, wire) = (names::snake(&field.name), &field.wire);
        let text = if field.doc.trim().is_empty() {
            format!("`{wire}`.")
        } else {
            field.doc.clone()
        };
        let doc = doc(&text);
        let ty = field_ty(self.api, field, ModelPath::Bare);
        let deprecated = deprecation::of_field(self.api, field);
        quote!(#doc #deprecated pub #name: #ty,)
    }

    pub(super) fn check_struct(
        &self,
        fields: &[Field],
        extra: &Extra,
        rules: &Rules,
    ) -> TokenStream {
        let mut all: Vec<_> = fields
            .iter()
            .filter_map(|field| self.checked.field(self.api, field))
            .collect();
        if let Extra::Kept { name: rust, ty } = extra {
            let rust = names::snake(rust);
            let inner = self.checked.expression(self.api, ty, Access::Closure);
            all.extend(
                inner
                    .map(closure)
                    .map(|inner| quote!(self.#rust.values().all(#inner))),
            );
        }
        if rules.min_properties.is_some() || rules.max_properties.is_some() {
            let members = number_of_members(fields, extra);
            all.extend(between(
                &members,
                rules.min_properties,
                rules.max_properties,
            ));
        }
        all.extend(whole(self.api, rules, (&quote!(self), false)));
        joined(all).unwrap_or_else(|| quote!(true))
    }
}

/// How many members a value has.
fn number_of_members(fields: &[Field], extra: &Extra) -> TokenStream {
    let required = fields.iter().filter(|field| field.required).count();
    let required = Literal::usize_unsuffixed(required);
    let optional = fields.iter().filter(|field| !field.required).map(|field| {
        let name = names::snake(&field.name);
        quote!(self.#name.is_some())
    });
    let others = match extra {
        Extra::Kept { name: rust, .. } => {
            let rust = names::snake(rust);
            quote!(self.#rust.len())
        }
        _ => quote!(0),
    };
    quote!(rt::check::members(#required, &[#(#optional),*], #others))
}

/// How the struct is read and written: the names of its members, and the treatment of others.
pub(super) fn members(name: &Ident, fields: &[Field], extra: &Extra) -> TokenStream {
    let rows = fields.iter().map(|field| {
        let (rust, wire) = (names::snake(&field.name), &field.wire);
        let need = ident(match field.required {
            true => "required",
            false => "optional",
        });
        quote!(#need #rust = #wire,)
    });
    let others = match extra {
        Extra::Refused => None,
        Extra::Ignored => Some(quote!(..)),
        Extra::Kept { name: rust, .. } => {
            let rust = names::snake(rust);
            Some(quote!(..#rust))
        }
    };
    quote!(rt::object!(#name { #(#rows)* #others });)
}
