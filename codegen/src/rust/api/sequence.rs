//! Sequences: the types of their items, and how these are written and read.

use super::super::tokens::{ModelPath, ty};
use crate::ir::{Api, EventData, Framing, Type};
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn items(api: &Api, item: &Type) -> TokenStream {
    let item = ty(api, item, ModelPath::Qualified);
    quote!(runtime::Items<#item>)
}

pub(super) fn events(api: &Api, data: &EventData) -> TokenStream {
    match data {
        EventData::Text => quote!(runtime::Events<String>),
        EventData::Json(data) => {
            let data = ty(api, data, ModelPath::Qualified);
            quote!(runtime::Events<#data>)
        }
    }
}

/// The runtime's name of a framing.
pub(crate) fn framing(framing: Framing) -> TokenStream {
    match framing {
        Framing::Lines => quote!(rt::Framing::Lines),
        Framing::Records => quote!(rt::Framing::Records),
    }
}

/// The function that writes the data of events.
pub(super) fn write_data(data: &EventData) -> TokenStream {
    match data {
        EventData::Text => quote!(rt::events::text),
        EventData::Json(_) => quote!(rt::events::json),
    }
}

/// The function that reads the data of events.
pub(crate) fn read_data(data: &EventData) -> TokenStream {
    match data {
        EventData::Text => quote!(rt::events::of_text),
        EventData::Json(_) => quote!(rt::events::of_json),
    }
}
