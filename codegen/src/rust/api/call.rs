//! From a request to a call: parameters and body are decoded together, and every violation of
//! either is reported at once.

mod body;
mod declared;
mod literal;

use super::super::check::Checked;
use super::super::security;
use super::super::tokens::{ModelPath, ident, ty};
use super::params_name;
use crate::ir::{Api, Operation, Param, Security};
use crate::rust::names::{self, Variables, variables};
use body::is_only_streamed;
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
    let step = Step {
        api,
        checked,
        operation,
        variables: variables(operation.all_params()),
    };
    let name = call_name(operation);
    let principal = security::find(api, operation);
    let body = step.read_body();
    let decode = step.decode();
    let accept = step.accept();
    let answer = step.call(interface);
    quote! {
        #[cfg(feature = "server")]
        pub(crate) fn #name<H: #interface>(host: std::sync::Arc<H>, call: rt::Call<H::Context>) -> rt::Reply {
            Box::pin(async move {
                #principal
                call.negotiate()?;
                #body
                #decode
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
    /// The variables of all parameters.
    variables: Vec<Variables>,
}

impl Step<'_> {
    /// The parameters that the handler gets, each with its variables.
    fn handled(&self) -> impl Iterator<Item = (&Param, &Variables)> {
        let count = self.operation.path_params.len() + self.operation.params.len();
        let all = self.operation.all_params().zip(&self.variables);
        all.take(count)
    }

    /// Reads parameters and body into their variables, or returns every violation.
    fn decode(&self) -> TokenStream {
        let operation = self.operation;
        let table = ident(&table_name(operation));
        let new = ident(match operation {
            Operation { raw: true, .. } => "of_path",
            Operation { lenient: true, .. } => "lenient",
            _ => "new",
        });
        let reader =
            quote!(rt::Reader::#new(&call.parts, &call.captures, &crate::SCHEMAS, &#table));
        if self.variables.is_empty() && operation.body.is_none() {
            return quote!(#reader.finish()?;);
        }
        // Streams are taken as they are.
        let only_streams = operation.body.iter().all(is_only_streamed);
        let mutable = (!self.variables.is_empty() || !only_streams).then(|| quote!(mut));
        let specs = self.variables.iter().map(|variables| &variables.spec);
        let beside = !operation.selectors().is_empty()
            || !security::query_keys(self.api, operation).is_empty();
        let rest = beside.then(|| quote!(, ..));
        let bind = (!self.variables.is_empty()).then(|| quote!(let [#(#specs),* #rest] = &#table;));
        let reads = self.handled();
        let reads =
            reads.map(|(param, variables)| read_param(self.api, self.checked, param, variables));
        let checks = operation.if_none_match.iter().zip(self.variables.last());
        let checks = checks.map(|(param, Variables { spec, .. })| {
            let ty = ty(self.api, &param.field.ty, ModelPath::Qualified);
            let valid = self.checked.function(self.api, &param.field.ty);
            quote!(let _: Option<Option<#ty>> = reader.optional(#spec, #valid);)
        });
        let body = self.decode_body();
        let decoded = self.decoded();
        quote! {
            let #mutable reader = #reader;
            #bind
            #(#reads)*
            #(#checks)*
            #body
            reader.finish()?;
            #decoded
        }
    }

    /// Takes the decoded arguments: without a violation, all of them are there.
    fn decoded(&self) -> Option<TokenStream> {
        let values = self.handled().map(|(_, variables)| variables.value.clone());
        let body = self.operation.body.as_ref().map(|_| ident("body"));
        let decoded: Vec<Ident> = values.chain(body).collect();
        let pattern = match decoded.as_slice() {
            [] => return None,
            [only] => quote!(let Some(#only) = #only),
            all => quote!(let (#(Some(#all)),*) = (#(#all),*)),
        };
        Some(quote!(#pattern else { return Err(runtime::Rejection::Internal); };))
    }

    /// Calls the handler, and makes its answer.
    fn call(&self, interface: &Ident) -> TokenStream {
        let operation = self.operation;
        let method = names::method(operation);
        let arguments = self.arguments();
        let streams = operation
            .body
            .as_ref()
            .is_some_and(|body| !body.streamed().is_empty());
        let failed = match operation.raw || streams {
            true => quote!(|error| stream_rejection.or(rt::rejection::failed(error))),
            false => quote!(rt::rejection::failed),
        };
        let called = quote!(#interface::#method(&*host #(, #arguments)*).await.map_err(#failed));
        match operation.raw {
            true => quote!(#called.map(|response| response.map(rt::Body::from))),
            false => quote!(#called?.into_http()),
        }
    }

    /// The media type that the caller prefers, of several.
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

    /// The arguments of the handler, in the order of [`super::arguments`].
    fn arguments(&self) -> Vec<TokenStream> {
        let mut variables = self.handled().map(|(_, variables)| &variables.value);
        let mut arguments = Vec::new();
        if self.operation.security != Security::Public {
            arguments.push(quote!(principal));
        }
        if self.operation.extensions {
            arguments.push(quote!(call.parts.extensions));
        }
        if self.operation.raw_headers {
            arguments.push(quote!(runtime::credential::conceal(
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
