//! From a request to a call: parameters and body are decoded together, and every violation of
//! either is reported at once.

use super::super::check::Checked;
use super::super::operations::place_name;
use super::super::rust::{Seen, ident, ty};
use super::super::security;
use super::params_name;
use crate::ir::{
    Api, Body, Content, Kind, Layout, Media, Operation, Param, Security, Shape, Style, Styled,
    Type, Width,
};
use crate::names;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use serde_json::Value;

/// The table of parameters; none where nothing reads it.
pub(super) fn table(api: &Api, operation: &Operation) -> Option<TokenStream> {
    let params = params(operation);
    if params.is_empty() && !operation.served {
        return None;
    }
    let table = ident(&table_name(operation));
    let selectors = selectors(operation, &security::query_keys(api, operation));
    let count = Literal::usize_unsuffixed(params.len() + selectors.len());
    let specs = params.into_iter().map(spec).chain(selectors);
    Some(quote!(pub(crate) static #table: [Param; #count] = [#(#specs),*];))
}

fn params(operation: &Operation) -> Vec<&Param> {
    let path = operation.path_params.iter();
    path.chain(&operation.params).collect()
}

/// The function that the dispatcher calls.
pub(super) fn function(
    api: &Api,
    checked: &Checked,
    operation: &Operation,
    interface: &Ident,
) -> TokenStream {
    let name = call_name(operation);
    let method = ident(&operation.rust);
    let params = params(operation);
    let table = ident(&table_name(operation));
    let beside = !operation.selectors().is_empty();
    let beside = beside || !security::query_keys(api, operation).is_empty();
    let rest = beside.then(|| quote!(, ..));
    let step = Step {
        api,
        checked,
        operation,
    };
    let body = step.read_body();
    let mut decoded: Vec<Ident> = params.iter().map(|param| ident(&param.local)).collect();
    let reads = params.iter().map(|param| step.read_param(param));
    let specs_bound = (!params.is_empty()).then(|| {
        let names = params.iter().map(|param| ident(&param.spec));
        quote!(let [#(#names),* #rest] = &#table;)
    });
    let reads: Vec<_> = reads.collect();
    let decode_body = step.decode_body();
    if operation.body.is_some() {
        decoded.push(ident("body"));
    }
    let taken = (!decoded.is_empty()).then(|| {
        quote! {
            let (#(Some(#decoded),)*) = (#(#decoded,)*) else {
                return Err(Fault::Internal);
            };
        }
    });
    let principal = security::find(api, operation);
    let accept = step.accept();
    let arguments = step.arguments();
    // Streams are taken as they are.
    let only_streams = operation.body.iter().all(is_only_streamed);
    let mutable = (!params.is_empty() || !only_streams).then(|| quote!(mut));
    let failed = match operation.body.as_ref().map(Body::streamed) {
        _ if operation.raw => quote!(|error| trouble.or(fault::failed(error))),
        Some(streamed) if !streamed.is_empty() => {
            quote!(|error| trouble.or(fault::failed(error)))
        }
        _ => quote!(fault::failed),
    };
    let new = ident(if operation.raw { "of_path" } else { "new" });
    let reader = if params.is_empty() && operation.body.is_none() {
        quote!(Reader::#new(&call.parts, &call.captures, &crate::SCHEMAS, &#table).finish()?;)
    } else {
        quote! {
            let #mutable reader = Reader::#new(&call.parts, &call.captures, &crate::SCHEMAS, &#table);
            #specs_bound
            #(#reads)*
            #decode_body
            reader.finish()?;
        }
    };
    let called = quote!(#interface::#method(&*host #(, #arguments)*).await.map_err(#failed));
    let answer = match operation.raw {
        true => quote!(#called.map(|response| response.map(Body::from))),
        false => quote!(#called?.into_http()),
    };
    quote! {
        pub(crate) fn #name<H: #interface>(host: Arc<H>, call: Call<H::Visitor>) -> Reply {
            Box::pin(async move {
                #principal
                call.negotiate()?;
                #body
                #reader
                #taken
                #accept
                #answer
            })
        }
    }
}

/// The name of the static that holds an operation's parameters.
pub(crate) fn table_name(operation: &Operation) -> String {
    format!("{}_PARAMS", names::stem(&operation.rust).to_uppercase())
}

/// The name of the function that the dispatcher calls.
pub(crate) fn call_name(operation: &Operation) -> Ident {
    ident(&format!("call_{}", names::stem(&operation.rust)))
}

/// What the query has beside parameters: what tells the operation from others of its path, and
/// credentials.
fn selectors(operation: &Operation, keys: &[&str]) -> Vec<TokenStream> {
    let selectors = operation.selectors().into_iter();
    let names = selectors.map(|(name, _)| name);
    let beside = |name| {
        declared(
            name,
            (quote!(Place::Query), ""),
            (Style::Form, true),
            &Layout::Scalar,
        )
    };
    names.chain(keys.iter().copied()).map(beside).collect()
}

fn spec(param: &Param) -> TokenStream {
    let place = place_name(param.place);
    let of = (quote!(Place::#place), param.schema.as_str());
    let written = (param.style, param.explode);
    declared(&param.field.wire, of, written, &param.layout)
}

/// The fields of a form that are declared as parameters are, because they are written so.
pub(crate) fn styled(fields: &[Styled]) -> TokenStream {
    let declared = fields.iter().map(|field| {
        let written = (field.style, field.explode);
        declared(
            &field.wire,
            (quote!(Place::Body), ""),
            written,
            &field.layout,
        )
    });
    quote!(&[#(#declared),*])
}

/// A declaration: its name, where it is and by which schema, and how it is written.
fn declared(
    name: &str,
    (place, schema): (TokenStream, &str),
    (style, explode): (Style, bool),
    layout: &Layout,
) -> TokenStream {
    let style = ident(match style {
        Style::Simple => "Simple",
        Style::Label => "Label",
        Style::Matrix => "Matrix",
        Style::Form => "Form",
        Style::SpaceDelimited => "SpaceDelimited",
        Style::PipeDelimited => "PipeDelimited",
        Style::DeepObject => "DeepObject",
        Style::Json => "Json",
    });
    let shape = shape(layout);
    quote! {
        Param {
            name: #name,
            place: #place,
            style: Style::#style,
            explode: #explode,
            shape: #shape,
            schema: #schema,
        }
    }
}

/// A layout as the runtime's `Shape`.
pub(crate) fn shape(layout: &Layout) -> TokenStream {
    match layout {
        Layout::Scalar => quote!(Shape::Scalar),
        Layout::Array => quote!(Shape::Array),
        Layout::Object(names) => quote!(Shape::Object(&[#(#names),*])),
    }
}

struct Step<'a> {
    api: &'a Api,
    checked: &'a Checked,
    operation: &'a Operation,
}

impl Step<'_> {
    fn read_body(&self) -> TokenStream {
        let stream = quote! {
            let trouble = Trouble::default();
            let stream =
                ByteStream::incoming(call.body, &call.parts.headers, &call.limits, &trouble);
        };
        if self.operation.raw {
            return stream;
        }
        let Some(body) = &self.operation.body else {
            return TokenStream::new();
        };
        let streamed = body.streamed();
        if streamed.is_empty() {
            return quote!(let bytes = body::read(call.body, call.limits.body).await?;);
        }
        if is_only_streamed(body) {
            return stream;
        }
        let streamed = streamed.into_iter().map(Literal::usize_unsuffixed);
        quote! {
            let trouble = Trouble::default();
            let consumed = media::consumed(&call.parts.headers, call.operation.consumes);
            let streamed = matches!(consumed, Some(#(#streamed)|*));
            let (bytes, stream) =
                body::take(call.body, &call.parts.headers, &call.limits, streamed, &trouble).await?;
        }
    }

    /// What the caller likes best of several media types.
    fn accept(&self) -> TokenStream {
        let accept = &self.operation.accept;
        let [(_, first), others @ ..] = accept.offers.as_slice() else {
            return TokenStream::new();
        };
        if others.is_empty() {
            return TokenStream::new();
        }
        let (name, first) = (ident(&accept.rust), ident(first));
        let arms = others.iter().enumerate().map(|(index, (_, rust))| {
            let (index, rust) = (Literal::usize_unsuffixed(index + 1), ident(rust));
            quote!(Some(#index) => #name::#rust,)
        });
        quote! {
            let accept = match media::acceptable(&call.parts.headers, call.operation.produces) {
                #(#arms)*
                _ => #name::#first,
            };
        }
    }

    fn read_param(&self, param: &Param) -> TokenStream {
        let (name, spec) = (ident(&param.local), ident(&param.spec));
        let ty = ty(self.api, &param.field.ty, Seen::Outside);
        let valid = self.checked.function(self.api, &param.field.ty);
        if let Some(default) = &param.default {
            let default = literal(self.api, &param.field.ty, default);
            return quote!(let #name: Option<#ty> = reader.defaulted(#spec, #valid, || #default););
        }
        if param.field.required {
            quote!(let #name: Option<#ty> = reader.required(#spec, #valid);)
        } else {
            quote!(let #name: Option<Option<#ty>> = reader.optional(#spec, #valid);)
        }
    }

    fn decode_body(&self) -> TokenStream {
        let Some(body) = &self.operation.body else {
            return TokenStream::new();
        };
        let decode = match body.media.as_slice() {
            [only] => self.decode_media(only, None),
            several => {
                let arms = several.iter().enumerate().map(|(index, media)| {
                    let index = Literal::usize_unsuffixed(index);
                    let decode = self.decode_media(media, Some(body));
                    quote!(Some(#index) => #decode,)
                });
                let consumed = match body.streamed().as_slice() {
                    [] => quote!(media::consumed(
                        &call.parts.headers,
                        call.operation.consumes
                    )),
                    _ if is_only_streamed(body) => {
                        quote!(media::consumed(
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
                        _ => return Err(Fault::MediaType),
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
        // What cannot be wrong before it is read is there at once.
        let incoming = match body.media.as_slice() {
            [only] => self.incoming(only),
            _ => None,
        };
        let present = match incoming {
            Some(incoming) => quote!(Some(Some(#incoming))),
            None => quote!((#decode).map(Some)),
        };
        quote!(let body = if #empty { Some(None) } else { #present };)
    }

    fn decode_media(&self, media: &Media, wrap: Option<&Body>) -> TokenStream {
        let variant = wrap.map(|body| {
            let (kind, rust) = (ident(&body.rust), ident(&media.rust));
            quote!(#kind::#rust)
        });
        if let Some(incoming) = self.incoming(media) {
            return match variant {
                Some(variant) => quote!(Some(#variant(#incoming))),
                None => quote!(Some(#incoming)),
            };
        }
        let decode = match &media.content {
            Content::Json(ty, key) => {
                let valid = self.checked.function(self.api, ty);
                let ty = super::super::rust::ty(self.api, ty, Seen::Outside);
                quote!(reader.json::<#ty>(&bytes, #key, #valid)?)
            }
            Content::Form(ty, key, fields) => {
                let valid = self.checked.function(self.api, ty);
                let ty = super::super::rust::ty(self.api, ty, Seen::Outside);
                let fields = styled(fields);
                quote!(reader.form::<#ty>(&bytes, #fields, #key, #valid)?)
            }
            Content::Multipart(form) => {
                let name = ident(&form.rust);
                quote!(#name::read(&mut reader, &call.parts.headers, &bytes))
            }
            Content::Text => quote!(reader.text(&bytes)),
            // Only answers are events, and the others are read while they come in.
            Content::Events(_) | Content::Stream | Content::Items(..) => quote!(None),
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
            Content::Multipart(form) if form.has_files() => Some(quote!(Upload::incoming(stream))),
            Content::Items(framing, item, key) => {
                let framing = super::framing(*framing);
                let valid = self.checked.function(self.api, item);
                let item = super::super::rust::ty(self.api, item, Seen::Outside);
                Some(quote! {
                    Items::<#item>::incoming(stream, #framing, &crate::SCHEMAS, #key, #valid)
                })
            }
            _ => None,
        }
    }

    fn arguments(&self) -> Vec<TokenStream> {
        let mut arguments = Vec::new();
        if self.operation.security != Security::Public {
            arguments.push(quote!(principal));
        }
        if self.operation.extensions {
            arguments.push(quote!(call.parts.extensions));
        }
        if self.operation.raw_headers {
            arguments.push(quote!(credential::conceal(
                call.parts.headers,
                call.operation
            )));
        }
        for param in &self.operation.path_params {
            let name = ident(&param.local);
            arguments.push(quote!(#name));
        }
        if !self.operation.params.is_empty() {
            let name = params_name(self.operation);
            let fields = self.operation.params.iter().map(|param| {
                let (field, local) = (ident(&param.field.rust), ident(&param.local));
                if field == local {
                    quote!(#field)
                } else {
                    quote!(#field: #local)
                }
            });
            arguments.push(quote!(#name { #(#fields),* }));
        }
        if self.operation.body.is_some() {
            arguments.push(quote!(body));
        }
        if self.operation.accept.offers.len() > 1 {
            arguments.push(quote!(accept));
        }
        if self.operation.raw {
            arguments.push(quote!(Request::from_parts(call.parts, stream)));
        }
        arguments
    }
}

/// An expression of `Option<T>` for a default value: a literal where there is one.
pub(crate) fn literal(api: &Api, ty: &Type, value: &Value) -> TokenStream {
    match (&ty.kind, value) {
        (Kind::Bool, Value::Bool(flag)) => quote!(Some(#flag)),
        (Kind::Integer(width), Value::Number(number)) if number.is_i64() => {
            let number = Literal::i64_unsuffixed(number.as_i64().unwrap_or_default());
            match width {
                Width::Any => quote!(Some(integer::Integer::from(#number))),
                _ => quote!(Some(#number)),
            }
        }
        (Kind::String, Value::String(text)) => quote!(Some(#text.to_owned())),
        (Kind::Model(id), _) => {
            let Some(model) = api.models.get(id.0) else {
                return quote!(None);
            };
            match (&model.shape, value) {
                (Shape::Alias(inner), _) => literal(api, inner, value),
                (Shape::Enum(variants), Value::String(text)) => {
                    match variants.iter().find(|variant| variant.wire == *text) {
                        Some(variant) => {
                            let (name, rust) = (ident(&model.name), ident(&variant.rust));
                            quote!(Some(models::#name::#rust))
                        }
                        None => quote!(None),
                    }
                }
                _ => parsed(value),
            }
        }
        _ => parsed(value),
    }
}

fn is_only_streamed(body: &Body) -> bool {
    body.media.iter().all(Media::is_streamed)
}

fn parsed(value: &Value) -> TokenStream {
    let text = value.to_string();
    quote!(serde_json::from_str(#text).ok())
}
