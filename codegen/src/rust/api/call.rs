//! From a request to a call: parameters and body are decoded together, and every violation of
//! either is reported at once.

mod body;
mod declared;
mod literal;

use super::super::check::Checked;
use super::super::security;
use super::super::tokens::{ModelPath, ident, ty};
use super::params_name;
use crate::ir::{Api, Body, Operation, Param, Security};
use crate::rust::names::{self, Variables, variables};
use body::is_only_streamed;
use declared::params;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

pub(in crate::rust) use declared::{declared, styled, table_name};
pub(super) use declared::{spec, table};
pub(in crate::rust) use literal::literal;

/// The function that the dispatcher calls.
pub(super) fn function(
    api: &Api,
    checked: &Checked,
    operation: &Operation,
    interface: &Ident,
) -> TokenStream {
    let name = call_name(operation);
    let method = names::method(operation);
    let params = params(operation);
    let table = ident(&table_name(operation));
    let beside = !operation.selectors().is_empty();
    let beside = beside || !security::query_keys(api, operation).is_empty();
    let rest = beside.then(|| quote!(, ..));
    let step = Step {
        api,
        checked,
        operation,
    };
    let body = step.read_body();
    let variables = variables(&operation.path_params, &operation.params);
    let values = variables.iter().map(|variable| variable.value.clone());
    let mut decoded: Vec<Ident> = values.collect();
    let reads = params.iter().zip(&variables);
    let reads = reads.map(|(param, variables)| read_param(api, checked, param, variables));
    let specs_bound = (!params.is_empty()).then(|| {
        let specs = variables.iter().map(|variable| &variable.spec);
        quote!(let [#(#specs),* #rest] = &#table;)
    });
    let reads: Vec<_> = reads.collect();
    let decode_body = step.decode_body();
    if operation.body.is_some() {
        decoded.push(ident("body"));
    }
    let taken = match decoded.as_slice() {
        [] => None,
        [only] => Some(quote!(let Some(#only) = #only)),
        all => Some(quote!(let (#(Some(#all)),*) = (#(#all),*))),
    };
    let taken =
        taken.map(|taken| quote!(#taken else { return Err(runtime::Rejection::Internal); };));
    let principal = security::find(api, operation);
    let accept = step.accept();
    let arguments = step.arguments(&variables);
    // Streams are taken as they are.
    let only_streams = operation.body.iter().all(is_only_streamed);
    let mutable = (!params.is_empty() || !only_streams).then(|| quote!(mut));
    let failed = match operation.body.as_ref().map(Body::streamed) {
        _ if operation.raw => quote!(|error| stream_rejection.or(rt::rejection::failed(error))),
        Some(streamed) if !streamed.is_empty() => {
            quote!(|error| stream_rejection.or(rt::rejection::failed(error)))
        }
        _ => quote!(rt::rejection::failed),
    };
    let new = ident(if operation.raw { "of_path" } else { "new" });
    let reader = if params.is_empty() && operation.body.is_none() {
        quote!(rt::Reader::#new(&call.parts, &call.captures, &crate::SCHEMAS, &#table).finish()?;)
    } else {
        quote! {
            let #mutable reader = rt::Reader::#new(&call.parts, &call.captures, &crate::SCHEMAS, &#table);
            #specs_bound
            #(#reads)*
            #decode_body
            reader.finish()?;
        }
    };
    let called = quote!(#interface::#method(&*host #(, #arguments)*).await.map_err(#failed));
    let answer = match operation.raw {
        true => quote!(#called.map(|response| response.map(rt::Body::from))),
        false => quote!(#called?.into_http()),
    };
    quote! {
        #[cfg(feature = "server")]
        pub(crate) fn #name<H: #interface>(host: std::sync::Arc<H>, call: rt::Call<H::Context>) -> rt::Reply {
            Box::pin(async move {
                #principal
                call.negotiate()?;
                #body
                #reader
                #taken
                #accept
                #answer
            })
        }
    }
}

/// The name of the function that the dispatcher calls.
pub(in crate::rust) fn call_name(operation: &Operation) -> Ident {
    ident(&format!("call_{}", operation.name))
}

/// Reads a parameter into its variable.
pub(super) fn read_param(
    api: &Api,
    checked: &Checked,
    param: &Param,
    Variables { value: name, spec }: &Variables,
) -> TokenStream {
    let ty = ty(api, &param.field.ty, ModelPath::Qualified);
    let valid = checked.function(api, &param.field.ty);
    if let Some(default) = &param.default {
        let default = literal(api, &param.field.ty, default);
        return quote!(let #name: Option<#ty> = reader.defaulted(#spec, #valid, || #default););
    }
    if param.field.required {
        quote!(let #name: Option<#ty> = reader.required(#spec, #valid);)
    } else {
        quote!(let #name: Option<Option<#ty>> = reader.optional(#spec, #valid);)
    }
}

struct Step<'a> {
    api: &'a Api,
    checked: &'a Checked,
    operation: &'a Operation,
}

impl Step<'_> {
    /// What the caller likes best of several media types.
    fn accept(&self) -> TokenStream {
        let accept = &self.operation.accept;
        let [(_, first), others @ ..] = accept.offers.as_slice() else {
            return TokenStream::new();
        };
        if others.is_empty() {
            return TokenStream::new();
        }
        let (name, first) = (names::pascal(&accept.name), names::pascal(first));
        let arms = others.iter().enumerate().map(|(index, (_, media))| {
            let (index, rust) = (Literal::usize_unsuffixed(index + 1), names::pascal(media));
            quote!(Some(#index) => #name::#rust,)
        });
        quote! {
            let accept = match rt::media::acceptable(&call.parts.headers, call.operation.produces) {
                #(#arms)*
                _ => #name::#first,
            };
        }
    }

    fn arguments(&self, variables: &[Variables]) -> Vec<TokenStream> {
        let mut variables = variables.iter().map(|variables| &variables.value);
        let mut arguments = Vec::new();
        if self.operation.security != Security::Public {
            arguments.push(quote!(principal));
        }
        if self.operation.extensions {
            arguments.push(quote!(call.parts.extensions));
        }
        if self.operation.raw_headers {
            arguments.push(quote!(rt::credential::conceal(
                call.parts.headers,
                call.operation
            )));
        }
        let path = variables.by_ref().take(self.operation.path_params.len());
        arguments.extend(path.map(|value| quote!(#value)));
        if !self.operation.params.is_empty() {
            let name = params_name(self.operation);
            let fields = self.operation.params.iter().zip(variables);
            let fields = fields.map(|(param, value)| {
                let field = names::param(param);
                match field == *value {
                    true => quote!(#field),
                    false => quote!(#field: #value),
                }
            });
            arguments.push(quote!(#name { #(#fields),* }));
        }
        if self.operation.body.is_some() {
            arguments.push(quote!(body));
        }
        if self.operation.accept.offers.len() > 1 {
            arguments.push(quote!(accept));
        }
        if self.operation.raw {
            arguments.push(quote!(http::Request::from_parts(call.parts, stream)));
        }
        arguments
    }
}
