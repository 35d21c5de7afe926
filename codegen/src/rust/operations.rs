//! `operations.rs`: the table that authentication, limits, logs and metrics read.

use super::doc_comment::doc;
use super::tokens::{self, ident};
use crate::ir::{Api, Media, Operation, ParamLocation, RequestMatcher, Scheme, SchemeKind};
use crate::rust::names;
use jiff::Timestamp;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// The base path, the schemes and the operations.
pub(super) fn file(api: &Api) -> (&'static str, Vec<TokenStream>) {
    let mut items = Vec::new();
    let base_path = &api.base_path;
    items.push(quote! {
        /// The path that an operation's path is below, unless it has a server of its own.
        pub const BASE_PATH: &str = #base_path;
    });
    items.extend(api.schemes.iter().map(scheme));
    let operations: Vec<&Operation> = api.operations.iter().collect();
    let table = table(api, "OPERATIONS", &operations, |one| below(api, one));
    items.push(quote! {
        /// Every operation, in the order of the contract.
        #table
    });
    items.push(ids("OperationId", "OPERATIONS", &api.operations));
    let webhooks: Vec<&Operation> = api.webhooks.iter().collect();
    let callbacks = api.callbacks.iter().map(|callback| &callback.operation);
    items.extend(outgoing(
        api,
        "webhook",
        ("WebhookId", "WEBHOOKS"),
        &webhooks,
    ));
    let callbacks: Vec<&Operation> = callbacks.collect();
    items.extend(outgoing(
        api,
        "callback",
        ("CallbackId", "CALLBACKS"),
        &callbacks,
    ));
    ("The operations of the contract as data.", items)
}

/// The table of operations that are called on other servers.
fn outgoing(
    api: &Api,
    what: &str,
    (enumeration, table): (&str, &str),
    operations: &[&Operation],
) -> Option<TokenStream> {
    if operations.is_empty() {
        return None;
    }
    let ids = ids(enumeration, table, operations.iter().copied());
    // Whoever receives them says where they are.
    let table = self::table(api, table, operations, |_| quote!(""));
    let doc = doc(&format!(
        "Every {what}'s operation, in the order of the contract."
    ));
    Some(quote! {
        #doc
        #table

        #ids
    })
}

/// A table of operations; one with a method that is no constant is made when it is first read.
fn table(
    api: &Api,
    name: &str,
    operations: &[&Operation],
    below: impl Fn(&Operation) -> TokenStream,
) -> TokenStream {
    let (name, count) = (ident(name), Literal::usize_unsuffixed(operations.len()));
    let mut methods = operations.iter().map(|one| one.method.as_str());
    let is_constant = methods.all(tokens::has_constant);
    let rows = operations.iter();
    let rows = rows.map(|one| operation(api, one, &below(one), is_constant));
    let (ty, rows) = (quote!([runtime::Operation; #count]), quote!([#(#rows),*]));
    match is_constant {
        true => quote!(pub static #name: #ty = #rows;),
        false => {
            let lazy = quote!(std::sync::LazyLock);
            quote!(pub static #name: #lazy<#ty> = #lazy::new(|| #rows);)
        }
    }
}

/// The operations of a table as an enum.
fn ids<'a>(
    name: &str,
    table: &str,
    operations: impl IntoIterator<Item = &'a Operation>,
) -> TokenStream {
    let doc = format!(" The operations by their ids, in the order of [`{table}`].");
    let (name, table) = (ident(name), ident(table));
    let mut names = Vec::new();
    let mut variants = Vec::new();
    for one in operations {
        let (variant, doc) = (
            names::operation_id(one),
            self::doc(&format!("`{}`", one.id)),
        );
        variants.push(quote!(#doc #variant,));
        names.push(variant);
    }
    let count = Literal::usize_unsuffixed(names.len());
    let operation = match names.is_empty() {
        true => quote!(match self {}),
        false => quote!(&#table[self as usize]),
    };
    quote! {
        #[doc = #doc]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum #name { #(#variants)* }

        impl #name {
            /// All of them.
            pub const ALL: [#name; #count] = [#(#name::#names),*];

            /// The operationId in the contract.
            pub fn operation_id(self) -> &'static str { self.operation().id }

            /// The row of the operation in the table.
            pub fn operation(self) -> &'static runtime::Operation { #operation }

            /// The operation with an id, if there is one.
            pub fn named(id: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|known| known.operation_id() == id)
            }
        }

        impl From<#name> for &'static runtime::Operation {
            fn from(id: #name) -> Self { id.operation() }
        }
    }
}

fn scheme(scheme: &Scheme) -> TokenStream {
    let (name, constant) = (&scheme.wire, names::scheme(scheme));
    let challenge = &scheme.challenge;
    let kind = match &scheme.kind {
        SchemeKind::ApiKey { place, name } => {
            let place = place_name(*place);
            quote!(rt::SchemeKind::ApiKey { place: runtime::Place::#place, name: #name })
        }
        SchemeKind::Basic => quote!(rt::SchemeKind::Basic),
        SchemeKind::Bearer => quote!(rt::SchemeKind::Bearer),
        SchemeKind::Http(name) => quote!(rt::SchemeKind::Http(#name)),
        SchemeKind::OAuth2 => quote!(rt::SchemeKind::OAuth2),
        SchemeKind::OpenIdConnect => quote!(rt::SchemeKind::OpenIdConnect),
        SchemeKind::MutualTls => quote!(rt::SchemeKind::MutualTls),
        SchemeKind::Unknown => quote!(rt::SchemeKind::Unknown),
    };
    let header = match &scheme.kind {
        SchemeKind::ApiKey {
            place: ParamLocation::Header,
            name,
        } => http::HeaderName::try_from(name).ok(),
        _ => None,
    };
    let header = match header.as_ref().map(http::HeaderName::as_str) {
        Some(name) => quote!(Some(http::HeaderName::from_static(#name))),
        // Of a name that no header can have, there is never one.
        None => quote!(None),
    };
    let doc = doc(&format!("The security scheme `{name}`."));
    quote! {
        #doc
        pub static #constant: rt::Scheme = rt::Scheme {
            name: #name,
            kind: #kind,
            header: #header,
            challenge: #challenge,
        };
    }
}

fn want(want: &RequestMatcher) -> TokenStream {
    let (place, name) = (place_name(want.place), &want.name);
    let value = match &want.value {
        Some(value) => quote!(Some(#value)),
        None => quote!(None),
    };
    quote!(rt::RequestMatcher { place: runtime::Place::#place, name: #name, value: #value })
}

/// The variant of the runtime's `ParamLocation`.
pub(super) fn place_name(place: ParamLocation) -> proc_macro2::Ident {
    ident(match place {
        ParamLocation::Path => "Path",
        ParamLocation::Query => "Query",
        ParamLocation::Header => "Header",
        ParamLocation::Cookie => "Cookie",
    })
}

/// The path that an operation's own is below, as an expression.
pub(super) fn below(api: &Api, operation: &Operation) -> TokenStream {
    match operation.own_base_path(&api.base_path) {
        Some(own) => quote!(#own),
        None => quote!(BASE_PATH),
    }
}

/// The alternatives of schemes that an operation asks for. Outside of a constant, a value that refers to a static
/// must be one itself.
fn security(api: &Api, operation: &Operation, is_constant: bool) -> TokenStream {
    let alternatives = operation.requirements.iter().map(|all| {
        let uses = all.iter().filter_map(|(name, scopes)| {
            let scheme = api.schemes.iter().find(|scheme| scheme.wire == *name)?;
            let scheme = names::scheme(scheme);
            Some(quote!(rt::SchemeUse { scheme: &#scheme, scopes: &[#(#scopes),*] }))
        });
        quote!(&[#(#uses),*])
    });
    let alternatives = quote!(&[#(#alternatives),*]);
    match is_constant || operation.requirements.is_empty() {
        true => alternatives,
        false => quote!({
            static SECURITY: &[&[rt::SchemeUse]] = #alternatives;
            SECURITY
        }),
    }
}

fn operation(
    api: &Api,
    operation: &Operation,
    base_path: &TokenStream,
    is_constant: bool,
) -> TokenStream {
    let (id, path, tag) = (&operation.id, &operation.path, &operation.tag);
    let method = tokens::method(&operation.method);
    let not_modified = match &operation.not_modified {
        Some(names) => quote!(Some(&[#(#names),*])),
        None => quote!(None),
    };
    let (metered, lenient) = (operation.metered, operation.lenient);
    let consumes = operation
        .body
        .iter()
        .flat_map(|body| &body.media)
        .flat_map(Media::media_types);
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
    let (served, rivals) = (operation.served, &operation.rivals);
    let deprecation = optional(operation.deprecated_at.map(deprecation));
    let sunset = optional(operation.sunset.map(sunset));
    let wants = operation.matchers.iter().map(want);
    let security = security(api, operation, is_constant);
    quote! {
        runtime::Operation {
            id: #id,
            method: #method,
            base_path: #base_path,
            path: #path,
            rivals: &[#(#rivals),*],
            served: #served,
            deprecation: #deprecation,
            sunset: #sunset,
            matchers: &[#(#wants),*],
            tag: #tag,
            security: #security,
            not_modified: #not_modified,
            metered: #metered,
            lenient: #lenient,
            consumes: &[#(#consumes),*],
            streamed: &[#(#streamed),*],
            body_limit: #body_limit,
            body_required: #body_required,
            produces: &[#(#produces),*],
        }
    }
}

/// A value that may be missing.
fn optional(value: Option<String>) -> TokenStream {
    match value {
        Some(value) => quote!(Some(#value)),
        None => quote!(None),
    }
}

/// The value of `Deprecation`: a Date of structured fields (RFC 9745, section 2.1).
fn deprecation(at: Timestamp) -> String {
    format!("@{}", at.as_second())
}

/// The value of `Sunset`: an HTTP-date (RFC 8594, section 3).
fn sunset(at: Timestamp) -> String {
    at.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_written_as_their_headers_have_them() {
        let at: Timestamp = "2026-11-24T00:00:00Z".parse().expect("a time");
        assert_eq!(deprecation(at), "@1795478400");
        assert_eq!(sunset(at), "Tue, 24 Nov 2026 00:00:00 GMT");
    }
}
