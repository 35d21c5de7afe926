//! `client.rs`: the typed client, one method per operation with the handler's own types.

use super::rust::{Seen, constant, doc, ident, ty};
use crate::ir::{
    Api, Body, Content, Layout, Media, Operation, Response, ResponseHeader, Scheme, SchemeKind,
    Security, Status, Written,
};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// The client's constructors for credentials and its methods.
pub(super) fn file(api: &Api) -> (&'static str, Vec<TokenStream>) {
    let mut items = vec![client()];
    let credentials: Vec<_> = api
        .schemes
        .iter()
        .filter_map(|scheme| credential(scheme, &quote!(self.0)))
        .collect();
    let methods: Vec<_> = api
        .operations
        .iter()
        .map(|operation| {
            let group = api.groups.iter().find(|group| group.tag == operation.tag);
            let module = ident(group.map_or("api", |group| &group.module));
            let from = From {
                module: quote!(api::#module),
                client: quote!(self),
                ids: quote!(operations::OperationId),
                to_url: false,
            };
            method(api, operation, &from)
        })
        .collect();
    if !methods.is_empty() {
        let secured = !super::security::is_public(&api.operations);
        let schemes = (secured || !credentials.is_empty()).then(|| quote!(self,));
        let unsendable = (!credentials.is_empty()).then(|| quote!(, Unsendable));
        items.push(quote! {
            use crate::api;
            use crate::operations::{#schemes BASE_PATH};
            use crate::runtime::draft::{Draft #unsendable};

            impl<T: Transport> Client<T> { #(#credentials)* #(#methods)* }
        });
    }
    ("The typed client of the contract.", items)
}

/// The client, which is the runtime's with the methods of the contract.
fn client() -> TokenStream {
    quote! {
        pub use crate::runtime::client::ClientError;
        pub use crate::runtime::transport::{HttpTransport, Transport};
        use crate::runtime::client as answer;

        /// Calls the operations of the contract on one server.
        #[derive(Debug, Clone)]
        pub struct Client<T>(answer::Client<T>);

        impl<T: Transport> Client<T> {
            /// A client of the server at `base`, such as `http://127.0.0.1:8080`, without the
            /// contract's base path.
            pub fn new(base: &str, transport: T) -> Self {
                Self(answer::Client::new(base, transport))
            }

            /// The same client, sending a header with every request: a credential.
            pub fn with_header(self, name: http::HeaderName, value: http::HeaderValue) -> Self {
                Self(self.0.with_header(name, value))
            }
        }

        impl<T> std::ops::Deref for Client<T> {
            type Target = answer::Client<T>;

            fn deref(&self) -> &Self::Target {
                &self.0
            }
        }
    }
}

/// The method that gives the client at `client` a scheme's credential; certificates are the
/// transport's, and where one travels of which nothing is known, `with_header` can do it.
pub(super) fn credential(scheme: &Scheme, client: &TokenStream) -> Option<TokenStream> {
    let (name, constant) = (ident(&scheme.method), ident(&scheme.constant));
    let (arguments, set) = match scheme.kind {
        SchemeKind::MutualTls | SchemeKind::Unknown => return None,
        SchemeKind::Basic => (
            quote!(user: &str, password: &str),
            quote!(with_login(&operations::#constant, user, password)),
        ),
        _ => (
            quote!(secret: &str),
            quote!(with_credential(&operations::#constant, secret)),
        ),
    };
    let doc = doc(&format!(
        "The same client with a credential of the scheme `{}`, which it shows to the operations \
         that ask for it.",
        scheme.name
    ));
    Some(quote! {
        #doc
        ///
        /// # Errors
        /// Where the place of the credential cannot hold it.
        pub fn #name(mut self, #arguments) -> Result<Self, Unsendable> {
            #client = #client.#set?;
            Ok(self)
        }
    })
}

/// The calls that give a client some credential of each scheme.
pub(super) fn with_credentials<'a>(schemes: impl Iterator<Item = &'a Scheme>) -> TokenStream {
    let each = schemes.filter_map(|scheme| {
        let method = ident(&scheme.method);
        match scheme.kind {
            SchemeKind::MutualTls | SchemeKind::Unknown => None,
            SchemeKind::Basic => Some(quote!(.#method("user", "secret").expect("a login"))),
            _ => Some(quote!(.#method("secret").expect("a credential"))),
        }
    });
    quote!(#(#each)*)
}

/// Where a method is printed.
pub(super) struct From {
    /// The module of the operation's types.
    pub(super) module: TokenStream,
    /// The client that sends.
    pub(super) client: TokenStream,
    /// The ids of such operations.
    pub(super) ids: TokenStream,
    /// Whether the whole URL is an argument.
    pub(super) to_url: bool,
}

/// The method that calls an operation.
pub(super) fn method(api: &Api, operation: &Operation, from: &From) -> TokenStream {
    let From {
        module,
        client,
        ids,
        ..
    } = from;
    let name = ident(&operation.rust);
    let table = ident(&super::api::table_name(operation));
    let response = super::api::response_name(operation);
    let method = ident(&operation.method);
    // The braces of the template are not those of `format!`.
    let template = operation.path.replace('{', "{{").replace('}', "}}");
    let path = format!("{{BASE_PATH}}{template}");
    let text = format!(
        "`{} {}`\n\n{}",
        operation.method, operation.path, operation.summary
    );
    let doc = doc(&text);
    let url = from.to_url.then(|| quote!(url: &str,));
    let draft = match from.to_url {
        true => quote!(Draft::to(http::Method::#method, url)),
        false => quote!(Draft::new(http::Method::#method, format!(#path))),
    };
    let arguments = arguments(api, module, operation);
    let params = operation.path_params.iter().chain(&operation.params);
    let specs: Vec<_> = params.map(|param| ident(&param.spec)).collect();
    let keys = super::security::query_keys(api, operation);
    let rest = (!operation.selectors().is_empty() || !keys.is_empty()).then(|| quote!(, ..));
    let bind = (!specs.is_empty()).then(|| quote!(let [#(#specs),* #rest] = &#module::#table;));
    let values = operation
        .path_params
        .iter()
        .map(|param| {
            let name = ident(&param.field.rust);
            quote!(#name)
        })
        .chain(operation.params.iter().map(|param| {
            let name = ident(&param.field.rust);
            quote!(params.#name)
        }));
    let params = operation.path_params.iter().chain(&operation.params);
    let sets = params.zip(&specs).zip(values);
    let sets = sets.map(|((param, spec), value)| {
        let always = param.field.required || param.default.is_some();
        match (param.writes_null, always) {
            (true, false) => quote!(.nullable(#spec, &#value)),
            (true, true) => quote!(.nullable(#spec, &Some(&#value))),
            (false, _) => quote!(.param(#spec, &#value)),
        }
    });
    let selectors = operation.selectors().into_iter();
    let selectors = selectors.map(|(name, value)| quote!(.query(#name, #value)));
    let sets = sets.chain(selectors);
    let id = ident(&operation.variant);
    let secured = (operation.security != Security::Public).then(|| quote!(.of(#ids::#id)));
    if operation.raw {
        return quote! {
            #doc
            ///
            /// # Errors
            /// Where there is no answer.
            pub async fn #name(
                &self,
                #url
                #(#arguments,)*
                request: Request<ByteStream>,
            ) -> Result<Response<ByteStream>, ClientError<T::Error>> {
                #bind
                let draft = #draft #secured #(#sets)*;
                #client.exchange(draft.raw(request)).await
            }
        };
    }
    let accept = accept(operation);
    let body = operation.body.as_ref().map(|body| send_body(module, body));
    // A response that others leave no status to is never read.
    let read = operation
        .responses
        .iter()
        .filter(|r| !r.statuses.is_empty());
    let arms = read.map(|r| decode(api, module, &response, r));
    let send = match streamed_statuses(operation) {
        None => quote!(let response = #client.send(draft).await?;),
        Some(streamed) => quote!(let (response, stream) = #client.open(draft, #streamed).await?;),
    };
    let security = match operation.security {
        Security::Required(_) => Some(quote!(#[doc = ""] #[doc = " Needs a credential."])),
        _ => None,
    };
    quote! {
        #doc #security
        ///
        /// # Errors
        /// Where there is no answer, or one that is not the handler's to give.
        pub async fn #name(&self, #url #(#arguments),*) -> Result<#module::#response, ClientError<T::Error>> {
            #bind
            let draft = #draft
                #secured #(#sets)* #accept;
            #body
            #send
            match response.status().as_u16() {
                #(#arms)*
                _ => Err(answer::refused(response)),
            }
        }
    }
}

/// The function that says whether an answer is a stream; `None` where none is.
fn streamed_statuses(operation: &Operation) -> Option<TokenStream> {
    let (mut arms, mut always, mut by_type) = (Vec::new(), Vec::new(), false);
    for response in &operation.responses {
        let streamed = response.streamed();
        if streamed.is_empty() || response.statuses.is_empty() {
            continue;
        }
        let statuses: Vec<_> = super::api::status_ranges(response).collect();
        let says = if streamed.len() == response.media.len() {
            always.extend(statuses.iter().cloned());
            quote!(true)
        } else {
            by_type = true;
            let types = response.media.iter().map(|media| &media.media_type);
            let streamed = streamed.into_iter().map(Literal::usize_unsuffixed);
            quote!(matches!(media::consumed(headers, &[#(#types),*]), Some(#(#streamed)|*)))
        };
        arms.push(quote!(#(#statuses)|* => #says,));
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

pub(super) fn arguments(
    api: &Api,
    module: &TokenStream,
    operation: &Operation,
) -> Vec<TokenStream> {
    let mut arguments = Vec::new();
    for param in &operation.path_params {
        let (name, ty) = (
            ident(&param.field.rust),
            ty(api, &param.field.ty, Seen::Outside),
        );
        arguments.push(quote!(#name: #ty));
    }
    if !operation.params.is_empty() {
        let name = super::api::params_name(operation);
        arguments.push(quote!(params: #module::#name));
    }
    if let Some(body) = &operation.body {
        let ty = body_ty(api, module, body);
        arguments.push(if body.required {
            quote!(body: #ty)
        } else {
            quote!(body: Option<#ty>)
        });
    }
    arguments
}

/// The type of a body, which must be there.
pub(super) fn body_ty(api: &Api, module: &TokenStream, body: &Body) -> TokenStream {
    match body.media.as_slice() {
        [only] => match &only.content {
            Content::Multipart(form) => {
                let name = ident(&form.rust);
                super::api::form_ty(form, quote!(#module::#name))
            }
            _ => super::api::content_ty(api, only),
        },
        _ => {
            let name = ident(&body.rust);
            quote!(#module::#name)
        }
    }
}

fn send_body(module: &TokenStream, body: &Body) -> TokenStream {
    let send = |media: &Media| {
        let media_type = media.sent();
        match &media.content {
            Content::Json(..) => quote!(draft.json(#media_type, &body)),
            Content::Form(_, _, fields) => {
                let fields = super::api::styled(fields);
                quote!(draft.form(&body, #fields))
            }
            Content::Multipart(_) => quote!(draft.multipart(body.into_form())),
            Content::Text => quote!(draft.body(#media_type, body)),
            Content::Stream => quote!(draft.stream(#media_type, body)),
            Content::Items(framing, ..) => {
                let framing = super::api::framing(*framing);
                quote!(draft.stream(#media_type, body.into_bytes(#framing)))
            }
            // Only answers are events.
            Content::Events(_) => quote!(draft),
        }
    };
    let set = match body.media.as_slice() {
        [only] => send(only),
        several => {
            let name = ident(&body.rust);
            let arms = several.iter().map(|media| {
                let (rust, send) = (ident(&media.rust), send(media));
                quote!(#module::#name::#rust(body) => #send,)
            });
            quote!(match body { #(#arms)* })
        }
    };
    if body.required {
        quote!(let draft = #set;)
    } else {
        quote! {
            let draft = match body {
                Some(body) => #set,
                None => draft,
            };
        }
    }
}

fn decode(
    api: &Api,
    module: &TokenStream,
    name: &proc_macro2::Ident,
    response: &Response,
) -> TokenStream {
    let rust = ident(&response.rust);
    let mut fields = Vec::new();
    let pattern = match response.status {
        Status::Code(code) => {
            let code = Literal::u16_unsuffixed(code);
            quote!(#code)
        }
        Status::Range(_) | Status::Default => {
            fields.push(quote!(status: response.status()));
            let own = super::api::status_ranges(response);
            quote!(#(#own)|*)
        }
    };
    fields.extend(read_body(module, response));
    for header in &response.headers {
        fields.extend(read_header(api, header));
    }
    let whole = if fields.is_empty() {
        quote!(#module::#name::#rust)
    } else {
        quote!(#module::#name::#rust { #(#fields),* })
    };
    quote!(#pattern => Ok(#whole),)
}

fn read_body(module: &TokenStream, response: &Response) -> Option<TokenStream> {
    let read = |media: &Media| match &media.content {
        Content::Json(..) => quote!(answer::encoded(&response)?),
        Content::Text => quote!(answer::text(&response)?),
        Content::Form(..) | Content::Multipart(_) | Content::Stream => quote!(stream),
        Content::Items(framing, ..) => {
            let framing = super::api::framing(*framing);
            quote!(Items::answered(stream, #framing))
        }
        Content::Events(data) => {
            let read = super::api::read_data(data);
            quote!(Events::answered_by(stream, #read))
        }
    };
    match response.media.as_slice() {
        [] => None,
        [only] => {
            let read = read(only);
            Some(quote!(body: #read))
        }
        several => {
            let name = ident(&response.body_rust);
            let types = several.iter().map(|media| &media.media_type);
            let arms = several.iter().enumerate().map(|(index, media)| {
                let (index, rust, read) = (
                    Literal::usize_unsuffixed(index),
                    ident(&media.rust),
                    read(media),
                );
                quote!(Some(#index) => #module::#name::#rust(#read),)
            });
            Some(quote! {
                body: match media::consumed(response.headers(), &[#(#types),*]) {
                    #(#arms)*
                    _ => return Err(answer::refused(response)),
                }
            })
        }
    }
}

fn read_header(api: &Api, set: &ResponseHeader) -> Option<TokenStream> {
    let header = &set.field;
    let (name, wire) = (ident(&header.rust), header.wire.to_ascii_lowercase());
    if constant(api, &header.ty).is_some() {
        return (!header.required).then(|| quote!(#name: response.headers().contains_key(#wire)));
    }
    let (style, explode, layout) = match &set.written {
        Written::Text => {
            return Some(match header.required {
                true => quote!(#name: answer::header(&response, #wire)?),
                false => quote!(#name: answer::optional_header(&response, #wire)?),
            });
        }
        Written::Simple { layout, explode } => ("Simple", *explode, layout),
        Written::Json => ("Json", false, &Layout::Scalar),
    };
    let (style, shape) = (ident(style), super::api::shape(layout));
    let form = quote!(Style::#style, #explode, #shape);
    Some(match header.required {
        true => quote!(#name: answer::styled_header(&response, #wire, #form)?),
        false => quote!(#name: answer::optional_styled_header(&response, #wire, #form)?),
    })
}
