//! The method that calls one operation.

use super::super::deprecation;
use super::super::doc_comment::doc;
use super::super::tokens::{self, ModelPath, ident, positions, ty};
use super::answer;
use crate::ir::uri;
use crate::ir::{Api, Body, Content, Media, Operation, Param, ParamLocation, Security};
use crate::rust::names;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// Where a method is printed.
pub(in crate::rust) struct From {
    /// The module of the operation's types.
    pub(in crate::rust) module: TokenStream,
    /// The client that sends.
    pub(in crate::rust) client: TokenStream,
    /// The ids of such operations.
    pub(in crate::rust) ids: TokenStream,
    /// Whether the whole URL is an argument.
    pub(in crate::rust) to_url: bool,
}

impl From {
    /// The path to the module of the errors, which `client.rs` is itself. It is no import, as the rest of
    /// another file may be there without the client.
    fn errors(&self) -> TokenStream {
        match self.to_url {
            true => quote!(crate::client::),
            false => TokenStream::new(),
        }
    }
}

/// The method that calls an operation.
pub(in crate::rust) fn method(api: &Api, operation: &Operation, from: &From) -> TokenStream {
    let From { module, client, .. } = from;
    let errors = from.errors();
    let name = names::method(operation);
    let text = format!(
        "`{} {}`\n\n{}",
        operation.method, operation.path, operation.summary
    );
    let doc = doc(&text);
    let url = from.to_url.then(|| quote!(url: &str,));
    let arguments = arguments(api, module, operation).into_iter();
    let (names, types): (Vec<_>, Vec<_>) = arguments.unzip();
    let deprecated = deprecation::of_operation(operation);
    let bind = declarations(api, operation, module);
    let request = request(api, operation, from);
    if operation.raw {
        return quote! {
            #doc
            ///
            /// # Errors
            /// Where there is no answer.
            #deprecated
            pub async fn #name(
                &self,
                #url
                #(#names: #types,)*
                request: http::Request<runtime::ByteStream>,
            ) -> Result<http::Response<runtime::ByteStream>, #errors ClientError<T::Error>> {
                #bind
                let request = #request.raw(request);
                #client.exchange(request).await
            }
        };
    }
    let response = super::super::api::response_name(operation);
    let accept = accept(operation);
    let body = operation
        .body
        .as_ref()
        .map(|body| send_body(api, module, body));
    let send = match streamed_statuses(api, operation) {
        None => quote!(let response = #client.send(request).await?;),
        Some(streamed) => quote!(let (response, stream) = #client.open(request, #streamed).await?;),
    };
    let read = read_answer(api, operation, module, &errors);
    let security = match operation.security {
        Security::Required(_) => Some(quote!(#[doc = ""] #[doc = " Needs a credential."])),
        _ => None,
    };
    quote! {
        #doc #security
        ///
        /// # Errors
        /// Where there is no answer, or one that is not the handler's to give.
        #deprecated
        pub async fn #name(&self, #url #(#names: #types),*) -> Result<#module::#response, #errors ClientError<T::Error>> {
            #bind
            let request = #request #accept;
            #body
            #send
            #read
        }
    }
}

/// Binds the declarations of the parameters that the client sends.
fn declarations(api: &Api, operation: &Operation, module: &TokenStream) -> Option<TokenStream> {
    let table = ident(&super::super::api::table_name(operation));
    let variables = names::variables(sent_params(operation));
    let specs: Vec<_> = variables.iter().map(|variables| &variables.spec).collect();
    let has_more = !operation.selectors().is_empty()
        || operation.if_none_match.is_some()
        || !super::super::security::query_keys(api, operation).is_empty();
    let rest = has_more.then(|| quote!(, ..));
    (!specs.is_empty()).then(|| quote!(let [#(#specs),* #rest] = &#module::#table;))
}

/// The request with all parameters, as an expression of `RequestBuilder`.
fn request(api: &Api, operation: &Operation, from: &From) -> TokenStream {
    let From { module, ids, .. } = from;
    let method = tokens::method(&operation.method);
    let request = match from.to_url {
        true => quote!(rt::RequestBuilder::to(#method, url)),
        false => {
            let path = path(api, operation);
            quote!(rt::RequestBuilder::new(#method, #path))
        }
    };
    let id = names::operation_id(operation);
    let is_told = operation.security != Security::Public || !operation.rivals.is_empty();
    let secured = is_told.then(|| quote!(.of(#ids::#id)));
    // Webhooks and callbacks go to third parties, who must not get the credentials.
    let is_silent = operation.is_silent_on_security && !api.schemes.is_empty() && !from.to_url;
    let credentials = is_silent.then(|| quote!(.with_all_credentials()));
    let table = ident(&super::super::api::table_name(operation));
    let path_values = operation.path_params.iter().map(|param| {
        let name = names::param(param);
        quote!(#name)
    });
    let values = path_values.chain(operation.params.iter().map(|param| {
        let name = names::param(param);
        quote!(params.#name)
    }));
    let queried = queried(api, operation);
    let variables = names::variables(sent_params(operation));
    let params = sent_params(operation).zip(&variables).zip(values);
    let sets = params.map(|((param, variables), value)| {
        let spec = &variables.spec;
        let check = param
            .may_be_read_as(&queried)
            .then(|| quote!(.check_shadowing(&crate::SCHEMAS, &#module::#table, #spec, &#value)));
        let set = set_param(param, spec, &value);
        quote!(#check #set)
    });
    let selectors = operation.selectors().into_iter();
    let selectors = selectors.map(|(name, value)| quote!(.query(#name, #value)));
    let types =
        answer::success_types(operation).filter(|_| !operation.raw && !api.client.is_strict);
    let content = types.map(|types| quote!(.expecting(#types)));
    quote!(#request #secured #credentials #content #(#sets)* #(#selectors)*)
}

/// The parameters that a method takes and sends.
fn sent_params(operation: &Operation) -> impl Iterator<Item = &Param> {
    operation.path_params.iter().chain(&operation.params)
}

/// The names of everything that the query may have: parameters, selectors and credentials.
fn queried<'a>(api: &'a Api, operation: &'a Operation) -> Vec<&'a str> {
    let params = operation.params.iter();
    let params = params.filter(|param| param.place == ParamLocation::Query);
    let params = params.map(|param| param.field.wire.as_str());
    let selectors = operation.selectors().into_iter().map(|(name, _)| name);
    let keys = super::super::security::query_keys(api, operation);
    params.chain(selectors).chain(keys).collect()
}

/// Reads the answer by its status. A response that others leave no status to is never read.
fn read_answer(
    api: &Api,
    operation: &Operation,
    module: &TokenStream,
    errors: &TokenStream,
) -> TokenStream {
    let responses = operation.responses.iter();
    let arms = responses.filter_map(|response| answer::decode(api, module, operation, response));
    let (arms, error): (Vec<_>, _) = (
        arms.collect(),
        super::refusal::error(api, operation, errors),
    );
    if arms.is_empty() {
        return quote!(Err(#error));
    }
    quote! {
        match response.status().as_u16() {
            #(#arms)*
            _ => Err(#error),
        }
    }
}

/// Sets a parameter of a request.
pub(in crate::rust) fn set_param(param: &Param, spec: &Ident, value: &TokenStream) -> TokenStream {
    let encoding = param.allow_reserved.then(|| quote!(.allow_reserved()));
    let set = match &param.default {
        _ if !param.is_doubtful => quote!(.param(#spec, &#value)),
        _ if param.field.required => quote!(.required(&crate::SCHEMAS, #spec, &#value)),
        Some(default) => {
            let default = default.to_string();
            quote!(.defaulted(&crate::SCHEMAS, #spec, &#value, #default))
        }
        None => quote!(.optional(&crate::SCHEMAS, #spec, &#value)),
    };
    quote!(#encoding #set)
}

/// The template of the whole path, as an expression of `String`.
fn path(api: &Api, operation: &Operation) -> TokenStream {
    let base = operation.own_base_path(&api.base_path);
    let base = base.unwrap_or_else(|| api.base_path.clone());
    let whole = base + &uri::encoded(&operation.path);
    quote!(#whole.to_owned())
}

/// The function that says whether an answer is a stream; `None` where none is.
fn streamed_statuses(api: &Api, operation: &Operation) -> Option<TokenStream> {
    let (mut arms, mut always, mut by_type) = (Vec::new(), Vec::new(), false);
    for response in &operation.responses {
        let streamed = response.streamed();
        let is_kept = api.client.keeps_body(operation, response);
        let statuses = answer::statuses(api, operation, response);
        if (streamed.is_empty() && !is_kept) || statuses.is_empty() {
            continue;
        }
        let statuses = answer::pattern(&statuses);
        let says = if is_kept || streamed.len() == response.media.len() {
            always.push(statuses.clone());
            quote!(true)
        } else {
            by_type = true;
            let types = response.media.iter().map(|media| &media.media_type);
            let (streamed, matched) = (positions(&streamed), answer::media_type_function(api));
            quote!(matches!(rt::media::#matched(headers, &[#(#types),*]), Some(#streamed)))
        };
        arms.push(quote!(#statuses => #says,));
    }
    if by_type {
        Some(quote!(|code, headers| match code { #(#arms)* _ => false }))
    } else {
        (!always.is_empty()).then(|| quote!(|code, _| matches!(code, #(#always)|*)))
    }
}

fn accept(operation: &Operation) -> Option<TokenStream> {
    let mut types: Vec<&str> = Vec::new();
    for media in operation
        .responses
        .iter()
        .flat_map(|response| &response.media)
    {
        if !types.contains(&media.media_type.as_str()) && is_header_value(&media.media_type) {
            types.push(&media.media_type);
        }
    }
    let list = types.join(", ");
    (!types.is_empty())
        .then(|| quote!(.header(http::header::ACCEPT, http::HeaderValue::from_static(#list))))
}

/// `HeaderValue::from_static` panics on anything else.
fn is_header_value(text: &str) -> bool {
    text.bytes().all(|byte| (32..127).contains(&byte))
}

/// The arguments of the caller, by name and type.
pub(in crate::rust) fn arguments(
    api: &Api,
    module: &TokenStream,
    operation: &Operation,
) -> Vec<(Ident, TokenStream)> {
    let mut arguments = Vec::new();
    for param in &operation.path_params {
        let ty = ty(api, &param.field.ty, ModelPath::Qualified);
        arguments.push((names::param(param), ty));
    }
    if !operation.params.is_empty() {
        let name = super::super::api::params_name(operation);
        arguments.push((ident("params"), quote!(#module::#name)));
    }
    if let Some(body) = &operation.body {
        let ty = body_ty(api, module, body);
        let ty = if body.required {
            ty
        } else {
            quote!(Option<#ty>)
        };
        arguments.push((ident("body"), ty));
    }
    arguments
}

/// The type of a body, which must be there.
pub(in crate::rust) fn body_ty(api: &Api, module: &TokenStream, body: &Body) -> TokenStream {
    match body.media.as_slice() {
        [only] => super::super::api::content_ty(api, only, &quote!(#module::)),
        _ => {
            let name = names::pascal(&body.name);
            quote!(#module::#name)
        }
    }
}

fn send_body(api: &Api, module: &TokenStream, body: &Body) -> TokenStream {
    let send = |media: &Media| {
        let media_type = media.sent();
        match &media.content {
            Content::Json(..) => quote!(request.json(#media_type, &body)),
            Content::Form(_, _, fields) => {
                let fields = super::super::api::styled(fields);
                quote!(request.form(&body, #fields))
            }
            Content::Multipart(_) => quote!(request.multipart(body.into_form())),
            Content::Text => quote!(request.body(#media_type, body)),
            Content::Scalar(..) => quote!(request.scalar(#media_type, &body)),
            Content::Stream => quote!(request.stream(#media_type, body)),
            Content::Items(framing, ..) => {
                let framing = super::super::api::framing(*framing);
                quote!(request.stream(#media_type, body.into_bytes(#framing)))
            }
            Content::Events(data, _) => {
                let written = super::super::api::write_events(data);
                quote!(request.stream(#media_type, #written))
            }
            Content::Parts(parts) => {
                let written = super::super::api::write_parts(api, media, parts);
                let media_type = super::super::api::parts_essence(media);
                quote!(request.stream(#media_type, #written))
            }
        }
    };
    let set = match body.media.as_slice() {
        [only] => send(only),
        several => {
            let name = names::pascal(&body.name);
            let arms = several.iter().map(|media| {
                let (rust, send) = (names::pascal(&media.name), send(media));
                quote!(#module::#name::#rust(body) => #send,)
            });
            quote!(match body { #(#arms)* })
        }
    };
    if body.required {
        quote!(let request = #set;)
    } else {
        quote! {
            let request = match body {
                Some(body) => #set,
                None => request,
            };
        }
    }
}
