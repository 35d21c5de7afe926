//! The headers of parts: a struct per field, which is read and written as the parameters of a request
//! are.

use super::super::super::check::Checked;
use super::super::super::client;
use super::super::super::doc_comment::doc;
use super::super::super::tokens::ident;
use super::super::call::{read_param, spec};
use super::super::struct_of;
use crate::ir::{Api, FieldContent, Form, FormField, PartHeaders};
use crate::rust::names;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// The structs of a form's fields.
pub(super) fn definitions(
    api: &Api,
    checked: &Checked,
    form: &Form,
) -> impl Iterator<Item = TokenStream> {
    let fields = form.fields.iter();
    let headed = fields.filter_map(|field| Some((field, field.headers.as_ref()?)));
    headed.map(|(field, headers)| {
        let text = format!("The headers of each part of `{}`.", field.wire);
        definition(api, checked, &text, headers)
    })
}

/// The struct of the headers of a part.
pub(in crate::rust::api) fn definition(
    api: &Api,
    checked: &Checked,
    text: &str,
    headers: &PartHeaders,
) -> TokenStream {
    let (name, text) = (names::pascal(&headers.name), doc(text));
    let kind = struct_of(api, (&name, text), &headers.params);
    let params = &headers.params;
    let count = Literal::usize_unsuffixed(params.len());
    let declared = params.iter().map(spec);
    let variables = names::variables(params.iter());
    let specs: Vec<_> = variables.iter().map(|variable| &variable.spec).collect();
    let each = params.iter().zip(&variables);
    let reads = each
        .clone()
        .map(|(param, variables)| read_param(api, checked, param, variables));
    let values = each.clone().map(|(param, variables)| {
        let (field, value) = (names::param(param), &variables.value);
        quote!(#field: #value?)
    });
    let sets = each.map(|(param, variables)| {
        let field = names::param(param);
        client::set_param(param, &variables.spec, &quote!(self.#field))
    });
    quote! {
        #kind

        impl #name {
            const PARAMS: [rt::Param; #count] = [#(#declared),*];
        }

        impl rt::PartHeaders for #name {
            const DECLARED: &'static [rt::Param] = &Self::PARAMS;

            fn schemas() -> &'static rt::Schemas {
                &crate::SCHEMAS
            }

            fn read(reader: &mut rt::Reader<'_>) -> Option<Self> {
                let [#(#specs),*] = &Self::PARAMS;
                #(#reads)*
                Some(Self { #(#values),* })
            }

            fn write(&self, request: rt::RequestBuilder) -> rt::RequestBuilder {
                let [#(#specs),*] = &Self::PARAMS;
                request #(#sets)*
            }
        }
    }
}

/// The type of a field's content, with its headers where it has any.
pub(super) fn headed_ty(field: &FormField, content: TokenStream) -> TokenStream {
    let Some(headers) = &field.headers else {
        return content;
    };
    let name = names::pascal(&headers.name);
    match (&field.content, headers.is_list) {
        (FieldContent::Files { .. }, _) => quote!(Vec<runtime::WithHeaders<#name, runtime::File>>),
        (_, true) => quote!(runtime::WithHeaders<Vec<#name>, #content>),
        (_, false) => quote!(runtime::WithHeaders<#name, #content>),
    }
}

/// Says of a field's declaration which headers its parts have.
pub(super) fn declared(headers: &PartHeaders) -> TokenStream {
    let name = names::pascal(&headers.name);
    quote!(.with_headers::<#name>())
}

/// Reads a field, and its headers before it where it has any.
pub(super) fn read(field: &FormField, content: TokenStream) -> TokenStream {
    let Some(headers) = &field.headers else {
        return content;
    };
    let (name, wire) = (names::pascal(&headers.name), &field.wire);
    if matches!(field.content, FieldContent::Files { .. }) {
        return quote!(runtime::WithHeaders::each(form.heads::<#name>(#wire), #content));
    }
    let heads = ident(if headers.is_list { "heads" } else { "head" });
    let both = ident(match field.required {
        true => "required",
        false => "optional",
    });
    quote!(runtime::WithHeaders::#both(form.#heads::<#name>(#wire), #content))
}

/// Writes a field under its headers.
pub(super) fn write(field: &FormField, headers: &PartHeaders) -> TokenStream {
    let (rust, wire) = (names::snake(&field.name), &field.wire);
    let values = match field.content {
        FieldContent::Files { .. } => quote!(&self.#rust),
        _ if field.required => quote!([&self.#rust]),
        _ => quote!(&self.#rust),
    };
    let method = ident(match headers.is_list {
        true => "lists_with_headers",
        false => "with_headers",
    });
    let content = match field.content.is_file() {
        true => quote!([content]),
        false => quote!(content),
    };
    let write = super::write(&field.content, &quote!(#wire), &content);
    quote!(.#method(#values, |form, content| form #write))
}
