//! The attributes of operations, parameters and members that the contract deprecates.

use crate::ir::{Api, Field, Model, ModelShape, Operation};
use jiff::Timestamp;
use proc_macro2::TokenStream;
use quote::quote;

/// The attribute of the method that calls an operation. The dates are in its note, as `since` is a
/// version.
pub(super) fn of_operation(operation: &Operation) -> Option<TokenStream> {
    let day = |at: Timestamp| at.strftime("%Y-%m-%d").to_string();
    let since = operation.deprecated_at.map(day);
    let since = since.map_or_else(String::new, |day| format!(" since {day}"));
    let until = operation.sunset.map(day);
    let until = until.map_or_else(String::new, |day| format!(", it ends on {day}"));
    let note = format!("the contract deprecates it{since}{until}");
    operation
        .deprecated
        .then(|| quote!(#[deprecated(note = #note)]))
}

/// The attribute of a parameter or member. A crate with the feature `server` has none, since a server
/// reads and writes all of them as long as the contract has them.
pub(super) fn of_field(api: &Api, field: &Field) -> Option<TokenStream> {
    let deprecated = quote!(deprecated(note = "the contract deprecates it"));
    let attribute = match api.has_operations() {
        true => quote!(#[cfg_attr(not(feature = "server"), #deprecated)]),
        false => quote!(#[#deprecated]),
    };
    field.deprecated.then_some(attribute)
}

/// Whether anything is deprecated.
pub(super) fn is_any(api: &Api) -> bool {
    let is_deprecated = |model: &Model| match &model.shape {
        ModelShape::Struct { fields, .. } => fields.iter().any(|field| field.deprecated),
        _ => false,
    };
    let mut operations = api.all_operations();
    operations.any(|operation| {
        let mut params = operation.all_params();
        operation.deprecated || params.any(|param| param.field.deprecated)
    }) || api.models.iter().any(is_deprecated)
}
