//! Bodies, headers and values as expressions.

use super::super::api;
use super::super::tokens::constant;
use crate::ir::{Api, Body, Media, Operation, Param, PartHeaders, Response, Status};
use crate::rust::names;
use crate::selftest::{Answer, FieldValue, PartHeaderValues, Payload, PayloadContent};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// A value by its number.
pub(super) fn value(at: usize) -> TokenStream {
    let at = Literal::usize_unsuffixed(at);
    quote!(crate::value(#at))
}

/// The fields of a struct of parameters.
pub(super) fn params<'p>(
    params: &'p [Param],
    values: &'p [Option<usize>],
) -> impl Iterator<Item = TokenStream> {
    params.iter().zip(values).map(|(param, at)| {
        let rust = names::param(param);
        let always = param.field.required || param.default.is_some();
        let value = match (at, always) {
            (Some(at), true) => value(*at),
            (Some(at), false) => {
                let value = value(*at);
                quote!(Some(#value))
            }
            (None, true) => {
                let default = param.default.clone().unwrap_or_default().to_string();
                quote!(crate::literal(#default))
            }
            (None, false) => quote!(None),
        };
        quote!(#rust: #value)
    })
}

/// The body that a caller sends.
pub(super) fn request_body(module: &TokenStream, body: &Body, sent: &Payload<'_>) -> TokenStream {
    let content = match &sent.content {
        PayloadContent::Value(at) => value(*at),
        PayloadContent::Fields(form, fields) => {
            let kind = names::pascal(&form.name);
            let fields = fields.iter().map(|(field, value, header_values)| {
                let rust = names::snake(&field.name);
                let headers = field.headers.as_ref();
                let headers = headers.map(|headers| part_headers(module, headers, header_values));
                let value = field_value(*value, field.required, headers.as_ref());
                quote!(#rust: #value)
            });
            let others = form.others.kept.iter().map(|kept| {
                let rust = names::snake(&kept.name);
                quote!(#rust: Default::default())
            });
            let fields = fields.chain(others);
            let written = quote!(#module::#kind { #(#fields),* });
            match form.has_files() {
                true => quote!(runtime::Upload::from(#written)),
                false => written,
            }
        }
        PayloadContent::Text(at) => value(*at),
        PayloadContent::Stream => stream(sent.media),
        PayloadContent::Items => quote!(Default::default()),
    };
    match body.media.len() {
        1 => content,
        _ => {
            let (kind, rust) = (names::pascal(&body.name), names::pascal(&sent.media.name));
            quote!(#module::#kind::#rust(#content))
        }
    }
}

/// A stream, of some type where the contract leaves it open.
fn stream(media: &Media) -> TokenStream {
    match media.media_type.split_once("/*") {
        Some((kind, "")) if kind != "*" => {
            let concrete = format!("{kind}/example");
            quote!(crate::stream().with_type(#concrete))
        }
        _ => quote!(crate::stream()),
    }
}

/// The headers of a part, or of all parts of a value.
fn part_headers(
    module: &TokenStream,
    headers: &PartHeaders,
    values: &PartHeaderValues,
) -> TokenStream {
    let kind = names::pascal(&headers.name);
    let fields = params(&headers.params, &values.values);
    let one = quote!(#module::#kind { #(#fields),* });
    let count = Literal::usize_unsuffixed(values.count);
    match headers.is_list {
        true => quote!(vec![#one; #count]),
        false => one,
    }
}

fn field_value(
    field_value: FieldValue,
    required: bool,
    headers: Option<&TokenStream>,
) -> TokenStream {
    let headed = |content: TokenStream| match headers {
        Some(headers) => {
            quote!(runtime::WithHeaders { headers: #headers, content: #content })
        }
        None => content,
    };
    let one = match field_value {
        FieldValue::Absent => return quote!(None),
        FieldValue::Files(count, length) => {
            let count = Literal::u64_unsuffixed(count);
            let length = Literal::u64_unsuffixed(length);
            let file = headed(quote!(crate::file(#length)));
            return quote!(vec![#file; #count]);
        }
        FieldValue::Value(at) => value(at),
        FieldValue::File(length) => {
            let length = Literal::u64_unsuffixed(length);
            quote!(crate::file(#length))
        }
    };
    let one = headed(one);
    match required {
        true => one,
        false => quote!(Some(#one)),
    }
}

/// The value that a handler returns.
pub(super) fn answer(api: &Api, operation: &Operation, answer: &Answer<'_>) -> TokenStream {
    let response = answer.response;
    let (kind, rust) = (api::response_name(operation), names::pascal(&response.name));
    let mut fields = Vec::new();
    if !matches!(response.status, Status::Code(_)) {
        let status = Literal::u16_unsuffixed(answer.status);
        fields.push(quote!(status: rt::status(#status)));
    }
    if let Some(sent) = &answer.body {
        let body = response_body(response, sent);
        let body = match response.is_tagged {
            true => quote!(runtime::Tagged { body: #body, tag: None }),
            false => body,
        };
        fields.push(quote!(body: #body));
    }
    for (set, at) in response.headers.iter().zip(&answer.headers) {
        let header = &set.field;
        let rust = names::snake(&header.name);
        let fixed = constant(api, &header.ty).is_some();
        let value = match (at, header.required) {
            _ if fixed && header.required => continue,
            (at, _) if fixed => {
                let there = at.is_some();
                quote!(#there)
            }
            (Some(at), true) => value(*at),
            (Some(at), false) => {
                let value = value(*at);
                quote!(Some(#value))
            }
            (None, _) => quote!(None),
        };
        fields.push(quote!(#rust: #value));
    }
    match fields.as_slice() {
        [] => quote!(#kind::#rust),
        _ => quote!(#kind::#rust { #(#fields),* }),
    }
}

fn response_body(response: &Response, sent: &Payload<'_>) -> TokenStream {
    let content = match &sent.content {
        PayloadContent::Value(at) => {
            let at = Literal::usize_unsuffixed(*at);
            quote!(crate::encoded(#at))
        }
        PayloadContent::Text(at) => value(*at),
        PayloadContent::Fields(..) | PayloadContent::Stream => stream(sent.media),
        PayloadContent::Items => quote!(Default::default()),
    };
    match response.media.len() {
        1 => content,
        _ => {
            let (kind, rust) = (
                names::pascal(&response.content_name),
                names::pascal(&sent.media.name),
            );
            quote!(#kind::#rust(#content))
        }
    }
}
