//! `operations.rs`: the table that authentication, limits, logs and metrics read.

use super::rust::{doc, ident};
use crate::ir::{Api, Operation, Place, Scheme, SchemeKind};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// The base path, the schemes and the operations.
pub(super) fn file(api: &Api) -> (&'static str, Vec<TokenStream>) {
    let mut items = Vec::new();
    let base_path = &api.base_path;
    items.push(quote! {
        /// The path that every operation's path is below.
        pub const BASE_PATH: &str = #base_path;
    });
    items.extend(api.schemes.iter().map(scheme));
    let count = Literal::usize_unsuffixed(api.operations.len());
    let operations = api.operations.iter().map(|one| operation(api, one));
    items.push(quote! {
        /// Every operation, in the order of the contract.
        pub static OPERATIONS: [Operation; #count] = [#(#operations),*];
    });
    let callbacks = api.callbacks.iter().map(|callback| &callback.operation);
    items.extend(outgoing(api, "webhook", "WEBHOOKS", api.webhooks.iter()));
    items.extend(outgoing(api, "callback", "CALLBACKS", callbacks));
    ("The operations of the contract as data.", items)
}

/// The table of operations that are called on other servers.
fn outgoing<'o>(
    api: &Api,
    what: &str,
    name: &str,
    operations: impl ExactSizeIterator<Item = &'o Operation>,
) -> Option<TokenStream> {
    let count = match operations.len() {
        0 => return None,
        count => Literal::usize_unsuffixed(count),
    };
    let operations = operations.map(|one| operation(api, one));
    let (name, doc) = (
        ident(name),
        doc(&format!(
            "Every {what}'s operation, in the order of the contract."
        )),
    );
    Some(quote!(#doc pub static #name: [Operation; #count] = [#(#operations),*];))
}

fn scheme(scheme: &Scheme) -> TokenStream {
    let (name, constant) = (&scheme.name, ident(&scheme.constant));
    let kind = match &scheme.kind {
        SchemeKind::ApiKey { place, name } => {
            let place = place_name(*place);
            quote!(SchemeKind::ApiKey { place: Place::#place, name: #name })
        }
        SchemeKind::Basic => quote!(SchemeKind::Basic),
        SchemeKind::Bearer => quote!(SchemeKind::Bearer),
        SchemeKind::Http(name) => quote!(SchemeKind::Http(#name)),
        SchemeKind::OAuth2 => quote!(SchemeKind::OAuth2),
        SchemeKind::OpenIdConnect => quote!(SchemeKind::OpenIdConnect),
        SchemeKind::MutualTls => quote!(SchemeKind::MutualTls),
    };
    let doc = doc(&format!("The security scheme `{name}`."));
    quote!(#doc pub static #constant: Scheme = Scheme { name: #name, kind: #kind };)
}

/// The variant of the runtime's `Place`.
pub(super) fn place_name(place: Place) -> proc_macro2::Ident {
    ident(match place {
        Place::Path => "Path",
        Place::Query => "Query",
        Place::Header => "Header",
        Place::Cookie => "Cookie",
    })
}

fn operation(api: &Api, operation: &Operation) -> TokenStream {
    let index = Literal::usize_unsuffixed(operation.index);
    let (id, path, tag) = (&operation.id, &operation.path, &operation.tag);
    let method = ident(&operation.method);
    let metered = operation.metered;
    let consumes = operation
        .body
        .iter()
        .flat_map(|body| &body.media)
        .map(|media| &media.media_type);
    let streamed = operation.body.iter().flat_map(|body| body.streamed());
    let streamed = streamed.map(Literal::usize_unsuffixed);
    let body_limit = operation.body.as_ref().and_then(|body| body.limit);
    let body_limit = match body_limit.map(Literal::u64_unsuffixed) {
        Some(limit) => quote!(Some(#limit)),
        None => quote!(None),
    };
    let body_required = operation.body.as_ref().is_some_and(|body| body.required);
    let produces = operation
        .accept
        .offers
        .iter()
        .map(|(media_type, _)| media_type);
    let query = operation
        .query
        .iter()
        .map(|(name, value)| quote!((#name, #value)));
    let security = operation.requirements.iter().map(|all| {
        let uses = all.iter().filter_map(|(name, scopes)| {
            let scheme = api.schemes.iter().find(|scheme| scheme.name == *name)?;
            let scheme = ident(&scheme.constant);
            Some(quote!(SchemeUse { scheme: &#scheme, scopes: &[#(#scopes),*] }))
        });
        quote!(&[#(#uses),*])
    });
    quote! {
        Operation {
            index: #index,
            id: #id,
            method: http::Method::#method,
            path: #path,
            query: &[#(#query),*],
            tag: #tag,
            security: &[#(#security),*],
            metered: #metered,
            consumes: &[#(#consumes),*],
            streamed: &[#(#streamed),*],
            body_limit: #body_limit,
            body_required: #body_required,
            produces: &[#(#produces),*],
        }
    }
}
