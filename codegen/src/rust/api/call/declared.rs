//! The runtime's table of declarations: parameters, and headers and fields that are written as they are.

use super::super::super::operations::place_name;
use super::super::super::security;
use super::super::super::tokens::ident;
use crate::ir::{Api, Operation, Param, ParamLocation, ParamShape, Style, Styled};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// The table of parameters; none where nothing reads it.
pub(in crate::rust::api) fn table(api: &Api, operation: &Operation) -> Option<TokenStream> {
    let params = operation.all_params();
    if params.clone().next().is_none() && !operation.served {
        return None;
    }
    let table = ident(&table_name(operation));
    let selectors = selectors(operation, &security::query_keys(api, operation));
    let count = Literal::usize_unsuffixed(params.clone().count() + selectors.len());
    let specs = params.map(spec).chain(selectors);
    Some(quote!(pub(crate) static #table: [rt::Param; #count] = [#(#specs),*];))
}

/// The name of the static that holds an operation's parameters.
pub(in crate::rust) fn table_name(operation: &Operation) -> String {
    format!("{}_PARAMS", operation.name.upper())
}

/// The names in the query that are no parameters: those that tell the operation from others of its path, and
/// credentials.
fn selectors(operation: &Operation, keys: &[&str]) -> Vec<TokenStream> {
    let selectors = operation.selectors().into_iter();
    let names = selectors.map(|(name, _)| name);
    let all = names.chain(keys.iter().copied());
    all.map(|name| quote!(rt::Param::query(#name, "")))
        .collect()
}

/// A parameter's declaration.
pub(in crate::rust::api) fn spec(param: &Param) -> TokenStream {
    if let Some(usual) = usual(param) {
        return usual;
    }
    let place = place_name(param.place);
    let of = (quote!(runtime::Place::#place), param.schema.as_str());
    let written = (param.style, param.explode);
    if param.fields.is_empty() {
        return declared(&param.field.wire, of, written, &param.shape);
    }
    let (names, fields) = (param.shape.members(), styled(&param.fields));
    let shape = quote!(rt::ParamShape::Form(&[#(#names),*], #fields));
    with_shape(&param.field.wire, of, written, &shape)
}

/// The declaration of a parameter that is one text in the default style of its location.
fn usual(param: &Param) -> Option<TokenStream> {
    let (constructor, written) = match param.place {
        ParamLocation::Path => ("path", (Style::Simple, false)),
        ParamLocation::Header => ("header", (Style::Simple, false)),
        ParamLocation::Query => ("query", (Style::Form, true)),
        ParamLocation::Cookie => ("cookie", (Style::Form, true)),
    };
    let is_usual = (param.style, param.explode) == written && param.shape == ParamShape::Scalar;
    let constructor = ident(constructor);
    let (name, schema) = (&param.field.wire, &param.schema);
    is_usual.then(|| quote!(rt::Param::#constructor(#name, #schema)))
}

/// The fields of a form that are declared as parameters are, because they are written so.
pub(in crate::rust) fn styled(fields: &[Styled]) -> TokenStream {
    let declared = fields.iter().map(|field| {
        let written = (field.style, field.explode);
        declared(
            &field.wire,
            (quote!(runtime::Place::Body), ""),
            written,
            &field.shape,
        )
    });
    quote!(&[#(#declared),*])
}

/// A declaration: its name, where it is and by which schema, and how it is written.
pub(in crate::rust) fn declared(
    name: &str,
    (place, schema): (TokenStream, &str),
    (style, explode): (Style, bool),
    layout: &ParamShape,
) -> TokenStream {
    with_shape(name, (place, schema), (style, explode), &shape(layout))
}

fn with_shape(
    name: &str,
    (place, schema): (TokenStream, &str),
    (style, explode): (Style, bool),
    shape: &TokenStream,
) -> TokenStream {
    let style = ident(match style {
        Style::Simple => "Simple",
        Style::Label => "Label",
        Style::Matrix => "Matrix",
        Style::Form => "Form",
        Style::SpaceDelimited => "SpaceDelimited",
        Style::PipeDelimited => "PipeDelimited",
        Style::DeepObject => "DeepObject",
        Style::Cookie => "Cookie",
        Style::Json => "Json",
        Style::QueryForm => "QueryForm",
        Style::QueryJson => "QueryJson",
        Style::QueryText => "QueryText",
    });
    quote! {
        rt::Param {
            name: #name,
            place: #place,
            style: rt::Style::#style,
            explode: #explode,
            shape: #shape,
            schema: #schema,
        }
    }
}

/// A layout as the runtime's `ModelShape`.
fn shape(layout: &ParamShape) -> TokenStream {
    match layout {
        ParamShape::Scalar => quote!(rt::ParamShape::Scalar),
        ParamShape::Array => quote!(rt::ParamShape::Array),
        ParamShape::Object(names) => quote!(rt::ParamShape::Object(&[#(#names),*])),
        ParamShape::AnyOf(each) => {
            let each = each.iter().map(shape);
            quote!(rt::ParamShape::AnyOf(&[#(#each),*]))
        }
    }
}
