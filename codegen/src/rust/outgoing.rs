//! `webhooks.rs` and `callbacks.rs`: the requests that the API sends to servers of others, for senders and for
//! receivers.

use super::check::Checked;
use super::client::{self, From};
use super::doc_comment::doc;
use super::tokens::{ModelPath, ident, ty};
use super::{api, service};
use crate::ir::{Api, Argument, CallbackUrl, Operation, Scheme, Type, TypeKind, UrlPart};
use crate::rust::names;
use proc_macro2::TokenStream;
use quote::quote;

/// A file of such operations, and its names.
pub(super) struct OutgoingFile<'a> {
    /// The word for one of them in doc comments.
    what: &'static str,
    interface: &'static str,
    sender: &'static str,
    ids: &'static str,
    operations: Vec<&'a Operation>,
    urls: Vec<&'a CallbackUrl>,
}

/// The webhooks; `None` where there are none.
pub(super) fn webhooks(api: &Api) -> Option<OutgoingFile<'_>> {
    (!api.webhooks.is_empty()).then(|| OutgoingFile {
        what: "webhook",
        interface: "Webhooks",
        sender: "WebhookSender",
        ids: "WebhookId",
        operations: api.webhooks.iter().collect(),
        urls: Vec::new(),
    })
}

/// The callbacks; `None` where there are none.
pub(super) fn callbacks(api: &Api) -> Option<OutgoingFile<'_>> {
    let callbacks = api.callbacks.iter();
    (!api.callbacks.is_empty()).then(|| OutgoingFile {
        what: "callback",
        interface: "Callbacks",
        sender: "CallbackSender",
        ids: "CallbackId",
        operations: callbacks.clone().map(|one| &one.operation).collect(),
        urls: callbacks.filter_map(|one| one.url.as_ref()).collect(),
    })
}

/// The sender, the URLs, the trait of the receiver with all types, and its service.
pub(super) fn file(
    api: &Api,
    checked: &Checked,
    file: &OutgoingFile<'_>,
) -> (&'static str, Vec<TokenStream>) {
    let interface = ident(file.interface);
    let text = format!("The answers of a receiver of {}s.", file.what);
    let mut items = vec![sender(api, file)];
    items.extend(file.urls.iter().map(|callback| url(api, callback)));
    let operations = &file.operations;
    items.extend(api::items(api, checked, operations, &interface, &text));
    items.push(service::receiver(
        api,
        &quote!(#interface),
        &ident(file.ids),
        operations,
    ));
    let doc = match file.what {
        "webhook" => "The webhooks of the contract: to send them, and to receive them.",
        _ => "The callbacks of the contract: to send them, and to receive them.",
    };
    (doc, items)
}

/// The schemes whose credentials the sender of these operations may show.
pub(super) fn schemes<'a>(
    api: &'a Api,
    operations: &'a [&'a Operation],
) -> impl Iterator<Item = &'a Scheme> {
    let wanted = |name: &str| {
        let operations = operations.iter();
        let mut all = operations.flat_map(|operation| operation.requirements.iter().flatten());
        all.any(|(wanted, _)| wanted == name)
    };
    let schemes = api.schemes.iter();
    schemes.filter(move |scheme| wanted(&scheme.wire))
}

fn sender(api: &Api, file: &OutgoingFile<'_>) -> TokenStream {
    let name = ident(file.sender);
    let text = format!("Sends {}s, each to the URL of its receiver.", file.what);
    let doc = doc(&text);
    let client = quote!(self.client);
    let schemes = schemes(api, &file.operations);
    let credentials = schemes.filter_map(|scheme| client::credential(scheme, &client));
    let ids = ident(file.ids);
    let from = From {
        module: quote!(self),
        client: client.clone(),
        ids: quote!(operations::#ids),
        to_url: true,
    };
    let operations = file.operations.iter();
    let methods = operations.map(|operation| client::method(api, operation, &from));
    quote! {
        #doc
        #[cfg(feature = "client")]
        #[derive(Debug, Clone)]
        pub struct #name<T> {
            client: rt::client::Client<T>,
        }

        #[cfg(feature = "client")]
        impl<T: runtime::Transport> #name<T> {
            /// A sender over a transport.
            pub fn new(transport: T) -> Self {
                Self { client: rt::client::Client::new("", transport) }
            }

            /// The same sender, sending a header with every request: a credential.
            pub fn with_header(mut self, name: http::HeaderName, value: http::HeaderValue) -> Self {
                self.client = self.client.with_header(name, value);
                self
            }

            #(#credentials)*
            #(#methods)*
        }
    }
}

/// The function that makes the URL of a callback.
fn url(api: &Api, url: &CallbackUrl) -> TokenStream {
    let name = ident(&format!("{}_url", url.name));
    let doc = doc(&format!(
        "The URL `{}`, from the request and the response of the operation.",
        url.expression
    ));
    let arguments = url.given.iter().map(|given| argument(api, url, given));
    let parts = url.parts.iter().map(|part| match part {
        UrlPart::Text(text) => quote!(#text.to_owned()),
        UrlPart::Value {
            given,
            field,
            pointer,
            expression,
            encoded,
        } => {
            let function = ident(if *encoded { "part" } else { "text" });
            let value = names::snake(given);
            let value = match field.as_ref().map(names::snake) {
                Some(field) => quote!(&#value.#field),
                None => quote!(#value),
            };
            quote!(rt::expression::#function(#expression, #value, #pointer)?)
        }
    });
    quote! {
        #doc
        ///
        /// # Errors
        /// Where a value of it is not there.
        pub fn #name(#(#arguments),*) -> Result<String, rt::Unresolved> {
            Ok([#(#parts),*].concat())
        }
    }
}

fn argument(api: &Api, url: &CallbackUrl, given: &Argument) -> TokenStream {
    let name = match given {
        Argument::Params => ident("params"),
        Argument::Text(name) | Argument::Value(name, _) => names::snake(name),
    };
    let owner = url.of.and_then(|of| api.operations.get(of));
    let ty = borrowed_given(api, owner, given);
    quote!(#name: &#ty)
}

/// The type of an argument that a link or callback needs of an operation's request, behind a reference.
pub(super) fn borrowed_given(
    api: &Api,
    owner: Option<&Operation>,
    given: &Argument,
) -> TokenStream {
    match given {
        Argument::Params => {
            let group = owner.and_then(|owner| api.groups.iter().find(|g| g.tag == owner.tag));
            let ty = owner.zip(group).map(|(owner, group)| {
                let (module, name) = (names::module(group), api::params_name(owner));
                quote!(crate::api::#module::#name)
            });
            quote!(#ty)
        }
        Argument::Text(_) => quote!(str),
        Argument::Value(_, ty) => borrowed(api, ty),
    }
}

/// A type behind a reference.
fn borrowed(api: &Api, ty: &Type) -> TokenStream {
    match &ty.kind {
        TypeKind::String => quote!(str),
        TypeKind::Array(item) => {
            let item = self::ty(api, item, ModelPath::Qualified);
            quote!([#item])
        }
        _ => self::ty(api, ty, ModelPath::Qualified),
    }
}
