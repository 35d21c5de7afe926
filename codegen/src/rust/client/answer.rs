//! Reads a response in a client's method.

use super::super::tokens::constant;
use crate::ir::{
    Api, Content, HeaderEncoding, Media, ParamShape, Response, ResponseHeader, Status, Style,
};
use crate::rust::names;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// One arm of the match on the status: a response of the contract, read.
pub(super) fn decode(
    api: &Api,
    module: &TokenStream,
    name: &proc_macro2::Ident,
    response: &Response,
) -> TokenStream {
    let rust = names::pascal(&response.name);
    let mut fields = Vec::new();
    let pattern = match response.status {
        Status::Code(code) => {
            let code = Literal::u16_unsuffixed(code);
            quote!(#code)
        }
        Status::Range(_) | Status::Default => {
            fields.push(quote!(status: response.status()));
            let own = super::super::api::status_ranges(response);
            quote!(#(#own)|*)
        }
    };
    fields.extend(read_body(api, module, response));
    for header in &response.headers {
        fields.extend(read_header(api, header, &quote!(&response)));
    }
    let whole = if fields.is_empty() {
        quote!(#module::#name::#rust)
    } else {
        quote!(#module::#name::#rust { #(#fields),* })
    };
    quote!(#pattern => Ok(#whole),)
}

fn read_body(api: &Api, module: &TokenStream, response: &Response) -> Option<TokenStream> {
    let read = |media: &Media| match &media.content {
        Content::Json(..) => quote!(rt::client::encoded(&response)?),
        Content::Text => quote!(rt::client::text(&response)?),
        Content::Scalar(_, key) => quote!(rt::client::scalar(&response, &crate::SCHEMAS, #key)?),
        Content::Form(..) | Content::Multipart(_) | Content::Stream => quote!(stream),
        Content::Items(framing, ..) => {
            let framing = super::super::api::framing(*framing);
            quote!(runtime::Items::answered(stream, #framing))
        }
        Content::Events(data, _) => super::super::api::read_events(data),
        Content::Parts(parts) => {
            let read = super::super::api::parts_reader(api, None, parts);
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
            let read = tagged(quote! {
                match rt::media::consumed(response.headers(), &[#(#types),*]) {
                    #(#arms)*
                    _ => return Err(rt::client::undocumented(response)),
                }
            });
            Some(quote!(body: #read))
        }
    }
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
    let param = super::super::api::declared(&wire, of, (style, explode), layout);
    Some(match header.required {
        true => quote!(#name: rt::client::styled_header(#from, &crate::SCHEMAS, #param)?),
        false => {
            quote!(#name: rt::client::optional_styled_header(#from, &crate::SCHEMAS, #param)?)
        }
    })
}
