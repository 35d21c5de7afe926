//! `api.rs` and `api/<tag>.rs`: traits, parameters and responses, and how a request becomes a call.

mod call;
mod form;
mod parts;
mod response;
mod sequence;

pub(super) use call::{call_name, declared, literal, styled, table_name};
pub(super) use parts::{essence as parts_essence, reader as parts_reader, write_parts};
pub(super) use response::{has_fields, name as response_name};
pub(super) use sequence::{framing, read_events, write_events};

use super::check::Checked;
use super::deprecation;
use super::doc_comment::doc;
use super::security;
use super::tokens::{ModelPath, ty};
use crate::ir::{Api, Body, Content, Group, Media, Operation, Param};
use crate::rust::names;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// One tag.
pub(super) fn file(
    api: &Api,
    checked: &Checked,
    group: &Group,
) -> (&'static str, Vec<TokenStream>) {
    let operations: Vec<&Operation> = group
        .operations
        .iter()
        .filter_map(|index| api.operations.get(*index))
        .collect();
    let text = if group.doc.trim().is_empty() {
        format!("The tag `{}`.", group.tag)
    } else {
        group.doc.clone()
    };
    let interface = names::pascal_with(&group.name, "Api");
    let mut items = self::items(api, checked, &operations, &interface, &text);
    items.push(tag(group, &operations, &interface));
    (
        "The operations of one tag: the trait to implement, and the types of its arguments and responses.",
        items,
    )
}

/// The trait of some operations with all types that it names, and how requests become its calls.
pub(super) fn items(
    api: &Api,
    checked: &Checked,
    operations: &[&Operation],
    interface: &Ident,
    text: &str,
) -> Vec<TokenStream> {
    let mut items = vec![self::interface(api, interface, text, operations)];
    for operation in operations {
        items.extend(params_struct(api, operation));
        items.extend(form::definitions(api, checked, operation));
        items.extend(body_enum(api, operation));
        let media = operation.body.iter().flat_map(|body| &body.media);
        items.extend(media.flat_map(|media| streamed(api, checked, operation, media)));
        if operation.served {
            items.extend(accept_enum(operation));
        }
        if !operation.raw {
            items.extend(response::definition(api, checked, operation));
        }
    }
    for operation in operations {
        items.extend(call::table(api, operation));
        if operation.served {
            items.push(call::function(api, checked, operation, interface));
        }
    }
    items
}

/// The object that serves a tag: how the service calls any type that implements its trait.
fn tag(group: &Group, operations: &[&Operation], interface: &Ident) -> TokenStream {
    let name = tag_name(group);
    let served = operations.iter().filter(|operation| operation.served);
    let calls: Vec<Ident> = served.map(|operation| call_name(operation)).collect();
    let text = format!(
        " The object-safe form of [`{interface}`], implemented for each of its implementors."
    );
    quote! {
        #[doc = #text]
        #[doc = " [`Tags`](crate::service::Tags) holds one for each tag."]
        #[cfg(feature = "server")]
        pub trait #name<C>: Send + Sync + 'static {
            #(
                #[doc(hidden)]
                fn #calls(self: std::sync::Arc<Self>, call: rt::Call<C>) -> rt::Reply;
            )*
        }

        #[cfg(feature = "server")]
        impl<H: #interface> #name<H::Context> for H {
            #(
                fn #calls(self: std::sync::Arc<Self>, call: rt::Call<H::Context>) -> rt::Reply {
                    #calls(self, call)
                }
            )*
        }
    }
}

/// The name of the trait of a tag's handlers.
pub(super) fn tag_name(group: &Group) -> Ident {
    names::pascal_with(&group.name, "Tag")
}

fn interface(api: &Api, name: &Ident, text: &str, operations: &[&Operation]) -> TokenStream {
    let doc = doc(text);
    let served = operations.iter().filter(|operation| operation.served);
    let methods = served.map(|operation| method(api, operation));
    let foundation = security::foundation(operations.iter().copied());
    quote! {
        #doc
        #[cfg(feature = "server")]
        pub trait #name: #foundation { #(#methods)* }
    }
}

fn method(api: &Api, operation: &Operation) -> TokenStream {
    let name = names::method(operation);
    let mut text = format!("`{} {}`", operation.method, operation.path);
    for part in [&operation.summary, &operation.description] {
        if !part.trim().is_empty() {
            text = format!("{text}\n\n{}", part.trim());
        }
    }
    if operation.raw {
        text.push_str("\n\nRaw: the request as it came, and the answer as it goes.");
    }
    let doc = doc(&text);
    let deprecated = operation
        .deprecated
        .then(|| quote!(#[doc = ""] #[doc = " Deprecated by the contract."]));
    let arguments = arguments(api, operation);
    let response = answer_ty(operation);
    quote! {
        #doc #deprecated
        fn #name(&self, #(#arguments),*) -> impl Future<Output = Result<#response, Self::Error>> + Send;
    }
}

/// The type that a method returns.
pub(super) fn answer_ty(operation: &Operation) -> TokenStream {
    if operation.raw {
        return quote!(http::Response<runtime::ByteStream>);
    }
    let name = response::name(operation);
    quote!(#name)
}

/// The arguments in order: the principal, extensions and headers, the path's parameters, the other parameters,
/// the body, the accepted media type.
pub(super) fn arguments(api: &Api, operation: &Operation) -> Vec<TokenStream> {
    let mut arguments = Vec::new();
    if let Some(principal) = security::principal(api, operation) {
        arguments.push(quote!(principal: #principal));
    }
    if operation.extensions {
        arguments.push(quote!(extensions: http::Extensions));
    }
    if operation.raw_headers {
        arguments.push(quote!(headers: http::HeaderMap));
    }
    for param in &operation.path_params {
        let (name, ty) = (
            names::param(param),
            ty(api, &param.field.ty, ModelPath::Qualified),
        );
        arguments.push(quote!(#name: #ty));
    }
    if !operation.params.is_empty() {
        let name = params_name(operation);
        arguments.push(quote!(params: #name));
    }
    if let Some(body) = &operation.body {
        let ty = body_ty(api, body);
        arguments.push(if body.required {
            quote!(body: #ty)
        } else {
            quote!(body: Option<#ty>)
        });
    }
    if operation.accept.offers.len() > 1 {
        let ty = names::pascal(&operation.accept.name);
        arguments.push(quote!(accept: #ty));
    }
    if operation.raw {
        arguments.push(quote!(request: http::Request<runtime::ByteStream>));
    }
    arguments
}

pub(super) fn params_name(operation: &Operation) -> Ident {
    names::pascal_with(&operation.name, "Params")
}

/// A parameter's type in the struct: one with a default is always there.
fn param_ty(api: &Api, param: &Param) -> TokenStream {
    let inner = ty(api, &param.field.ty, ModelPath::Qualified);
    if param.field.required || param.default.is_some() {
        inner
    } else {
        quote!(Option<#inner>)
    }
}

fn params_struct(api: &Api, operation: &Operation) -> Option<TokenStream> {
    if operation.params.is_empty() {
        return None;
    }
    let name = params_name(operation);
    let doc = doc(&format!(
        "The parameters of `{}` beside those of its path.",
        operation.id
    ));
    Some(struct_of(api, (&name, doc), &operation.params))
}

/// A struct of parameters.
fn struct_of(api: &Api, (name, doc): (&Ident, TokenStream), params: &[Param]) -> TokenStream {
    let fields = params.iter().map(|param| {
        let field = &param.field;
        let (rust, ty) = (names::param(param), param_ty(api, param));
        let text = if field.doc.trim().is_empty() {
            format!("`{}`.", field.wire)
        } else {
            field.doc.clone()
        };
        let (doc, deprecated) = (self::doc(&text), deprecation::of_field(api, field));
        quote!(#doc #deprecated pub #rust: #ty,)
    });
    quote! {
        #doc
        #[derive(Debug, Clone, PartialEq)]
        pub struct #name { #(#fields)* }
    }
}

/// The enums and structs of a body that passes one by one.
fn streamed(
    api: &Api,
    checked: &Checked,
    operation: &Operation,
    media: &Media,
) -> Vec<TokenStream> {
    let mut items = parts::definitions(api, checked, operation, media);
    items.extend(sequence::kinds(api, operation, media));
    items
}

/// The type of the content of one media type; `module` is the path of the types that an operation has for it.
pub(super) fn content_ty(api: &Api, media: &Media, module: &TokenStream) -> TokenStream {
    match &media.content {
        Content::Json(inner, _) | Content::Form(inner, ..) | Content::Scalar(inner, _) => {
            ty(api, inner, ModelPath::Qualified)
        }
        Content::Multipart(form) => {
            let name = names::pascal(&form.name);
            form::form_ty(form, quote!(#module #name))
        }
        Content::Text => quote!(String),
        Content::Stream => quote!(runtime::ByteStream),
        Content::Items(_, item, _) => sequence::items(api, item),
        Content::Events(data, _) => sequence::events(api, data, module),
        Content::Parts(parts) => parts::parts_ty(api, parts, module),
    }
}

fn body_ty(api: &Api, body: &Body) -> TokenStream {
    match body.media.as_slice() {
        [only] => content_ty(api, only, &TokenStream::new()),
        _ => {
            let name = names::pascal(&body.name);
            quote!(#name)
        }
    }
}

/// The enum of the media types that a caller can prefer.
fn accept_enum(operation: &Operation) -> Option<TokenStream> {
    let accept = Some(&operation.accept).filter(|accept| accept.offers.len() > 1)?;
    let name = names::pascal(&accept.name);
    let doc = doc(&format!(
        "The media type that a request of `{}` prefers (`Accept`).",
        operation.id
    ));
    let variants = accept.offers.iter().map(|(media_type, rust)| {
        let (rust, doc) = (names::pascal(rust), self::doc(&format!("`{media_type}`")));
        quote!(#doc #rust,)
    });
    Some(quote! {
        #doc
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum #name { #(#variants)* }
    })
}

fn body_enum(api: &Api, operation: &Operation) -> Option<TokenStream> {
    let body = operation
        .body
        .as_ref()
        .filter(|body| body.media.len() > 1)?;
    let name = names::pascal(&body.name);
    let doc = doc(&format!(
        "The body of `{}`, by its media type.",
        operation.id
    ));
    let variants = body.media.iter().map(|media| {
        let ty = content_ty(api, media, &TokenStream::new());
        let rust = names::pascal(&media.name);
        let types: Vec<_> = media.media_types().map(|it| format!("`{it}`")).collect();
        let doc = self::doc(&types.join(" or "));
        quote!(#doc #rust(#ty),)
    });
    // What passes once cannot be copied.
    let derive = match body.streamed().as_slice() {
        [] => quote!(#[derive(Debug, Clone, PartialEq)]),
        _ => quote!(#[derive(Debug)]),
    };
    Some(quote! {
        #doc
        #derive
        pub enum #name { #(#variants)* }
    })
}
