//! `client.rs`: the typed client, one method per operation with the handler's own types.

mod answer;
mod method;
mod refusal;

use super::doc_comment::doc;
use super::tokens::ident;
use crate::ir::{Api, Scheme, SchemeKind};
use crate::rust::names;
use proc_macro2::TokenStream;
use quote::quote;

pub(super) use method::{From, arguments, body_ty, method, set_param};

/// The client's constructors for credentials and its methods.
pub(super) fn file(api: &Api) -> (&'static str, Vec<TokenStream>) {
    let mut items = vec![client(api)];
    items.extend(refusal::definition(api));
    let schemes = shown(api).iter();
    let credentials = schemes.filter_map(|scheme| credential(scheme, &quote!(self.0)));
    let credentials: Vec<_> = credentials.collect();
    let methods: Vec<_> = api
        .operations
        .iter()
        .map(|operation| {
            let group = api.groups.iter().find(|group| group.tag == operation.tag);
            let module = group.map_or_else(|| ident("api"), names::module);
            let from = From {
                module: quote!(api::#module),
                client: quote!(self.0),
                ids: quote!(operations::OperationId),
                to_url: false,
            };
            method(api, operation, &from)
        })
        .collect();
    if !methods.is_empty() {
        items.push(quote! {
            impl<T: runtime::Transport> Client<T> { #(#credentials)* #(#methods)* }
        });
    }
    ("The typed client of the contract.", items)
}

/// The schemes whose credentials the client may show, which calls nothing where only webhooks are called.
pub(super) fn shown(api: &Api) -> &[Scheme] {
    if api.operations.is_empty() {
        &[]
    } else {
        &api.schemes
    }
}

/// The client, which is the runtime's with the methods of the contract.
fn client(api: &Api) -> TokenStream {
    let strict = api.client.is_strict.then(|| quote!(.strict()));
    quote! {
        pub use runtime::{HttpTransport, Transport};

        /// Why a call gave no answer of its handler.
        pub type ClientError<E> = runtime::ClientError<E, Refusal>;

        /// Calls the operations of the contract on one server.
        #[derive(Debug, Clone)]
        pub struct Client<T>(rt::client::Client<T>);

        impl<T: runtime::Transport> Client<T> {
            /// A client of the server at `base`, such as `http://127.0.0.1:8080`, without the
            /// contract's base path.
            pub fn new(base: &str, transport: T) -> Self {
                Self(rt::client::Client::new(base, transport) #strict)
            }

            /// The same client, sending a header with every request: a credential.
            pub fn with_header(self, name: http::HeaderName, value: http::HeaderValue) -> Self {
                Self(self.0.with_header(name, value))
            }
        }
    }
}

/// The method that gives the client at `client` a scheme's credential; `None` for certificates, which
/// are the transport's, and for unknown schemes, whose callers use `with_header`.
pub(super) fn credential(scheme: &Scheme, client: &TokenStream) -> Option<TokenStream> {
    let (name, constant) = (names::with_credential(scheme), names::scheme(scheme));
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
        scheme.wire
    ));
    Some(quote! {
        #doc
        ///
        /// # Errors
        /// Where the place of the credential cannot hold it.
        pub fn #name(mut self, #arguments) -> Result<Self, runtime::BuildError> {
            #client = #client.#set?;
            Ok(self)
        }
    })
}

/// The calls that give a client some credential of each scheme.
pub(super) fn with_credentials<'a>(schemes: impl Iterator<Item = &'a Scheme>) -> TokenStream {
    let each = schemes.filter_map(|scheme| {
        let method = names::with_credential(scheme);
        match scheme.kind {
            SchemeKind::MutualTls | SchemeKind::Unknown => None,
            SchemeKind::Basic => Some(quote!(.#method("user", "secret").expect("a login"))),
            _ => Some(quote!(.#method("secret").expect("a credential"))),
        }
    });
    quote!(#(#each)*)
}
