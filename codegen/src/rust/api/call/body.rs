//! The body of a request: taken as bytes or as a stream, and decoded.

use super::super::super::tokens::{ModelPath, positions};
use super::super::parts;
use super::{Step, styled};
use crate::ir::{Body, Bounds, Content, Media};
use crate::rust::names;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

impl Step<'_> {
    /// The bytes or the stream of the request.
    pub(super) fn read_body(&self) -> TokenStream {
        let stream = quote! {
            let stream_rejection = rt::StreamRejection::default();
            let stream =
                runtime::ByteStream::incoming(call.body, &call.parts.headers, &call.limits, &stream_rejection);
        };
        if self.operation.raw {
            return stream;
        }
        let Some(body) = &self.operation.body else {
            return TokenStream::new();
        };
        let streamed = body.streamed();
        if streamed.is_empty() {
            return quote!(let bytes = rt::body::read(call.body, call.limits.body).await?;);
        }
        if is_only_streamed(body) {
            return stream;
        }
        let streamed = positions(&streamed);
        quote! {
            let stream_rejection = rt::StreamRejection::default();
            let consumed = rt::media::consumed(&call.parts.headers, call.operation.consumes);
            let streamed = matches!(consumed, Some(#streamed));
            let (bytes, stream) =
                rt::body::take(call.body, &call.parts.headers, &call.limits, streamed, &stream_rejection).await?;
        }
    }

    /// The value of the body, or its violations.
    pub(super) fn decode_body(&self) -> TokenStream {
        let Some(body) = &self.operation.body else {
            return TokenStream::new();
        };
        // What is only read by the handler cannot be wrong before: it is there at once.
        let at_once = !body.required && is_only_streamed(body);
        let decode_media = |media: &Media, several: Option<&Body>| {
            let decode = self.decode_media(media, several);
            if at_once {
                quote!(Some(#decode))
            } else {
                decode
            }
        };
        let decode = match body.media.as_slice() {
            [only] => decode_media(only, None),
            _ => {
                let arms = body.indexed().map(|(indices, media)| {
                    let indices = indices.map(Literal::usize_unsuffixed);
                    let decode = decode_media(media, Some(body));
                    quote!(Some(#(#indices)|*) => #decode,)
                });
                let consumed = match body.streamed().as_slice() {
                    [] => quote!(rt::media::consumed(
                        &call.parts.headers,
                        call.operation.consumes
                    )),
                    _ if is_only_streamed(body) => {
                        quote!(rt::media::consumed(
                            &call.parts.headers,
                            call.operation.consumes
                        ))
                    }
                    // Known since the body was taken.
                    _ => quote!(consumed),
                };
                quote! {
                    match #consumed {
                        #(#arms)*
                        _ => return Err(runtime::Rejection::MediaType {
                            consumes: call.operation.consumes
                        }),
                    }
                }
            }
        };
        if body.required {
            return quote!(let body = #decode;);
        }
        let empty = match body.streamed().as_slice() {
            [] => quote!(bytes.is_empty()),
            _ if is_only_streamed(body) => quote!(stream.is_empty()),
            _ => quote!(bytes.is_empty() && stream.is_empty()),
        };
        let present = match at_once {
            true => decode,
            false => quote!((#decode).map(Some)),
        };
        quote!(let body = if #empty { Some(None) } else { #present };)
    }

    fn decode_media(&self, media: &Media, wrap: Option<&Body>) -> TokenStream {
        let variant = wrap.map(|body| {
            let (kind, rust) = (names::pascal(&body.name), names::pascal(&media.name));
            quote!(#kind::#rust)
        });
        if let Some(incoming) = self.incoming(media) {
            let incoming = counted(media, incoming);
            return match variant {
                Some(variant) => quote!(Some(#variant(#incoming))),
                None => quote!(Some(#incoming)),
            };
        }
        let decode = match &media.content {
            Content::Json(ty, key) => {
                let valid = self.checked.function(self.api, ty);
                let ty = super::super::super::tokens::ty(self.api, ty, ModelPath::Qualified);
                quote!(reader.json::<#ty>(&bytes, #key, #valid)?)
            }
            Content::Form(ty, key, fields) => {
                let valid = self.checked.function(self.api, ty);
                let ty = super::super::super::tokens::ty(self.api, ty, ModelPath::Qualified);
                let fields = styled(fields);
                quote!(reader.form::<#ty>(&bytes, #fields, #key, #valid)?)
            }
            Content::Multipart(form) => {
                let name = names::pascal(&form.name);
                quote!(#name::read(&mut reader, &call.parts.headers, &bytes))
            }
            Content::Text => quote!(reader.text(&bytes)),
            Content::Scalar(ty, key) => {
                let valid = self.checked.function(self.api, ty);
                let ty = super::super::super::tokens::ty(self.api, ty, ModelPath::Qualified);
                quote!(reader.scalar::<#ty>(&bytes, #key, #valid))
            }
            // These are read while they come in.
            Content::Events(..) | Content::Stream | Content::Items(..) | Content::Parts(_) => {
                quote!(None)
            }
        };
        match variant {
            Some(variant) => quote!(#decode.map(#variant)),
            None => decode,
        }
    }

    /// A body that the handler reads while it comes in, which cannot be wrong before.
    fn incoming(&self, media: &Media) -> Option<TokenStream> {
        match &media.content {
            Content::Stream => Some(quote!(stream)),
            Content::Multipart(form) if form.has_files() => {
                Some(quote!(runtime::Upload::incoming(stream)))
            }
            Content::Items(framing, item, key) => {
                let framing = super::super::framing(*framing);
                let valid = self.checked.function(self.api, item);
                let item = super::super::super::tokens::ty(self.api, item, ModelPath::Qualified);
                Some(quote! {
                    runtime::Items::<#item>::incoming(stream, #framing, &crate::SCHEMAS, #key, #valid)
                })
            }
            Content::Events(data, fields) => Some(super::super::sequence::incoming_events(
                self.api,
                self.checked,
                data,
                fields.as_deref(),
            )),
            Content::Parts(parts) => {
                let content = parts::content_ty(self.api, parts, &TokenStream::new());
                let read = parts::reader(self.api, Some(self.checked), parts);
                Some(quote!(runtime::BodyParts::<#content>::incoming_by(stream, #read)))
            }
            _ => None,
        }
    }
}

/// The items of a body, of which there are as many as its schema says.
fn counted(media: &Media, items: TokenStream) -> TokenStream {
    if media.count == Bounds::NONE {
        return items;
    }
    let min = Literal::u64_unsuffixed(media.count.min);
    let max = media.count.max.map(Literal::u64_unsuffixed);
    let max = max.map_or_else(|| quote!(None), |max| quote!(Some(#max)));
    quote!(#items.counted(#min, #max, &stream_rejection))
}

/// Whether nothing of a body is read before the handler reads it.
pub(super) fn is_only_streamed(body: &Body) -> bool {
    body.media.iter().all(Media::is_streamed)
}
