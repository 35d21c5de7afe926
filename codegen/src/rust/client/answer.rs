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

/// The statuses that are read as a response; none where others leave it none.
///
/// To a tolerant client, any success is the only one that the contract has: a server that documents 200 may well
/// respond with 201.
pub(super) fn statuses(
    api: &Api,
    operation: &Operation,
    response: &Response,
) -> Vec<RangeInclusive<u16>> {
    let all = || {
        operation
            .responses
            .iter()
            .chain(&operation.framework_responses)
    };
    let is_success = |status: Status| match status {
        Status::Code(code) => SUCCESS.contains(&code),
        Status::Range(hundred) => hundred == 2,
        Status::Default => false,
    };
    let mut successes = all().filter(|response| is_success(response.status));
    let only = match (successes.next().map(|only| only.status), successes.next()) {
        (Some(Status::Code(code)), None) if !api.client.is_strict => Some(Status::Code(code)),
        _ => None,
    };
    match only {
        Some(only) if only == response.status => vec![SUCCESS],
        Some(_) => {
            let others = response.statuses.iter();
            others.flat_map(without_successes).collect()
        }
        None => response.statuses.clone(),
    }
}

/// The media types of all successes, by commas; `None` where one has no documented content, so that it may have any.
pub(super) fn success_types(operation: &Operation) -> Option<String> {
    let mut types: Vec<&str> = Vec::new();
    for response in operation
        .responses
        .iter()
        .chain(&operation.framework_responses)
    {
        let is_success = match response.status {
            Status::Code(code) => SUCCESS.contains(&code) && !matches!(code, 204 | 205),
            Status::Range(hundred) => hundred == 2,
            Status::Default => false,
        };
        if is_success && response.media.is_empty() {
            return None;
        }
        let own = response.media.iter().filter(|_| is_success);
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

/// One arm of the match on the status: a response of the contract, read. `None` where no status is left for it.
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
            let by = told_by(api);
            let read = tagged(quote! {
                match rt::media::#by(response.headers(), &[#(#types),*]) {
                    #(#arms)*
                    _ => return Err(rt::client::other_media_type(response, #listed)),
                }
            });
            Some(quote!(body: #read))
        }
    }
}

/// The function that tells the media type of a response.
pub(super) fn told_by(api: &Api) -> proc_macro2::Ident {
    ident(if api.client.is_strict {
        "consumed"
    } else {
        "meant"
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
