//! The type that a method returns: one enum per operation, one variant per status that is the handler's.

use super::super::check::Checked;
use super::super::doc_comment::doc;
use super::super::tokens::{ModelPath, constant, field_ty, ident, ty};
use crate::ir::{
    Api, Content, Field, HeaderEncoding, Media, Operation, Response, ResponseHeader, Status,
    TypeKind,
};
use crate::rust::names;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// The enum's name.
pub(crate) fn name(operation: &Operation) -> Ident {
    names::pascal_with(&operation.name, "Response")
}

/// The enum, the enums of bodies with several media types, and how it becomes an HTTP response.
pub(super) fn definition(api: &Api, checked: &Checked, operation: &Operation) -> Vec<TokenStream> {
    let mut items: Vec<_> = operation
        .responses
        .iter()
        .filter(|response| response.media.len() > 1)
        .map(|response| body_enum(api, operation, response))
        .collect();
    let media = operation.responses.iter().flat_map(|one| &one.media);
    items.extend(media.flat_map(|media| super::streamed(api, checked, operation, media)));
    let name = name(operation);
    let text = doc(&format!(
        "The responses of `{}` that its handler may return; the generated service makes all others.",
        operation.id
    ));
    let variants = operation
        .responses
        .iter()
        .map(|response| variant(api, operation, response));
    let arms = operation
        .responses
        .iter()
        .map(|response| encode(api, operation, response));
    let is_whole = |response: &Response| {
        response.streamed().is_empty() && !api.client.keeps_body(operation, response)
    };
    let derive = derive(operation.responses.iter().all(is_whole));
    items.push(quote! {
        #text
        #derive
        pub enum #name { #(#variants)* }
    });
    items.push(quote! {
        #[cfg(feature = "server")]
        impl #name {
            /// The HTTP response.
            pub fn into_http(self) -> Result<http::Response<rt::Body>, runtime::Rejection> {
                match self { #(#arms)* }
            }
        }
    });
    items
}

fn body_enum(api: &Api, operation: &Operation, response: &Response) -> TokenStream {
    let name = names::pascal(&response.content_name);
    let text = doc(&format!(
        "The body of the response `{}` of `{}`, by its media type.",
        response.name.pascal(),
        operation.id
    ));
    let variants = response.media.iter().map(|media| {
        let (rust, ty) = (names::pascal(&media.name), body_ty(api, media));
        let doc = doc(&format!("`{}`", media.media_type));
        quote!(#doc #rust(#ty),)
    });
    let derive = derive(response.streamed().is_empty());
    quote! {
        #text
        #derive
        pub enum #name { #(#variants)* }
    }
}

/// The derived traits: a body that passes once cannot be cloned.
fn derive(is_whole: bool) -> TokenStream {
    match is_whole {
        true => quote!(#[derive(Debug, Clone)]),
        false => quote!(#[derive(Debug)]),
    }
}

/// The type of a body. JSON is `Encoded`, so that bytes that exist already are not written again.
fn body_ty(api: &Api, media: &Media) -> TokenStream {
    match &media.content {
        Content::Json(inner, _) => {
            let inner = ty(api, inner, ModelPath::Qualified);
            quote!(runtime::Encoded<#inner>)
        }
        Content::Items(_, item, _) => super::sequence::items(api, item),
        Content::Events(data, _) => super::sequence::events(api, data, &TokenStream::new()),
        Content::Parts(parts) => super::parts::parts_ty(api, parts, &TokenStream::new()),
        // Answers are no forms.
        Content::Form(..) | Content::Multipart(_) | Content::Stream => quote!(runtime::ByteStream),
        Content::Text => quote!(String),
        Content::Scalar(inner, _) => ty(api, inner, ModelPath::Qualified),
    }
}

fn variant(api: &Api, operation: &Operation, response: &Response) -> TokenStream {
    let rust = names::pascal(&response.name);
    let code = match response.status {
        Status::Default => "Any other status".into(),
        status => status.to_string(),
    };
    let text = doc(&format!("{code}: {}", response.doc.trim()));
    let mut fields = Vec::new();
    if !matches!(response.status, Status::Code(_)) {
        fields.push(quote!(#[doc = " The status."] status: http::StatusCode));
    }
    let body = match response.media.as_slice() {
        [] => {
            let is_kept = api.client.keeps_body(operation, response);
            is_kept.then(|| quote!(runtime::ByteStream))
        }
        [only] => Some(body_ty(api, only)),
        _ => {
            let ty = names::pascal(&response.content_name);
            Some(quote!(#ty))
        }
    };
    fields.extend(body.map(|ty| match response.is_tagged {
        true => quote!(#[doc = " The body, with its entity tag."] body: runtime::Tagged<#ty>),
        false => quote!(#[doc = " The body."] body: #ty),
    }));
    let fields_of = response.headers.iter().map(|header| &header.field);
    for header in fields_of.filter(|header| is_given(api, header)) {
        let name = names::snake(&header.name);
        // Of a header with one value, a handler can only say whether it is there.
        let ty = match constant(api, &header.ty) {
            Some(_) => quote!(bool),
            None => field_ty(api, header, ModelPath::Qualified),
        };
        let text = doc(&format!("The header `{}`.\n\n{}", header.wire, header.doc));
        fields.push(quote!(#text #name: #ty));
    }
    if fields.is_empty() {
        quote!(#text #rust,)
    } else {
        quote!(#text #rust { #(#fields),* },)
    }
}

/// Whether a variant has fields.
pub(crate) fn has_fields(api: &Api, operation: &Operation, response: &Response) -> bool {
    let mut headers = response.headers.iter();
    !matches!(response.status, Status::Code(_))
        || !response.media.is_empty()
        || api.client.keeps_body(operation, response)
        || headers.any(|header| is_given(api, &header.field))
}

/// Whether the handler has anything to say about a header: one that is always there with the same
/// value is set without it.
fn is_given(api: &Api, header: &Field) -> bool {
    !(header.required && constant(api, &header.ty).is_some())
}

fn encode(api: &Api, operation: &Operation, response: &Response) -> TokenStream {
    let rust = names::pascal(&response.name);
    let mut names: Vec<Ident> = Vec::new();
    let status = match response.status {
        Status::Code(code) => {
            let code = Literal::u16_unsuffixed(code);
            quote!(rt::respond(rt::status(#code)))
        }
        // The handler may choose a status that another response documents.
        Status::Range(class) => {
            names.push(ident("status"));
            let (low, high) = (class * 100, class * 100 + 99);
            let (low, high) = (Literal::u16_unsuffixed(low), Literal::u16_unsuffixed(high));
            quote!(rt::respond(rt::within(status, &[#low..=#high])?))
        }
        Status::Default => {
            names.push(ident("status"));
            quote!(rt::respond(rt::within(status, &[200..=599])?))
        }
    };
    let given = response.headers.iter().map(|header| &header.field);
    let given = given.filter(|header| is_given(api, header));
    let given: Vec<Ident> = given.map(|header| names::snake(&header.name)).collect();
    let headers: Vec<_> = response
        .headers
        .iter()
        .map(|header| set_header(api, header))
        .collect();
    let (untag, tagged) = match response.is_tagged {
        true => (
            Some(quote!(let runtime::Tagged { body, tag } = body;)),
            Some(quote!(.tagged(tag))),
        ),
        false => (None, None),
    };
    let body = match response.media.as_slice() {
        [] if api.client.keeps_body(operation, response) => {
            names.push(ident("body"));
            quote!(.stream("application/octet-stream", body))
        }
        [] => quote!(.empty()),
        [only] => {
            names.push(ident("body"));
            finish(api, only)
        }
        _ => {
            names.push(ident("body"));
            let kind = names::pascal(&response.content_name);
            let arms = response.media.iter().map(|media| {
                let (rust, finish) = (names::pascal(&media.name), finish(api, media));
                quote!(#kind::#rust(body) => responder #finish,)
            });
            names.extend(given.clone());
            return quote!(Self::#rust { #(#names),* } => {
                #untag
                let responder = #status #(#headers)* #tagged;
                match body { #(#arms)* }
            });
        }
    };
    names.extend(given.clone());
    let pattern = if names.is_empty() {
        quote!(Self::#rust)
    } else {
        quote!(Self::#rust { #(#names),* })
    };
    match untag {
        Some(untag) => quote!(#pattern => { #untag #status #(#headers)* #tagged #body }),
        None => quote!(#pattern => #status #(#headers)* #body,),
    }
}

fn set_header(api: &Api, set: &ResponseHeader) -> TokenStream {
    let header = &set.field;
    let (wire, rust) = (header.wire.to_ascii_lowercase(), names::snake(&header.name));
    // Read once, by the compiler: names were checked when they were read.
    let name = quote!(const { http::HeaderName::from_static(#wire) });
    if let Some(value) = constant(api, &header.ty) {
        let text = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        return match header.required {
            true => quote!(.constant_header(#name, #text)),
            false => quote!(.optional_header(#name, #rust.then_some(#text))),
        };
    }
    match (&set.encoding, header.required) {
        (HeaderEncoding::Text, true) if matches!(header.ty.kind, TypeKind::String) => {
            quote!(.text_header(#name, #rust))
        }
        (HeaderEncoding::Text, true) => quote!(.header(#name, &#rust)),
        (HeaderEncoding::Text, false) => quote!(.optional_header(#name, #rust.as_ref())),
        (HeaderEncoding::Simple { explode, .. }, _) => {
            quote!(.simple_header(#name, #explode, &#rust))
        }
        (HeaderEncoding::Json, _) => quote!(.json_header(#name, &#rust)),
    }
}

fn finish(api: &Api, media: &Media) -> TokenStream {
    let media_type = media.sent();
    match &media.content {
        Content::Json(..) if media_type == "application/json" => quote!(.json(&body)),
        Content::Json(..) => quote!(.encoded(#media_type, &body)),
        Content::Text => quote!(.bytes(#media_type, body)),
        Content::Scalar(..) => quote!(.scalar(#media_type, &body)),
        Content::Form(..) | Content::Multipart(_) | Content::Stream => {
            quote!(.stream(#media_type, body))
        }
        Content::Items(framing, ..) => {
            let framing = super::framing(*framing);
            quote!(.stream(#media_type, body.into_bytes(#framing)))
        }
        Content::Events(data, _) => {
            let written = super::sequence::write_events(data);
            quote!(.events(#media_type, #written))
        }
        Content::Parts(parts) => {
            let written = super::parts::write_parts(api, media, parts);
            let media_type = super::parts::essence(media);
            quote!(.stream(#media_type, #written))
        }
    }
}
