//! The answers of the framework, as the client reads them.

use super::super::doc_comment::doc;
use super::super::tokens::{ModelPath, constant, field_ty, ty};
use super::answer::read_header;
use crate::ir::{Api, Content, Operation, Refusal, RefusalSet, ResponseHeader};
use crate::rust::names;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// The enum, and the function that reads each variant.
pub(super) fn definition(api: &Api) -> Vec<TokenStream> {
    let variants = api.refusals.iter().map(|refusal| variant(api, refusal));
    let text = doc(
        "The answers that the framework gives in the place of a handler, as the contract documents \
         them.",
    );
    let mut items = vec![quote! {
        #text
        #[derive(Debug, Clone)]
        pub enum Refusal { #(#variants)* }
    }];
    if !api.refusals.is_empty() {
        let sets = api.refusal_sets.iter().map(|set| error_of(api, set));
        let functions = api.refusals.iter().map(|refusal| function(api, refusal));
        items.push(quote!(impl Refusal { #(#sets)* #(#functions)* }));
    }
    items
}

/// The error for an answer that is no handler's, as an expression.
pub(super) fn error(api: &Api, operation: &Operation, errors: &TokenStream) -> TokenStream {
    let own = operation.refusals;
    match own.and_then(|index| api.refusal_sets.get(index)) {
        None => quote!(rt::client::undocumented(response)),
        Some(set) => {
            let name = names::snake(&set.name);
            quote!(#errors Refusal::#name(response))
        }
    }
}

/// The function that makes this error for a set of refusals.
fn error_of(api: &Api, set: &RefusalSet) -> TokenStream {
    let name = names::snake(&set.name);
    let own = set.refusals.iter();
    let own = own.filter_map(|index| api.refusals.get(*index));
    let each = own.map(|refusal| {
        let (code, read) = (Literal::u16_unsuffixed(refusal.status), reader(refusal));
        quote!((#code, Self::#read))
    });
    let text = doc(&format!(
        "The error for an answer of the framework to `{}`, or to another operation that documents the same.",
        set.first
    ));
    quote! {
        #text
        pub(crate) fn #name<E>(response: http::Response<rt::Bytes>) -> ClientError<E> {
            rt::client::refused(response, &[#(#each),*])
        }
    }
}

fn reader(refusal: &Refusal) -> proc_macro2::Ident {
    names::snake(&refusal.name)
}

fn variant(api: &Api, refusal: &Refusal) -> TokenStream {
    let rust = names::pascal(&refusal.name);
    let text = doc(&format!("{}: {}", refusal.status, refusal.doc.trim()));
    let body = refusal.body.as_ref().map(|body| {
        let ty = match body {
            Content::Json(inner, _) | Content::Scalar(inner, _) => {
                ty(api, inner, ModelPath::Qualified)
            }
            _ => quote!(String),
        };
        quote!(#[doc = " The body."] body: #ty)
    });
    let headers = refusal.headers.iter().filter(|set| is_given(api, set));
    let headers = headers.map(|set| {
        let header = &set.field;
        let name = names::snake(&header.name);
        let ty = field_ty(api, header, ModelPath::Qualified);
        let text = doc(&format!("The header `{}`.\n\n{}", header.wire, header.doc));
        quote!(#text #name: #ty)
    });
    let fields: Vec<_> = body.into_iter().chain(headers).collect();
    match fields.as_slice() {
        [] => quote!(#text #rust,),
        fields => quote!(#text #rust { #(#fields),* },),
    }
}

/// Whether a header says anything: one that always has the same value does not.
fn is_given(api: &Api, set: &ResponseHeader) -> bool {
    constant(api, &set.field.ty).is_none()
}

fn function(api: &Api, refusal: &Refusal) -> TokenStream {
    let (rust, name) = (names::pascal(&refusal.name), reader(refusal));
    let body = refusal.body.as_ref().map(|body| {
        let read = match body {
            Content::Json(..) => quote!(rt::client::json(response)?),
            Content::Scalar(_, key) => {
                quote!(rt::client::scalar(response, &crate::SCHEMAS, #key)?)
            }
            _ => quote!(rt::client::text(response)?),
        };
        quote!(body: #read)
    });
    let from = quote!(response);
    let headers = refusal.headers.iter().filter(|set| is_given(api, set));
    let headers = headers.filter_map(|set| read_header(api, set, &from));
    let fields: Vec<_> = body.into_iter().chain(headers).collect();
    let (argument, whole) = match fields.as_slice() {
        [] => (quote!(_), quote!(Self::#rust)),
        fields => (quote!(response), quote!(Self::#rust { #(#fields),* })),
    };
    quote! {
        pub(crate) fn #name<E>(#argument: &http::Response<rt::Bytes>) -> Result<Self, ClientError<E>> {
            Ok(#whole)
        }
    }
}
