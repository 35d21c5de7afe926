//! `service.rs`: the operations as one service, and the answers that no handler gives.

use super::doc_comment::doc;
use super::tokens::{ModelPath, ident, ty};
use crate::ir::{Api, Known, Operation, RejectionAnswer, RejectionBody, RejectionKind};
use crate::rust::names;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// The trait of framework-made answers, the sum of all traits, and the dispatcher.
pub(super) fn file(api: &Api) -> (&'static str, Vec<TokenStream>) {
    let interfaces: Vec<TokenStream> = api
        .groups
        .iter()
        .map(|group| {
            let (module, interface) =
                (names::module(group), names::pascal_with(&group.name, "Api"));
            quote!(api::#module::#interface)
        })
        .collect();
    let foundation = super::security::foundation(&api.operations);
    let sum = quote! {
        /// Everything that one type must implement to serve the contract.
        pub trait Api
        where
            Self: #foundation,
            Self: Faults,
            #(Self: #interfaces,)*
        {}

        impl<H> Api for H
        where
            H: #foundation,
            H: Faults,
            #(H: #interfaces,)*
        {}
    };
    let calls = api.operations.iter().filter_map(|operation| {
        let group = api.groups.iter().find(|group| group.tag == operation.tag)?;
        let (tag, name) = (names::module(group), super::api::call_name(operation));
        let reply = quote!(rt::of_tag(&self.tags.#tag, |tag| tag.#name(call)));
        Some((operation, reply))
    });
    let call = call(&ident("OperationId"), calls);
    let dispatch = dispatch(
        api,
        &quote!(Faults),
        (&quote!(runtime::Host + Faults), &ident("OperationId")),
        &call,
    );
    (
        "The operations as one service, and the answers that no handler gives.",
        vec![faults(api), sum, entry(api), dispatch],
    )
}

/// The functions that make a service, and its dispatcher.
fn entry(api: &Api) -> TokenStream {
    if api.groups.is_empty() {
        return quote! {
            /// The contract as a service to mount, which answers that no operation has a path.
            pub fn service<H: Api>(host: std::sync::Arc<H>, limits: runtime::Limits) -> runtime::Service<Dispatcher<H>> {
                runtime::Service::new(Dispatcher { host }, limits)
            }

            /// Calls the method of an operation. Made by [`service()`].
            pub struct Dispatcher<H> {
                host: std::sync::Arc<H>,
            }
        };
    }
    let tags = tags(api);
    let names = api.groups.iter().map(names::module);
    quote! {
        /// The contract as a service to mount: it routes, admits, decodes, calls and answers.
        pub fn service<H: Api>(host: std::sync::Arc<H>, limits: runtime::Limits) -> runtime::Service<Dispatcher<H>> {
            let tags = Tags { #(#names: Some(host.clone()),)* };
            service_of(host, tags, limits)
        }

        /// The same of several types: a host, which is asked around every request, and one for each tag.
        pub fn service_of<H: runtime::Host + Faults>(
            host: std::sync::Arc<H>,
            tags: Tags<H::Context>,
            limits: runtime::Limits,
        ) -> runtime::Service<Dispatcher<H>> {
            runtime::Service::new(Dispatcher { host, tags }, limits)
        }

        #tags

        /// Calls the method of an operation. Made by [`service()`] and [`service_of()`].
        pub struct Dispatcher<H: runtime::Host> {
            host: std::sync::Arc<H>,
            tags: Tags<H::Context>,
        }
    }
}

/// The struct with the handlers of each tag.
fn tags(api: &Api) -> TokenStream {
    let names: Vec<Ident> = api.groups.iter().map(names::module).collect();
    let fields = api.groups.iter().zip(&names).map(|(group, module)| {
        let object = super::api::tag_name(group);
        let doc = doc(&format!("The tag `{}`.", group.tag));
        quote!(#doc pub #module: Option<std::sync::Arc<dyn api::#module::#object<C>>>,)
    });
    quote! {
        /// A type for each tag. The operations of a tag without one are answered as unknown paths are.
        pub struct Tags<C> { #(#fields)* }

        impl<C> Default for Tags<C> {
            fn default() -> Self {
                Self { #(#names: None,)* }
            }
        }
    }
}

fn faults(api: &Api) -> TokenStream {
    let methods = api
        .rejections
        .iter()
        .map(|rejection| rejection_method(api, rejection));
    quote! {
        /// The bodies of the answers that the framework gives in the place of a handler.
        ///
        /// Each method stands for one kind of fault; its status is the contract's. A kind for which the contract
        /// does not mark a response has a documented body with the facts, or else a plain one, unless a method
        /// says otherwise.
        pub trait Faults: Send + Sync + 'static {
            #(#methods)*
        }
    }
}

/// The name, the arguments and the meaning of a kind's method.
fn signature(kind: RejectionKind) -> (TokenStream, &'static str) {
    match kind {
        RejectionKind::Route => (quote!(), "No operation has this path."),
        RejectionKind::Method => (
            quote!(),
            "The path does not support the method; `Allow` is set already.",
        ),
        RejectionKind::NotAcceptable => (
            quote!(),
            "`Accept` refuses every media type of the operation.",
        ),
        RejectionKind::TooLarge => (quote!(limit: u64), "The body exceeds `limit` bytes."),
        RejectionKind::MediaType => (
            quote!(consumes: &[&'static str]),
            "The operation does not take the body's media type, but `consumes`; `Accept` is set already.",
        ),
        RejectionKind::Json => (
            quote!(reason: &'static str, line: usize, column: usize),
            "The body is not JSON; line and column are 0 where the place is unknown.",
        ),
        RejectionKind::Validation => (
            quote!(issues: &[runtime::Issue]),
            "Parameters or body break the contract.",
        ),
        RejectionKind::CredentialMissing => (quote!(), "A credential is required and absent."),
        RejectionKind::CredentialInvalid => (quote!(), "The credential is not accepted."),
        RejectionKind::ScopeInsufficient => (
            quote!(),
            "The caller lacks a scope that the operation asks for.",
        ),
        RejectionKind::RateLimit => (quote!(), "The caller is over its limit."),
        RejectionKind::Internal => (quote!(), "The server failed."),
        RejectionKind::Unavailable => (
            quote!(),
            "The server is unavailable; `Retry-After` is set already.",
        ),
    }
}

fn method_of(kind: RejectionKind) -> Ident {
    ident(match kind {
        RejectionKind::Route => "no_such_route",
        RejectionKind::Method => "method_not_allowed",
        RejectionKind::NotAcceptable => "not_acceptable",
        RejectionKind::TooLarge => "body_too_large",
        RejectionKind::MediaType => "media_type_not_taken",
        RejectionKind::Json => "not_json",
        RejectionKind::Validation => "invalid",
        RejectionKind::CredentialMissing => "credential_missing",
        RejectionKind::CredentialInvalid => "credential_invalid",
        RejectionKind::ScopeInsufficient => "scope_insufficient",
        RejectionKind::RateLimit => "rate_limited",
        RejectionKind::Internal => "internal",
        RejectionKind::Unavailable => "unavailable",
    })
}

fn rejection_method(api: &Api, rejection: &RejectionAnswer) -> TokenStream {
    let (arguments, meaning) = signature(rejection.kind);
    let name = method_of(rejection.kind);
    let doc = doc(&format!("Status {}: {meaning}", rejection.status));
    match &rejection.body {
        RejectionBody::Marked(body) => {
            let body = ty(api, body, ModelPath::Qualified);
            quote!(#doc fn #name(&self, #arguments) -> #body;)
        }
        RejectionBody::Inferred {
            ty: body, known, ..
        } => {
            let body = ty(api, body, ModelPath::Qualified);
            let (members, message, issues) = (
                self::known(known),
                message(rejection.kind),
                issues(rejection.kind),
            );
            quote! {
                #doc
                fn #name(&self, #arguments) -> runtime::ErrorBody<#body> {
                    const KNOWN: rt::Known = #members;
                    KNOWN.body(#message, #issues)
                }
            }
        }
        RejectionBody::Default => {
            let status = Literal::u16_unsuffixed(rejection.status);
            let issues = issues(rejection.kind);
            let unused = match rejection.kind {
                RejectionKind::TooLarge => quote!(let _ = limit;),
                RejectionKind::MediaType => quote!(let _ = consumes;),
                RejectionKind::Json => quote!(let _ = (reason, line, column);),
                _ => TokenStream::new(),
            };
            quote! {
                #doc
                fn #name(&self, #arguments) -> rt::DefaultBody { #unused rt::DefaultBody::new(#status, #issues) }
            }
        }
    }
}

/// The violations that a kind's method gets; none of other kinds.
fn issues(kind: RejectionKind) -> TokenStream {
    match kind {
        RejectionKind::Validation => quote!(issues),
        _ => quote!(&[]),
    }
}

/// The message of a kind's method, from its arguments.
fn message(kind: RejectionKind) -> TokenStream {
    match kind {
        RejectionKind::TooLarge => quote!(&format!("The body exceeds {limit} bytes.")),
        RejectionKind::Json => quote!(&rt::not_json(reason, line, column)),
        RejectionKind::MediaType => quote!(&rt::other_media_type(consumes)),
        RejectionKind::Validation => quote!(&rt::violated(issues)),
        _ => {
            let message = kind.message();
            quote!(#message)
        }
    }
}

fn known(value: &Known) -> TokenStream {
    match value {
        Known::Text(text) => quote!(rt::Known::Text(#text)),
        Known::Number(number) => {
            let number = Literal::u16_unsuffixed(*number);
            quote!(rt::Known::Number(#number))
        }
        Known::Bool(value) => quote!(rt::Known::Bool(#value)),
        Known::Message => quote!(rt::Known::Message),
        Known::Object(members) => {
            let members = members.iter().map(|(name, value)| {
                let value = known(value);
                quote!((#name, #value))
            });
            quote!(rt::Known::Object(&[#(#members),*]))
        }
        Known::List(items) => {
            let items = items.iter().map(known);
            quote!(rt::Known::List(&[#(#items),*]))
        }
        Known::Issues(issue) => {
            let issue = known(issue);
            quote!(rt::Known::Issues(&#issue))
        }
        Known::Place => quote!(rt::Known::Place),
        Known::At => quote!(rt::Known::At),
        Known::Keyword => quote!(rt::Known::Keyword),
    }
}

/// A method for a rejection that is never asked for, where the trait has none of its own.
pub(super) fn stub(api: &Api, rejection: &RejectionAnswer) -> Option<TokenStream> {
    let RejectionBody::Marked(body) = &rejection.body else {
        return None;
    };
    let body = ty(api, body, ModelPath::Qualified);
    let (arguments, _) = signature(rejection.kind);
    let name = method_of(rejection.kind);
    Some(quote!(fn #name(&self, #arguments) -> #body { unimplemented!() }))
}

/// A service of other operations than the document's own, with the same answers to rejections; `ids` is
/// the enum of these operations.
pub(super) fn receiver(
    api: &Api,
    interface: &TokenStream,
    ids: &Ident,
    operations: &[&Operation],
) -> TokenStream {
    let calls = operations.iter().map(|operation| {
        let name = super::api::call_name(operation);
        (*operation, quote!(self::#name(self.host.clone(), call)))
    });
    let call = call(ids, calls);
    let rejections = quote!(crate::service::Faults);
    let bound = quote!(#interface + #rejections);
    let dispatch = dispatch(api, &rejections, (&bound, ids), &call);
    quote! {
        /// The operations as a service that receives them, to mount. Each is below the root,
        /// at the path of its `Operation`; mount it wherever its sender is told to send.
        #[cfg(feature = "server")]
        pub fn service<H: #bound>(host: std::sync::Arc<H>, limits: runtime::Limits) -> runtime::Service<Dispatcher<H>> {
            runtime::Service::new(Dispatcher { host }, limits)
        }

        /// Calls the method of an operation. Made by [`service()`].
        #[cfg(feature = "server")]
        pub struct Dispatcher<H> {
            host: std::sync::Arc<H>,
        }

        #[cfg(feature = "server")]
        #dispatch
    }
}

/// How requests become calls of a host that is `bound` so, whose `rejections` answer in the place of
/// handlers. The host may have methods of the same names, so that the trait is named.
fn dispatch(
    api: &Api,
    rejections: &TokenStream,
    (bound, ids): (&TokenStream, &Ident),
    call: &TokenStream,
) -> TokenStream {
    let answers = api.rejections.iter().map(|answer| {
        let (pattern, arguments) = rejection(api, answer.kind);
        let (name, status) = (
            method_of(answer.kind),
            Literal::u16_unsuffixed(answer.status),
        );
        let challenging = answer.challenges.then(|| quote!(.challenging()));
        let media_type = &answer.media_type;
        let typed = (media_type != "application/json").then(|| quote!(.of_type(#media_type)));
        quote!(#pattern => rt::Answer::json(rt::status(#status), &#rejections::#name(&*self.host, #arguments)) #typed #challenging,)
    });
    quote! {
        impl<H: #bound> rt::Dispatch for Dispatcher<H> {
            type Host = H;
            type OperationId = operations::#ids;

            const OPERATIONS: &'static [operations::#ids] = &operations::#ids::ALL;

            fn host(&self) -> &H { &self.host }

            fn answer(&self, fault: &runtime::Rejection) -> rt::Answer {
                match fault { #(#answers)* }
            }

            fn call(&self, operation: operations::#ids, call: rt::Call<H::Context>) -> rt::Reply {
                #call
            }
        }
    }
}

/// The pattern of a kind's rejections, and the arguments that its method gets of them. A lack of
/// scopes that no operation demands is a credential that is not accepted.
fn rejection(api: &Api, kind: RejectionKind) -> (TokenStream, TokenStream) {
    let variant = match kind {
        RejectionKind::Method => quote!(Method { .. }),
        RejectionKind::TooLarge => quote!(TooLarge { limit }),
        RejectionKind::Json => quote!(Json {
            reason,
            line,
            column
        }),
        RejectionKind::Validation => quote!(Invalid(issues)),
        RejectionKind::RateLimit => quote!(RateLimited),
        RejectionKind::Unavailable => quote!(Unavailable { .. }),
        RejectionKind::Route => quote!(Route),
        RejectionKind::NotAcceptable => quote!(NotAcceptable),
        RejectionKind::MediaType => quote!(MediaType { consumes }),
        RejectionKind::CredentialMissing => quote!(CredentialMissing),
        RejectionKind::CredentialInvalid => quote!(CredentialInvalid),
        RejectionKind::ScopeInsufficient => quote!(ScopeInsufficient),
        RejectionKind::Internal => quote!(Internal),
    };
    let arguments = match kind {
        RejectionKind::TooLarge => quote!(*limit),
        RejectionKind::MediaType => quote!(consumes),
        RejectionKind::Json => quote!(reason, *line, *column),
        RejectionKind::Validation => quote!(issues),
        _ => TokenStream::new(),
    };
    let mut answers = api.rejections.iter();
    let has_scopes = answers.any(|answer| answer.kind == RejectionKind::ScopeInsufficient);
    let scopes = (kind == RejectionKind::CredentialInvalid && !has_scopes)
        .then(|| quote!(| runtime::Rejection::ScopeInsufficient));
    (quote!(runtime::Rejection::#variant #scopes), arguments)
}

/// The body of `Dispatch::call`: one arm for each operation, with its reply. The router finds no operation
/// that only the client has.
fn call<'o>(
    ids: &Ident,
    operations: impl Iterator<Item = (&'o Operation, TokenStream)>,
) -> TokenStream {
    let mut operations = operations.peekable();
    if operations.peek().is_none() {
        return quote! {
            let _ = call;
            match operation {}
        };
    }
    let arms = operations.map(|(operation, reply)| {
        let variant = names::operation_id(operation);
        let reply = match operation.served {
            true => reply,
            false => quote!(rt::no_route()),
        };
        quote!(#ids::#variant => #reply,)
    });
    quote! {
        use operations::#ids;
        match operation { #(#arms)* }
    }
}
