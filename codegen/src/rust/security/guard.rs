//! Guards: what a requirement's credentials are made into, and the functions that ask for them.

use super::certificate;
use crate::ir::{Api, RequirementId, RequirementTerms, Scheme, SchemeKind, SecurityRequirement};
use crate::rust::names;
use crate::rust::prose::doc;
use crate::rust::tokens::ident;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// The schemes of a guard, each once, in the order in which it asks for them.
fn schemes<'a>(api: &'a Api, guard: &'a SecurityRequirement) -> Vec<&'a Scheme> {
    let mut found: Vec<&Scheme> = Vec::new();
    let mut push = |scheme: &'a Scheme| {
        if found.iter().all(|known| known.wire != scheme.wire) {
            found.push(scheme);
        }
    };
    match &guard.terms {
        RequirementTerms::All(all) => all
            .iter()
            .filter_map(|index| api.schemes.get(*index))
            .for_each(&mut push),
        RequirementTerms::Any(guards) => guards
            .iter()
            .filter_map(|id| api.security_requirements.get(id.0))
            .flat_map(|guard| schemes(api, guard))
            .for_each(&mut push),
    }
    found
}

/// The guards of an alternative, each once.
fn variants(guards: &[RequirementId]) -> Vec<RequirementId> {
    let mut found = Vec::new();
    for guard in guards {
        if !found.contains(guard) {
            found.push(*guard);
        }
    }
    found
}

/// Who a guard finds, of a type `host` that knows principals, seen from where `module` leads here.
pub(super) fn ty(
    api: &Api,
    id: RequirementId,
    host: &TokenStream,
    module: &TokenStream,
) -> TokenStream {
    let Some(guard) = api.security_requirements.get(id.0) else {
        return quote!(());
    };
    match &guard.terms {
        _ if guard.has_type => {
            let name = of_host(guard);
            quote!(#module #name<#host>)
        }
        RequirementTerms::All(_) => {
            let principals = schemes(api, guard);
            let principals = principals
                .iter()
                .map(|scheme| names::principal(&scheme.name));
            quote!(#(#host::#principals)*)
        }
        RequirementTerms::Any(guards) => {
            let first = guards.first();
            first.map_or_else(|| quote!(()), |first| ty(api, *first, host, module))
        }
    }
}

/// The type of a guard's principal with the principals of a host.
fn of_host(guard: &SecurityRequirement) -> Ident {
    ident(&format!("By{}", guard.name.pascal()))
}

/// The name of a guard's principal where it is a variant.
fn variant(api: &Api, id: RequirementId) -> Option<Ident> {
    let guard = api.security_requirements.get(id.0)?;
    match guard.has_type {
        true => Some(names::principal(&guard.name)),
        false => schemes(api, guard)
            .first()
            .map(|scheme| names::principal(&scheme.name)),
    }
}

/// The struct of several principals, or the enum of one of several, and what it is for a host.
pub(super) fn definition(api: &Api, guard: &SecurityRequirement) -> Option<TokenStream> {
    if !guard.has_type {
        return None;
    }
    let (name, of_host) = (names::principal(&guard.name), of_host(guard));
    let all = schemes(api, guard);
    let parameters: Vec<Ident> = all
        .iter()
        .map(|scheme| names::principal(&scheme.name))
        .collect();
    let alias = quote! {
        /// The same, of a host's own principals.
        pub type #of_host<H> = #name<#(<H as Security>::#parameters),*>;
    };
    let definition = match &guard.terms {
        RequirementTerms::All(_) => {
            let fields = all.iter().map(|scheme| {
                let (field, principal) =
                    (names::credential(scheme), names::principal(&scheme.name));
                let doc = doc(&format!("By the scheme `{}`.", scheme.wire));
                quote!(#doc pub #field: #principal,)
            });
            quote! {
                /// The callers that several credentials of one request stand for.
                #[derive(Debug, Clone, Copy, PartialEq, Eq)]
                pub struct #name<#(#parameters),*> { #(#fields)* }
            }
        }
        RequirementTerms::Any(guards) => {
            let variants = variants(guards).into_iter().filter_map(|id| {
                let guard = api.security_requirements.get(id.0)?;
                let variant = variant(api, id)?;
                let names: Vec<String> = schemes(api, guard)
                    .iter()
                    .map(|scheme| format!("`{}`", scheme.wire))
                    .collect();
                let doc = doc(&format!("By {}.", names.join(" and ")));
                let own = schemes(api, guard);
                let own = own.iter().map(|scheme| names::principal(&scheme.name));
                Some(match guard.has_type {
                    true => {
                        let inner = names::principal(&guard.name);
                        quote!(#doc #variant(#inner<#(#own),*>),)
                    }
                    false => quote!(#doc #variant(#(#own)*),),
                })
            });
            quote! {
                /// The caller, by the first alternative that held.
                #[derive(Debug, Clone, Copy, PartialEq, Eq)]
                pub enum #name<#(#parameters),*> { #(#variants)* }
            }
        }
    };
    Some(quote!(#definition #alias))
}

/// The function that finds out whom the credentials of a request satisfy the guard for.
pub(super) fn function(api: &Api, guard: &SecurityRequirement) -> TokenStream {
    let function = names::by(guard);
    let index = api
        .security_requirements
        .iter()
        .position(|own| own.name == guard.name);
    let ty = ty(
        api,
        RequirementId(index.unwrap_or_default()),
        &quote!(H),
        &quote!(),
    );
    match &guard.terms {
        RequirementTerms::All(_) => {
            let body = all(guard, &schemes(api, guard));
            quote! {
                pub(crate) async fn #function<H: Security>(
                    host: &H,
                    asked: rt::Asked<'_, H::Visitor>,
                    at: usize,
                ) -> Result<#ty, runtime::AuthError> { #body }
            }
        }
        RequirementTerms::Any(guards) => {
            let tries = any(api, guard, guards);
            quote! {
                pub(crate) async fn #function<H: Security>(
                    host: &H,
                    asked: rt::Asked<'_, H::Visitor>,
                ) -> Result<#ty, runtime::AuthError> {
                    let mut denials = rt::AuthErrors::default();
                    #(#tries)*
                    Err(denials.into_error())
                }
            }
        }
    }
}

/// All credentials are read before the host is asked about the first.
fn all(guard: &SecurityRequirement, schemes: &[&Scheme]) -> TokenStream {
    let reads = schemes.iter().map(|scheme| {
        let (field, read) = (names::credential(scheme), read(scheme));
        quote!(let #field = #read;)
    });
    let asks = schemes.iter().enumerate().map(|(index, scheme)| {
        let (field, hook) = (names::credential(scheme), names::snake(&scheme.name));
        let index = Literal::usize_unsuffixed(index);
        (
            field.clone(),
            quote!(Security::#hook(host, #field, asked.demand(at, #index)).await),
        )
    });
    match guard.has_type {
        false => {
            let ask = asks.map(|(_, ask)| ask);
            quote!(#(#reads)* #(#ask)*)
        }
        true => {
            let name = names::principal(&guard.name);
            let fields = asks.map(|(field, ask)| quote!(#field: #ask?,));
            quote!(#(#reads)* Ok(#name { #(#fields)* }))
        }
    }
}

fn any(api: &Api, guard: &SecurityRequirement, guards: &[RequirementId]) -> Vec<TokenStream> {
    let mut tries = Vec::new();
    for (place, id) in guards.iter().enumerate() {
        let (Some(inner), Some(variant)) = (api.security_requirements.get(id.0), variant(api, *id))
        else {
            continue;
        };
        let (function, place) = (names::by(inner), Literal::usize_unsuffixed(place));
        let found = match guard.has_type {
            true => {
                let name = names::principal(&guard.name);
                quote!(#name::#variant(caller))
            }
            false => quote!(caller),
        };
        tries.push(quote! {
            match #function(host, asked, #place).await {
                Ok(caller) => return Ok(#found),
                Err(denial) => denials.note(denial)?,
            }
        });
    }
    tries
}

/// The expression that reads a credential.
fn read(scheme: &Scheme) -> TokenStream {
    let constant = names::scheme(scheme);
    match &scheme.kind {
        SchemeKind::ApiKey { .. } => {
            quote!(rt::credential::api_key(&operations::#constant, asked.parts)?)
        }
        SchemeKind::Basic => quote!(rt::credential::basic(asked.parts)?),
        SchemeKind::Bearer | SchemeKind::OAuth2 | SchemeKind::OpenIdConnect => {
            quote!(rt::credential::bearer(asked.parts)?)
        }
        SchemeKind::Http(name) => quote!(rt::credential::authorization(#name, asked.parts)?),
        SchemeKind::MutualTls => {
            let ty = certificate(scheme);
            quote!(rt::credential::certificate::<H::#ty>(asked.parts)?)
        }
        SchemeKind::Unknown => quote!(asked.parts),
    }
}
