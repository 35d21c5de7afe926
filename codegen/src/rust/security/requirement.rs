//! Security requirements: the types of their principals, and the functions that find these.

use super::certificate;
use crate::ir::{Api, RequirementId, RequirementTerms, Scheme, SchemeKind, SecurityRequirement};
use crate::rust::doc_comment::doc;
use crate::rust::names;
use crate::rust::tokens::ident;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// The schemes of a requirement, each once, in the order in which it asks for them.
fn schemes<'a>(api: &'a Api, requirement: &'a SecurityRequirement) -> Vec<&'a Scheme> {
    let mut found: Vec<&Scheme> = Vec::new();
    let mut push = |scheme: &'a Scheme| {
        if found.iter().all(|known| known.wire != scheme.wire) {
            found.push(scheme);
        }
    };
    match &requirement.terms {
        RequirementTerms::All(all) => all
            .iter()
            .filter_map(|index| api.schemes.get(*index))
            .for_each(&mut push),
        RequirementTerms::Any(requirements) => requirements
            .iter()
            .filter_map(|id| api.security_requirements.get(id.0))
            .flat_map(|requirement| schemes(api, requirement))
            .for_each(&mut push),
    }
    found
}

/// The requirements of an alternative, each once.
fn variants(requirements: &[RequirementId]) -> Vec<RequirementId> {
    let mut found = Vec::new();
    for requirement in requirements {
        if !found.contains(requirement) {
            found.push(*requirement);
        }
    }
    found
}

/// The type of a requirement's principal for a host; `module` is the path to this file's items.
pub(super) fn ty(
    api: &Api,
    id: RequirementId,
    host: &TokenStream,
    module: &TokenStream,
) -> TokenStream {
    let Some(requirement) = api.security_requirements.get(id.0) else {
        return quote!(());
    };
    match &requirement.terms {
        _ if requirement.has_type => {
            let name = of_host(requirement);
            quote!(#module #name<#host>)
        }
        RequirementTerms::All(_) => {
            let principals = schemes(api, requirement);
            let principals = principals
                .iter()
                .map(|scheme| names::principal(&scheme.name));
            quote!(#(#host::#principals)*)
        }
        RequirementTerms::Any(requirements) => {
            let first = requirements.first();
            first.map_or_else(|| quote!(()), |first| ty(api, *first, host, module))
        }
    }
}

/// The type of a requirement's principal with the principals of a host.
fn of_host(requirement: &SecurityRequirement) -> Ident {
    ident(&format!("By{}", requirement.name.pascal()))
}

/// The name of a requirement's principal where it is a variant.
fn variant(api: &Api, id: RequirementId) -> Option<Ident> {
    let requirement = api.security_requirements.get(id.0)?;
    match requirement.has_type {
        true => Some(names::principal(&requirement.name)),
        false => schemes(api, requirement)
            .first()
            .map(|scheme| names::principal(&scheme.name)),
    }
}

/// The struct of several principals, or the enum of one of several, and its type for a host.
pub(super) fn definition(api: &Api, requirement: &SecurityRequirement) -> Option<TokenStream> {
    if !requirement.has_type {
        return None;
    }
    let (name, of_host) = (names::principal(&requirement.name), of_host(requirement));
    let all = schemes(api, requirement);
    let parameters: Vec<Ident> = all
        .iter()
        .map(|scheme| names::principal(&scheme.name))
        .collect();
    let alias = quote! {
        /// The same, of a host's own principals.
        pub type #of_host<H> = #name<#(<H as Security>::#parameters),*>;
    };
    let definition = match &requirement.terms {
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
        RequirementTerms::Any(requirements) => {
            let variants = variants(requirements).into_iter().filter_map(|id| {
                let requirement = api.security_requirements.get(id.0)?;
                let variant = variant(api, id)?;
                let names: Vec<String> = schemes(api, requirement)
                    .iter()
                    .map(|scheme| format!("`{}`", scheme.wire))
                    .collect();
                let doc = doc(&format!("By {}.", names.join(" and ")));
                let own = schemes(api, requirement);
                let own = own.iter().map(|scheme| names::principal(&scheme.name));
                Some(match requirement.has_type {
                    true => {
                        let inner = names::principal(&requirement.name);
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

/// The function that finds out whom the credentials of a request satisfy the requirement for.
pub(super) fn function(api: &Api, requirement: &SecurityRequirement) -> TokenStream {
    let function = names::by(requirement);
    let index = api
        .security_requirements
        .iter()
        .position(|own| own.name == requirement.name);
    let ty = ty(
        api,
        RequirementId(index.unwrap_or_default()),
        &quote!(H),
        &quote!(),
    );
    match &requirement.terms {
        RequirementTerms::All(_) => {
            let body = all(requirement, &schemes(api, requirement));
            quote! {
                pub(crate) async fn #function<H: Security>(
                    host: &H,
                    request: rt::AuthRequest<'_, H::Context>,
                    at: usize,
                ) -> Result<#ty, runtime::AuthError> { #body }
            }
        }
        RequirementTerms::Any(requirements) => {
            let tries = any(api, requirement, requirements);
            quote! {
                pub(crate) async fn #function<H: Security>(
                    host: &H,
                    request: rt::AuthRequest<'_, H::Context>,
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
fn all(requirement: &SecurityRequirement, schemes: &[&Scheme]) -> TokenStream {
    let reads = schemes.iter().map(|scheme| {
        let (field, read) = (names::credential(scheme), read(scheme));
        quote!(let #field = #read;)
    });
    let asks = schemes.iter().enumerate().map(|(index, scheme)| {
        let (field, hook) = (names::credential(scheme), names::snake(&scheme.name));
        let index = Literal::usize_unsuffixed(index);
        (
            field.clone(),
            quote!(Security::#hook(host, #field, request.demand(at, #index)).await),
        )
    });
    match requirement.has_type {
        false => {
            let ask = asks.map(|(_, ask)| ask);
            quote!(#(#reads)* #(#ask)*)
        }
        true => {
            let name = names::principal(&requirement.name);
            let fields = asks.map(|(field, ask)| quote!(#field: #ask?,));
            quote!(#(#reads)* Ok(#name { #(#fields)* }))
        }
    }
}

fn any(
    api: &Api,
    requirement: &SecurityRequirement,
    requirements: &[RequirementId],
) -> Vec<TokenStream> {
    let mut tries = Vec::new();
    for (place, id) in requirements.iter().enumerate() {
        let (Some(inner), Some(variant)) = (api.security_requirements.get(id.0), variant(api, *id))
        else {
            continue;
        };
        let (function, place) = (names::by(inner), Literal::usize_unsuffixed(place));
        let found = match requirement.has_type {
            true => {
                let name = names::principal(&requirement.name);
                quote!(#name::#variant(caller))
            }
            false => quote!(caller),
        };
        tries.push(quote! {
            match #function(host, request, #place).await {
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
            quote!(runtime::credential::api_key(&operations::#constant, request.parts)?)
        }
        SchemeKind::Basic => quote!(runtime::credential::basic(request.parts)?),
        SchemeKind::Bearer | SchemeKind::OAuth2 | SchemeKind::OpenIdConnect => {
            quote!(runtime::credential::bearer(request.parts)?)
        }
        SchemeKind::Http(name) => quote!(runtime::credential::authorization(#name, request.parts)?),
        SchemeKind::MutualTls => {
            let ty = certificate(scheme);
            quote!(runtime::credential::certificate::<H::#ty>(request.parts)?)
        }
        SchemeKind::Unknown => quote!(request.parts),
    }
}
