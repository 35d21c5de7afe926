//! `security.rs`: the authentication of credentials by the host, and the principals that handlers get.

mod requirement;

use super::doc_comment::doc;
use super::tokens::ident;
use crate::ir::{
    Api, Operation, ParamLocation, RequirementId, RequirementTerms, Scheme, SchemeKind, Security,
};
use crate::rust::names;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use requirement::{definition, function, ty};

/// Whether there is anything to say of credentials.
pub(super) fn is_empty(api: &Api) -> bool {
    api.security_requirements.is_empty()
}

/// Whether none of these operations needs authentication.
pub(super) fn is_public<'a>(operations: impl IntoIterator<Item = &'a Operation>) -> bool {
    let mut operations = operations.into_iter();
    operations.all(|operation| operation.security == Security::Public)
}

/// The trait that the handlers of these operations build on.
pub(super) fn foundation<'a>(operations: impl IntoIterator<Item = &'a Operation>) -> TokenStream {
    match is_public(operations) {
        true => quote!(runtime::Host),
        false => quote!(crate::security::Security),
    }
}

/// The type of the principal that an operation's handler gets, in a trait of handlers.
pub(super) fn principal(api: &Api, operation: &Operation) -> Option<TokenStream> {
    match operation.security {
        Security::Public => None,
        Security::Optional(requirement) => {
            let inner = ty(api, requirement, &quote!(Self), &quote!(crate::security::));
            Some(quote!(Option<#inner>))
        }
        Security::Required(requirement) => Some(ty(
            api,
            requirement,
            &quote!(Self),
            &quote!(crate::security::),
        )),
    }
}

/// The authentication of a call.
pub(super) fn find(api: &Api, operation: &Operation) -> Option<TokenStream> {
    let found = |requirement: RequirementId| {
        let requirement = api.security_requirements.get(requirement.0)?;
        let function = names::by(requirement);
        let place = matches!(requirement.terms, RequirementTerms::All(_)).then(|| quote!(, 0));
        Some(quote!(crate::security::#function(&*host, call.auth_request() #place).await))
    };
    match operation.security {
        Security::Public => None,
        Security::Optional(requirement) => {
            let found = found(requirement)?;
            Some(quote!(let principal = rt::rejection::optional(#found)?;))
        }
        Security::Required(requirement) => {
            let found = found(requirement)?;
            Some(quote!(let principal = #found?;))
        }
    }
}

/// The query parameters that hold credentials of an operation and are no parameters of it.
pub(super) fn query_keys<'a>(api: &'a Api, operation: &Operation) -> Vec<&'a str> {
    let mut keys = Vec::new();
    for (used, _) in operation.requirements.iter().flatten() {
        let scheme = api.schemes.iter().find(|scheme| scheme.wire == *used);
        let Some(SchemeKind::ApiKey {
            place: ParamLocation::Query,
            name,
        }) = scheme.map(|s| &s.kind)
        else {
            continue;
        };
        let mut params = operation.params.iter();
        let declared = params.any(|p| p.place == ParamLocation::Query && p.field.wire == *name);
        if !declared && !keys.contains(&name.as_str()) {
            keys.push(name.as_str());
        }
    }
    keys
}

/// The trait, the types of several principals, and the functions that find them.
pub(super) fn file(api: &Api) -> (&'static str, Vec<TokenStream>) {
    let mut items = vec![interface(api)];
    items.extend(
        api.security_requirements
            .iter()
            .filter_map(|requirement| definition(api, requirement)),
    );
    items.extend(
        api.security_requirements
            .iter()
            .map(|requirement| function(api, requirement)),
    );
    (
        "Security: the authentication of credentials by the host, and the principals that handlers get.",
        items,
    )
}

/// An implementation of the trait that takes every credential.
pub(super) fn stub(api: &Api) -> TokenStream {
    if is_empty(api) {
        return TokenStream::new();
    }
    let members = asked(api).map(|scheme| {
        let (hook, principal) = (names::snake(&scheme.name), names::principal(&scheme.name));
        let (_, shown) = shown(scheme, &quote!(Self));
        let certificate = scheme.certificate.as_ref().map(|name| {
            let name = names::principal(name);
            quote!(type #name = ();)
        });
        quote! {
            type #principal = ();
            #certificate
            async fn #hook(
                &self,
                _: #shown,
                _: runtime::Demand<'_, ()>,
            ) -> Result<(), subject::AuthError> { Ok(()) }
        }
    });
    quote! {
        impl subject::security::Security for Stub { #(#members)* }
    }
}

/// The schemes that operations ask for.
fn asked(api: &Api) -> impl Iterator<Item = &Scheme> {
    let asked = |index: usize| {
        let mut requirements = api.security_requirements.iter();
        requirements
            .any(|requirement| matches!(&requirement.terms, RequirementTerms::All(all) if all.contains(&index)))
    };
    let schemes = api.schemes.iter().enumerate();
    schemes
        .filter(move |(index, _)| asked(*index))
        .map(|(_, scheme)| scheme)
}

fn interface(api: &Api) -> TokenStream {
    let members = asked(api).map(|scheme| {
        let (hook, principal) = (names::snake(&scheme.name), names::principal(&scheme.name));
        let name = &scheme.wire;
        let (argument, shown) = shown(scheme, &quote!(Self));
        let text = match scheme.doc.trim() {
            "" => format!("The holder of a credential of the scheme `{name}`."),
            own => format!("The holder of a credential of the scheme `{name}`.\n\n{own}"),
        };
        let principal_doc = doc(&text);
        let certificate = scheme.certificate.as_ref().map(|certificate| {
            let (doc, certificate) = (
                doc(&format!(
                    "What the transport puts into the extensions of requests on a connection whose \
                     client showed a certificate of the scheme `{name}`."
                )),
                names::principal(certificate),
            );
            quote!(#doc type #certificate: Send + Sync + 'static;)
        });
        quote! {
            #principal_doc
            type #principal: Send + 'static;
            #certificate

            #[doc = " The holder of the credential, who has the scopes that are demanded, or the reason why"]
            #[doc = " there is none."]
            fn #hook(
                &self,
                #argument: #shown,
                demand: runtime::Demand<'_, Self::Context>,
            ) -> impl Future<Output = Result<Self::#principal, runtime::AuthError>> + Send;
        }
    });
    quote! {
        /// Authenticates callers: one method for each security scheme that operations ask for.
        ///
        /// A method is called with a credential of the scheme's form, after the request was
        /// admitted and before anything else of it is read; of an operation's alternatives the
        /// first that holds is taken, and later ones are not looked at.
        pub trait Security: runtime::Host { #(#members)* }
    }
}

/// The name and the type of a scheme's credential.
fn shown(scheme: &Scheme, host: &TokenStream) -> (Ident, TokenStream) {
    let (name, ty) = match &scheme.kind {
        SchemeKind::ApiKey { .. } => ("key", quote!(runtime::credential::ApiKey<'_>)),
        SchemeKind::Basic => ("login", quote!(runtime::credential::Basic)),
        SchemeKind::Bearer | SchemeKind::OAuth2 | SchemeKind::OpenIdConnect => {
            ("token", quote!(runtime::credential::Bearer<'_>))
        }
        SchemeKind::Http(_) => (
            "credentials",
            quote!(runtime::credential::Authorization<'_>),
        ),
        SchemeKind::MutualTls => {
            let ty = certificate(scheme);
            ("certificate", quote!(&#host::#ty))
        }
        SchemeKind::Unknown => ("head", quote!(&http::request::Parts)),
    };
    (ident(name), ty)
}

fn certificate(scheme: &Scheme) -> Ident {
    names::principal(scheme.certificate.as_ref().unwrap_or(&scheme.name))
}
