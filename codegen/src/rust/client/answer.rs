//! Reads a response in a client's method.

use super::super::api;
use super::super::tokens::{constant, ident};
use crate::ir::{
    Api, Content, HeaderEncoding, Media, Operation, ParamShape, Response, ResponseHeader, Status,
    Style,
};
use crate::rust::names;
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use std::ops::RangeInclusive;

/// The statuses of a response, as the client matches them.
///
/// A tolerant client takes every success for the only documented one: servers that document 200 also send 201.
pub(super) fn statuses(
    api: &Api,
    operation: &Operation,
    response: &Response,
) -> Vec<RangeInclusive<u16>> {
    let all = all_responses(operation).map(|response| response.status);
    let successes: Vec<Status> = all.filter(|status| status.is_success()).collect();
    match successes.as_slice() {
        [only @ Status::Code(_)] if !api.client.is_strict => {
            if *only == response.status {
                return vec![SUCCESS];
            }
            let others = response.statuses.iter();
            others.flat_map(without_successes).collect()
        }
        _ => response.statuses.clone(),
    }
}

fn all_responses(operation: &Operation) -> impl Iterator<Item = &Response> {
    let by_framework = &operation.framework_responses;
    operation.responses.iter().chain(by_framework)
}

/// The media types of all successes, separated by commas. `None` if a success has no documented content: its
/// media type can be any.
pub(super) fn success_types(operation: &Operation) -> Option<String> {
    let mut types: Vec<&str> = Vec::new();
    for response in all_responses(operation) {
        if !response.status.is_success() || !response.status.has_body() {
            continue;
        }
        if response.media.is_empty() {
            return None;
        }
        let own = response.media.iter();
        types.extend(own.map(|media| media.media_type.as_str()));
    }
    types.dedup();
    (!types.is_empty()).then(|| types.join(", "))
}

/// Successes (RFC 9110, section 15.3).
const SUCCESS: RangeInclusive<u16> = 200..=299;

fn without_successes(run: &RangeInclusive<u16>) -> impl Iterator<Item = RangeInclusive<u16>> {
    let below = *run.start()..=*run.end().min(&199);
    let above = *run.start().max(&300)..=*run.end();
    [below, above].into_iter().filter(|run| !run.is_empty())
}

/// The pattern of statuses.
pub(super) fn pattern(statuses: &[RangeInclusive<u16>]) -> TokenStream {
    let each = statuses.iter().map(|run| {
        let (low, high) = (*run.start(), *run.end());
        let (first, last) = (Literal::u16_unsuffixed(low), Literal::u16_unsuffixed(high));
        match low == high {
            true => quote!(#first),
            false => quote!(#first..=#last),
        }
    });
    quote!(#(#each)|*)
}

/// The match arm that reads a response. `None` if no status is left for it.
pub(super) fn decode(
    api: &Api,
    module: &TokenStream,
    operation: &Operation,
    response: &Response,
) -> Option<TokenStream> {
    let statuses = statuses(api, operation, response);
    if statuses.is_empty() {
        return None;
    }
    let (name, rust) = (api::response_name(operation), names::pascal(&response.name));
    let mut fields = Vec::new();
    let pattern = pattern(&statuses);
    if !matches!(response.status, Status::Code(_)) {
        fields.push(quote!(status: response.status()));
    }
    match api.client.keeps_body(operation, response) {
        true => fields.push(quote!(body: stream)),
        false => fields.extend(read_body(api, module, response)),
    }
    for header in &response.headers {
        fields.extend(read_header(api, header, &quote!(&response)));
    }
    let whole = if fields.is_empty() {
        quote!(#module::#name::#rust)
    } else {
        quote!(#module::#name::#rust { #(#fields),* })
    };
    Some(quote!(#pattern => Ok(#whole),))
}

fn read_body(api: &Api, module: &TokenStream, response: &Response) -> Option<TokenStream> {
    let read = |media: &Media| match &media.content {
        Content::Json(..) => quote!(rt::client::encoded(&response)?),
        Content::Text => quote!(rt::client::text(&response)?),
        Content::Scalar(_, key) => quote!(rt::client::scalar(&response, &crate::SCHEMAS, #key)?),
        Content::Form(..) | Content::Multipart(_) | Content::Stream => quote!(stream),
        Content::Items(framing, ..) => {
            let framing = api::framing(*framing);
            quote!(runtime::Items::answered(stream, #framing))
        }
        Content::Events(data, _) => api::read_events(data),
        Content::Parts(parts) => {
            let read = api::parts_reader(api, None, parts);
            quote!(runtime::BodyParts::answered_by(stream, #read))
        }
    };
    let tagged = |body: TokenStream| match response.is_tagged {
        true => quote!(rt::client::tagged(&response, #body)),
        false => body,
    };
    match response.media.as_slice() {
        [] => None,
        [only] => {
            let read = tagged(read(only));
            Some(quote!(body: #read))
        }
        several => {
            let name = names::pascal(&response.content_name);
            let types = several.iter().map(|media| &media.media_type);
            let arms = several.iter().enumerate().map(|(index, media)| {
                let (index, rust, read) = (
                    Literal::usize_unsuffixed(index),
                    names::pascal(&media.name),
                    read(media),
                );
                quote!(Some(#index) => #module::#name::#rust(#read),)
            });
            let listed = several.iter().map(|media| media.media_type.as_str());
            let listed = listed.collect::<Vec<_>>().join(", ");
            let matched = media_type_function(api);
            let read = tagged(quote! {
                match rt::media::#matched(response.headers(), &[#(#types),*]) {
                    #(#arms)*
                    _ => return Err(rt::client::other_media_type(response, #listed)),
                }
            });
            Some(quote!(body: #read))
        }
    }
}

/// The runtime's function that matches `Content-Type` to the documented media types.
pub(super) fn media_type_function(api: &Api) -> proc_macro2::Ident {
    ident(if api.client.is_strict {
        "consumed"
    } else {
        "best_match"
    })
}

/// A header of the answer at `from`, as the field of a variant; `None` for one that says nothing.
pub(super) fn read_header(
    api: &Api,
    set: &ResponseHeader,
    from: &TokenStream,
) -> Option<TokenStream> {
    let header = &set.field;
    let (name, wire) = (names::snake(&header.name), header.wire.to_ascii_lowercase());
    if constant(api, &header.ty).is_some() {
        return (!header.required).then(|| quote!(#name: response.headers().contains_key(#wire)));
    }
    let (style, explode, layout) = match &set.encoding {
        HeaderEncoding::Text => {
            return Some(match header.required {
                true => quote!(#name: rt::client::header(#from, #wire)?),
                false => quote!(#name: rt::client::optional_header(#from, #wire)?),
            });
        }
        HeaderEncoding::Simple { shape, explode } => (Style::Simple, *explode, shape),
        HeaderEncoding::Json => (Style::Json, false, &ParamShape::Scalar),
    };
    let of = (quote!(runtime::Place::Header), set.schema.as_str());
    let param = api::declared(&wire, of, (style, explode), layout);
    Some(match header.required {
        true => quote!(#name: rt::client::styled_header(#from, &crate::SCHEMAS, #param)?),
        false => {
            quote!(#name: rt::client::optional_styled_header(#from, &crate::SCHEMAS, #param)?)
        }
    })
}
