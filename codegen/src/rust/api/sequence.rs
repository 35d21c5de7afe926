//! Sequences: the types of their items, and how these are written and read.

use super::super::check::Checked;
use super::super::doc_comment::doc;
use super::super::tokens::{ModelPath, ty};
use crate::ir::{Api, Content, EventData, Framing, Media, Operation, Type};
use crate::rust::names;
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn items(api: &Api, item: &Type) -> TokenStream {
    let item = ty(api, item, ModelPath::Qualified);
    quote!(runtime::Items<#item>)
}

pub(super) fn events(api: &Api, data: &EventData, module: &TokenStream) -> TokenStream {
    let data = data_ty(api, data, module);
    quote!(runtime::Events<#data>)
}

/// The type of the data of events, of which `module` has the enums.
fn data_ty(api: &Api, data: &EventData, module: &TokenStream) -> TokenStream {
    match data {
        EventData::Text(_) => quote!(String),
        EventData::Json(data, _) => ty(api, data, ModelPath::Qualified),
        EventData::Kinds(name, _) => {
            let name = names::pascal(name);
            quote!(#module #name)
        }
    }
}

/// The enum of the events of a body, where their types tell their data.
pub(super) fn kinds(api: &Api, operation: &Operation, media: &Media) -> Option<TokenStream> {
    let Content::Events(EventData::Kinds(name, kinds), _) = &media.content else {
        return None;
    };
    let name = names::pascal(name);
    let text = doc(&format!("An event of `{}`, by its type.", operation.id));
    let variants = kinds.iter().map(|kind| {
        let text = match kind.doc.trim() {
            "" => doc(&format!("`{}`", kind.wire)),
            described => doc(&format!("`{}`: {described}", kind.wire)),
        };
        let data = data_ty(api, &kind.data, &TokenStream::new());
        let rust = names::pascal(&kind.name);
        quote!(#text #rust(#data),)
    });
    let rust: Vec<_> = kinds.iter().map(|kind| names::pascal(&kind.name)).collect();
    let wire: Vec<_> = kinds.iter().map(|kind| &kind.wire).collect();
    let write = kinds.iter().map(|kind| write_data(&kind.data));
    let read = kinds.iter().map(|kind| read_data(&kind.data));
    Some(quote! {
        #text
        #[derive(Debug, Clone, PartialEq)]
        pub enum #name { #(#variants)* }

        impl rt::events::Kinds for #name {
            fn kind(&self) -> &'static str {
                match self { #(Self::#rust(_) => #wire,)* }
            }

            fn data(&self) -> Option<String> {
                match self { #(Self::#rust(data) => #write(data),)* }
            }

            fn read(kind: &str, data: String) -> Result<Self, runtime::StreamError> {
                match kind {
                    #(#wire => #read(data).map(Self::#rust),)*
                    _ => Err(rt::events::unknown(kind)),
                }
            }
        }
    })
}

/// The runtime's name of a framing.
pub(crate) fn framing(framing: Framing) -> TokenStream {
    match framing {
        Framing::Lines => quote!(rt::Framing::Lines),
        Framing::Records => quote!(rt::Framing::Records),
    }
}

/// The function that writes the data of events.
fn write_data(data: &EventData) -> TokenStream {
    match data {
        EventData::Text(_) => quote!(rt::events::text),
        EventData::Json(..) => quote!(rt::events::json),
        EventData::Kinds(..) => quote!(rt::events::Kinds::data),
    }
}

/// The function that reads the data of events.
fn read_data(data: &EventData) -> TokenStream {
    match data {
        EventData::Text(_) => quote!(rt::events::of_text),
        EventData::Json(..) => quote!(rt::events::of_json),
        EventData::Kinds(..) => quote!(rt::events::Kinds::read),
    }
}

/// The events as bytes; `body` is theirs.
pub(crate) fn write_events(data: &EventData) -> TokenStream {
    match data {
        EventData::Kinds(..) => quote!(body.into_bytes_by_kind()),
        _ => {
            let write = write_data(data);
            quote!(body.into_bytes_by(#write))
        }
    }
}

/// The events of an answer's `stream`.
pub(crate) fn read_events(data: &EventData) -> TokenStream {
    match data {
        EventData::Kinds(..) => quote!(runtime::Events::answered_by_kind(stream)),
        _ => {
            let read = read_data(data);
            quote!(runtime::Events::answered_by(stream, #read))
        }
    }
}

/// The events of a request's `stream`, each of which is checked.
pub(super) fn incoming_events(
    api: &Api,
    checked: &Checked,
    data: &EventData,
    fields: Option<&str>,
) -> TokenStream {
    let ty = data_ty(api, data, &TokenStream::new());
    let read = incoming_event(api, checked, data, fields);
    quote!(runtime::Events::<#ty>::incoming_by(stream, |event| #read))
}

/// The data of `event`, checked together with its other fields.
fn incoming_event(
    api: &Api,
    checked: &Checked,
    data: &EventData,
    fields: Option<&str>,
) -> TokenStream {
    let data = incoming_data(api, checked, data);
    match fields {
        None => data,
        Some(key) => quote!(event.with_fields(&crate::SCHEMAS, #key, #data)),
    }
}

/// The data of `event`, checked.
fn incoming_data(api: &Api, checked: &Checked, data: &EventData) -> TokenStream {
    match data {
        EventData::Text(None) => quote!(event.text()),
        EventData::Text(Some(key)) => quote!(event.text_of(&crate::SCHEMAS, #key)),
        EventData::Json(inner, key) => {
            let valid = checked.function(api, inner);
            let ty = ty(api, inner, ModelPath::Qualified);
            quote!(event.json::<#ty>(&crate::SCHEMAS, #key, #valid))
        }
        EventData::Kinds(name, kinds) => {
            let name = names::pascal(name);
            let arms = kinds.iter().map(|kind| {
                let (wire, rust) = (&kind.wire, names::pascal(&kind.name));
                let read = incoming_event(api, checked, &kind.data, kind.fields.as_deref());
                quote!(#wire => #read.map(#name::#rust),)
            });
            quote!(match event.kind() { #(#arms)* _ => event.unknown() })
        }
    }
}
