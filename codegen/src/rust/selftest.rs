//! The selftest of a generated crate: a program of its calls and examples, and a driver that is the
//! same for all crates.

mod values;

use super::api;
use super::client;
use super::file;
use super::manifest::has_forms;
use super::outgoing;
use super::security;
use super::service;
use super::tokens::{ModelPath, ident, ty};
use crate::FileTree;
use crate::Options;
use crate::file_tree::json;
use crate::ir::{Api, Operation};
use crate::rust::names;
use crate::selftest::{ExampleCheck, OperationKind, Pool, TestCase};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use serde_json::json;
use std::collections::BTreeMap;
use values::{answer, params, request_body, value};

/// The driver, which knows the generated crate as `subject`.
const DRIVER: &str = include_str!("../../templates/selftest.rs");

/// The part of it that calls operations.
const CALLS: &str = include_str!("../../templates/selftest_calls.rs");

/// The same where there are none.
const NO_CALLS: &str = include_str!("../../templates/selftest_no_calls.rs");

/// A part of the driver for contracts with forms that have files.
const FILES: &str = include_str!("../../templates/selftest_files.rs");

const MANIFEST: &str = include_str!("../../templates/selftest.toml");

/// The package.
pub(crate) fn selftest(
    api: &Api,
    options: &Options,
    shown: &[ExampleCheck],
    cases: &[TestCase<'_>],
    pool: &Pool,
) -> FileTree {
    let (examples, rows) = examples(api, shown);
    let mut items = vec![
        quote!(
            use crate::*;
            use subject::runtime;
            use subject::runtime::__private as rt;
        ),
        examples,
    ];
    if api.has_operations() {
        items.extend(calls(api, cases));
    }
    let mut files = FileTree::default();
    let manifest = MANIFEST.replace("NAME", &options.crate_name);
    files.insert("Cargo.toml", manifest);
    files.insert("src/main.rs", DRIVER);
    let driver = match (api.has_operations(), has_forms(api)) {
        (true, true) => [CALLS, FILES].concat(),
        (true, false) => CALLS.to_owned(),
        (false, _) => NO_CALLS.to_owned(),
    };
    files.insert("src/calls.rs", driver);
    let doc = "What is called and answered, and the examples.";
    let text = file::text(doc, items);
    files.insert("src/cases.rs", text);
    let data = json!({ "values": pool.values(), "examples": rows, "calls": cases.len() });
    files.insert("src/data.json", json(&data));
    files
}

/// An example's value, its text when written again, and its place.
type Row<'a> = (usize, usize, &'a str);

/// The code that takes the examples through their types, and the examples in the order of those.
fn examples<'a>(api: &Api, shown: &'a [ExampleCheck]) -> (TokenStream, Vec<Row<'a>>) {
    let mut by_type: BTreeMap<String, (TokenStream, Vec<&ExampleCheck>)> = BTreeMap::new();
    for one in shown {
        let ty = ty(api, &one.ty, ModelPath::Qualified);
        let of_type = by_type
            .entry(ty.to_string())
            .or_insert_with(|| (ty, Vec::new()));
        of_type.1.push(one);
    }
    let (mut rows, mut checks) = (Vec::new(), Vec::new());
    for (ty, of_type) in by_type.into_values() {
        let start = Literal::usize_unsuffixed(rows.len());
        rows.extend(
            of_type
                .iter()
                .map(|one| (one.value, one.expected, &*one.at)),
        );
        let end = Literal::usize_unsuffixed(rows.len());
        checks.push(quote!(round::<#ty>(failed, #start..#end);));
    }
    let examples = quote!(pub fn examples(failed: &mut Vec<String>) { #(#checks)* });
    (examples, rows)
}

/// The code that calls the operations, and answers the calls.
fn calls(api: &Api, cases: &[TestCase<'_>]) -> Vec<TokenStream> {
    let groups = api.groups.iter();
    let stubs = groups.map(|group| {
        let (module, operations) = (names::module(group), group.operations.iter());
        let operations = operations.filter_map(|at| api.operations.get(*at));
        let operations = operations.filter(|operation| operation.served);
        let stub = Stub {
            kind: OperationKind::Served,
            name: ident(&format!("served_{}", group.name)),
            module: quote!(api::#module),
            interface: names::pascal_with(&group.name, "Api"),
            operations: operations.collect(),
        };
        stub.print(api, cases)
    });
    let callbacks = api.callbacks.iter().map(|callback| &callback.operation);
    let outgoing = [
        listener(
            api,
            OperationKind::Webhook,
            api.webhooks.iter().collect(),
            cases,
        ),
        listener(api, OperationKind::Callback, callbacks.collect(), cases),
    ];
    let calls = cases.iter().map(|case| call(api, case));
    let arms = cases.iter().enumerate().map(|(number, case)| {
        let (number, id) = (Literal::usize_unsuffixed(number), &case.operation.id);
        let name = name(case);
        quote!(#number => (#id, #name(client)),)
    });
    let faults = api
        .rejections
        .iter()
        .filter_map(|rejection| service::stub(api, rejection));
    let credentials = client::with_credentials(client::shown(api).iter());
    vec![
        quote! {
            pub fn call(number: usize, client: &Caller) -> (&'static str, Run<'_>) {
                match number { #(#arms)* _ => ("", Box::pin(std::future::ready(Ok(())))) }
            }
        },
        quote!(impl subject::service::Faults for Stub { #(#faults)* }),
        quote!(pub fn with_credentials(client: Caller) -> Caller { client #credentials }),
        security::stub(api),
        quote!(#(#stubs)*),
        quote!(#(#outgoing)*),
        quote!(#(#calls)*),
    ]
}

fn name(case: &TestCase<'_>) -> Ident {
    let kind = match case.kind {
        OperationKind::Served => "call",
        OperationKind::Webhook => "webhook",
        OperationKind::Callback => "callback",
    };
    ident(&format!("{kind}_{}", case.operation.index))
}

/// The name of a caller's argument, by its place.
fn argument(at: usize) -> Ident {
    ident(&format!("argument_{at}"))
}

/// The module of an operation's types.
fn module(api: &Api, case: &TestCase<'_>) -> TokenStream {
    match case.kind {
        OperationKind::Served => {
            let mut groups = api.groups.iter();
            let group = groups.find(|group| group.tag == case.operation.tag);
            let module = group.map_or_else(|| ident("api"), names::module);
            quote!(subject::api::#module)
        }
        OperationKind::Webhook => quote!(subject::webhooks),
        OperationKind::Callback => quote!(subject::callbacks),
    }
}

/// The receiver of webhooks or callbacks, and a sender that reaches it; nothing where there are none.
fn listener(
    api: &Api,
    kind: OperationKind,
    operations: Vec<&Operation>,
    cases: &[TestCase<'_>],
) -> Option<TokenStream> {
    let (module, interface, sender) = match kind {
        OperationKind::Webhook => ("webhooks", "Webhooks", "WebhookSender"),
        _ => ("callbacks", "Callbacks", "CallbackSender"),
    };
    let (name, sender) = (ident(module), ident(sender));
    let module = quote!(#name);
    let credentials = client::with_credentials(outgoing::schemes(api, &operations));
    let stub = Stub {
        kind,
        name: ident(&format!("received_{name}")),
        module: module.clone(),
        interface: ident(interface),
        operations,
    };
    let print = (!stub.operations.is_empty()).then(|| stub.print(api, cases))?;
    Some(quote! {
        #print
        fn #name() -> subject::#module::#sender<Loopback<subject::#module::Dispatcher<Stub>>> {
            subject::#module::#sender::new(Loopback(subject::#module::service(
                std::sync::Arc::new(Stub),
                limits(),
            ))) #credentials
        }
    })
}

/// The implementation of a trait, whose methods give the chosen answers; those that are not called give none.
struct Stub<'a> {
    kind: OperationKind,
    name: Ident,
    module: TokenStream,
    interface: Ident,
    operations: Vec<&'a Operation>,
}

impl Stub<'_> {
    fn print(&self, api: &Api, cases: &[TestCase<'_>]) -> TokenStream {
        let (within, module, interface) = (&self.name, &self.module, &self.interface);
        let methods = self.operations.iter().map(|operation| {
            let name = names::method(operation);
            let arguments = api::arguments(api, operation);
            let response = api::answer_ty(operation);
            let mut own = cases.iter();
            let own = own.find(|case| {
                case.kind == self.kind && case.operation.index == operation.index
            });
            let body = match own {
                Some(case) => {
                    let heard = heard(case);
                    let answer = answer(api, operation, &case.answer);
                    quote!(crate::heard(&[#(&#heard),*]); Ok(#answer))
                }
                None => quote!(Err(runtime::HandlerError::Internal)),
            };
            quote!(async fn #name(&self, #(#arguments),*) -> Result<#response, runtime::HandlerError> { #body })
        });
        let security = (!security::is_empty(api)).then(|| {
            quote!(
                use subject::security;
            )
        });
        quote! {
            mod #within {
                use super::*;
                #security
                use subject::#module::*;
                impl #interface for Stub { #(#methods)* }
            }
        }
    }
}

/// The names of the arguments that a caller sends.
fn sent(operation: &Operation) -> Vec<Ident> {
    let path = operation.path_params.iter();
    let mut names: Vec<_> = path.map(names::param).collect();
    if !operation.params.is_empty() {
        names.push(ident("params"));
    }
    if operation.body.is_some() {
        names.push(ident("body"));
    }
    names
}

/// The names of those that can be looked at before they are used: all but streams.
fn heard(case: &TestCase<'_>) -> Vec<Ident> {
    let mut names = sent(case.operation);
    let body = case.body.as_ref();
    if body.is_some_and(|body| body.media.is_streamed()) {
        names.pop();
    }
    names
}

fn call(api: &Api, case: &TestCase<'_>) -> TokenStream {
    let operation = case.operation;
    let (name, method) = (name(case), names::method(operation));
    let module = module(api, case);
    let mut values: Vec<TokenStream> = case.path.iter().map(|at| value(*at)).collect();
    if !operation.params.is_empty() {
        let kind = api::params_name(operation);
        let fields = params(&operation.params, &case.params);
        values.push(quote!(#module::#kind { #(#fields),* }));
    }
    if let Some(body) = &operation.body {
        let sent = case.body.as_ref();
        let sent = sent.map(|sent| request_body(&module, body, sent));
        values.push(match (sent, body.required) {
            (Some(sent), true) => sent,
            (Some(sent), false) => quote!(Some(#sent)),
            (None, _) => quote!(None),
        });
    }
    // The document's names could be those of what is here.
    let names: Vec<_> = (0..values.len()).map(argument).collect();
    let heard = names.iter().take(heard(case).len());
    let types = client::arguments(api, &module, operation);
    let types = types.iter().map(|(_, ty)| ty);
    let status = Literal::u16_unsuffixed(case.answer.status);
    let url = format!("http://localhost{}", operation.path);
    let (client, url) = match case.kind {
        OperationKind::Served => (None, None),
        OperationKind::Webhook => (
            Some(quote!(let client = self::webhooks();)),
            Some(quote!(#url,)),
        ),
        OperationKind::Callback => (
            Some(quote!(let client = self::callbacks();)),
            Some(quote!(#url,)),
        ),
    };
    quote! {
        // A future is as large as the bodies that it holds: each is on the stack in its own function alone.
        fn #name(client: &Caller) -> Run<'_> { Box::pin(async move {
            #client
            #(let #names: #types = #values;)*
            let sent = format!("{:?}", [#(&#heard as &dyn std::fmt::Debug),*] as [&dyn std::fmt::Debug; _]);
            let answer = client.#method(#url #(#names),*).await;
            crate::judge(#status, sent, answer.map(|answer| answer.into_http())).await
        }) }
    }
}
