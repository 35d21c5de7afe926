//! The program that tries a generated crate out: its calls and examples, beside a driver that does
//! not vary.

use super::api;
use super::client;
use super::rust::{self, Seen, constant, ident, ty};
use super::service;
use crate::Options;
use crate::ir::{Api, Body, Group, Media, Operation, Response, Status};
use crate::tree::FileTree;
use crate::trial::{Answer, Exchange, Held, Piece, Pool, Sent, Shown};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use serde_json::json;
use std::collections::BTreeMap;

/// The driver, which calls the crate `subject`.
const DRIVER: &str = include_str!("../../templates/trial.rs");

const MANIFEST: &str = include_str!("../../templates/trial.toml");

/// The package.
pub(crate) fn trial(
    api: &Api,
    options: &Options,
    shown: &[Shown],
    exchanges: &[Exchange<'_>],
    pool: &Pool,
) -> FileTree {
    let mut by_type: BTreeMap<String, (TokenStream, Vec<&Shown>)> = BTreeMap::new();
    for one in shown {
        let ty = ty(api, &one.ty, Seen::Outside);
        let of_type = by_type
            .entry(ty.to_string())
            .or_insert_with(|| (ty, Vec::new()));
        of_type.1.push(one);
    }
    let (mut rows, mut checks) = (Vec::new(), Vec::new());
    for (ty, of_type) in by_type.into_values() {
        let start = Literal::usize_unsuffixed(rows.len());
        rows.extend(of_type.iter().map(|one| (one.value, one.expected, &one.at)));
        let end = Literal::usize_unsuffixed(rows.len());
        checks.push(quote!(round::<#ty>(failed, #start..#end);));
    }
    let groups = api.groups.iter();
    let stubs = groups.map(|group| stub(api, group, exchanges));
    let calls = exchanges.iter().map(|exchange| call(api, exchange));
    let arms = exchanges.iter().enumerate().map(|(number, exchange)| {
        let (number, id) = (Literal::usize_unsuffixed(number), &exchange.operation.id);
        let name = name(exchange.operation);
        quote!(#number => (#id, Box::pin(#name(client))),)
    });
    let faults = api
        .faults
        .iter()
        .filter_map(|fault| service::stub(api, fault));
    let items = vec![
        quote! {
            use crate::*;
            use bytes::Bytes;
            use http::{Request, Response, StatusCode};
            use subject::{Events, Items, Upload};
            use subject::runtime::multipart::File;
            use subject::runtime::stream::ByteStream;
        },
        quote! {
            pub fn examples(failed: &mut Vec<String>) { #(#checks)* }
        },
        quote! {
            pub fn call(number: usize, client: &Caller) -> (&'static str, Run<'_>) {
                match number { #(#arms)* _ => ("", Box::pin(std::future::ready(Ok(())))) }
            }
        },
        quote!(impl subject::service::Faults for Stub { #(#faults)* }),
        quote!(#(#stubs)*),
        quote!(#(#calls)*),
    ];
    let mut files = FileTree::default();
    let manifest = MANIFEST.replace("NAME", &options.crate_name);
    files.insert("Cargo.toml", manifest);
    files.insert("src/main.rs", DRIVER);
    let head = rust::head(options);
    let text = rust::file(
        &head,
        ("What is called and answered, and the examples.", items),
    );
    files.insert("src/cases.rs", text);
    let data = json!({ "values": pool.values(), "examples": rows, "calls": exchanges.len() });
    files.insert("src/data.json", super::json(&data));
    files
}

fn name(operation: &Operation) -> Ident {
    ident(&format!("call_{}", operation.index))
}

fn module(api: &Api, operation: &Operation) -> TokenStream {
    let group = api.groups.iter().find(|group| group.tag == operation.tag);
    let module = ident(group.map_or("api", |group| &group.module));
    quote!(api::#module)
}

/// The implementation of a tag's trait, whose methods answer what was decided; those that are not
/// called answer nothing.
fn stub(api: &Api, group: &Group, exchanges: &[Exchange<'_>]) -> TokenStream {
    let (own, interface) = (ident(&group.module), ident(&group.interface));
    let operations = group
        .operations
        .iter()
        .filter_map(|at| api.operations.get(*at));
    let methods = operations.map(|operation| {
        let name = ident(&operation.rust);
        let arguments = api::arguments(api, operation);
        let response = api::answer_ty(operation);
        let mut own = exchanges.iter();
        let own = own.find(|exchange| exchange.operation.index == operation.index);
        let body = match own {
            Some(exchange) => {
                let heard = heard(exchange);
                let answer = answer(api, operation, &exchange.answer);
                quote!(heard(&[#(&#heard),*]); Ok(#answer))
            }
            None => quote!(Err(Failure::Internal)),
        };
        quote!(async fn #name(&self, #(#arguments),*) -> Result<#response, Failure> { #body })
    });
    let stub = quote!(impl #interface for Stub { #(#methods)* });
    let within = ident(&format!("stub_{}", group.module.trim_start_matches("r#")));
    quote! {
        mod #within {
            use super::*;
            use subject::api::#own::*;
            #stub
        }
    }
}

/// The names of the arguments that a caller sends.
fn sent(operation: &Operation) -> Vec<Ident> {
    let path = operation.path_params.iter();
    let mut names: Vec<_> = path.map(|param| ident(&param.field.rust)).collect();
    if !operation.params.is_empty() {
        names.push(ident("params"));
    }
    if operation.body.is_some() {
        names.push(ident("body"));
    }
    names
}

/// The names of those that can be looked at before they are used: all but streams.
fn heard(exchange: &Exchange<'_>) -> Vec<Ident> {
    let mut names = sent(exchange.operation);
    let body = exchange.body.as_ref();
    if body.is_some_and(|body| body.media.is_streamed()) {
        names.pop();
    }
    names
}

fn call(api: &Api, exchange: &Exchange<'_>) -> TokenStream {
    let operation = exchange.operation;
    let (name, method) = (name(operation), ident(&operation.rust));
    let module = module(api, operation);
    let arguments = client::arguments(api, &module, operation);
    let mut values: Vec<TokenStream> = exchange.path.iter().map(|at| value(*at)).collect();
    if !operation.params.is_empty() {
        let kind = api::params_name(operation);
        let fields = operation
            .params
            .iter()
            .zip(&exchange.params)
            .map(|(param, at)| {
                let rust = ident(&param.field.rust);
                let always = param.field.required || param.default.is_some();
                let value = match (at, always) {
                    (Some(at), true) => value(*at),
                    (Some(at), false) => {
                        let value = value(*at);
                        quote!(Some(#value))
                    }
                    (None, true) => {
                        let default = param.default.clone().unwrap_or_default().to_string();
                        quote!(literal(#default))
                    }
                    (None, false) => quote!(None),
                };
                quote!(#rust: #value)
            });
        values.push(quote!(#module::#kind { #(#fields),* }));
    }
    if let (Some(body), Some(sent)) = (&operation.body, &exchange.body) {
        let sent = request_body(&module, body, sent);
        values.push(match body.required {
            true => sent,
            false => quote!(Some(#sent)),
        });
    }
    let (names, heard) = (sent(operation), heard(exchange));
    let status = Literal::u16_unsuffixed(exchange.answer.status);
    quote! {
        async fn #name(client: &Caller) -> Outcome {
            #(let #arguments = #values;)*
            let sent = format!("{:?}", [#(&#heard as &dyn std::fmt::Debug),*] as [&dyn std::fmt::Debug; _]);
            let answer = client.#method(#(#names),*).await;
            judge(#status, sent, answer.map(|answer| answer.into_http())).await
        }
    }
}

fn value(at: usize) -> TokenStream {
    let at = Literal::usize_unsuffixed(at);
    quote!(value(#at))
}

fn request_body(module: &TokenStream, body: &Body, sent: &Sent<'_>) -> TokenStream {
    let held = match &sent.held {
        Held::Value(at) => value(*at),
        Held::Fields(form, fields) => {
            let kind = ident(&form.rust);
            let fields = fields.iter().map(|(field, piece)| {
                let (rust, value) = (ident(&field.rust), self::piece(*piece, field.required));
                quote!(#rust: #value)
            });
            let written = quote!(#module::#kind { #(#fields),* });
            match form.has_files() {
                true => quote!(runtime::Upload::from(#written)),
                false => written,
            }
        }
        Held::Text(at) => value(*at),
        Held::Stream => stream(sent.media),
        Held::Items => quote!(Default::default()),
    };
    match body.media.len() {
        1 => held,
        _ => {
            let (kind, rust) = (ident(&body.rust), ident(&sent.media.rust));
            quote!(#module::#kind::#rust(#held))
        }
    }
}

/// A stream, of some type where the contract leaves it open.
fn stream(media: &Media) -> TokenStream {
    match media.media_type.split_once("/*") {
        Some((kind, "")) if kind != "*" => {
            let concrete = format!("{kind}/example");
            quote!(stream().with_type(#concrete))
        }
        _ => quote!(stream()),
    }
}

fn piece(piece: Piece, required: bool) -> TokenStream {
    let one = match piece {
        Piece::Absent => return quote!(None),
        Piece::Files(count) => {
            let count = Literal::u64_unsuffixed(count);
            return quote!(vec![file(); #count]);
        }
        Piece::Value(at) => value(at),
        Piece::File => quote!(file()),
    };
    match required {
        true => one,
        false => quote!(Some(#one)),
    }
}

fn answer(api: &Api, operation: &Operation, answer: &Answer<'_>) -> TokenStream {
    let response = answer.response;
    let (kind, rust) = (api::response_name(operation), ident(&response.rust));
    let mut fields = Vec::new();
    if !matches!(response.status, Status::Code(_)) {
        let status = Literal::u16_unsuffixed(answer.status);
        fields.push(quote!(status: runtime::respond::status(#status)));
    }
    if let Some(sent) = &answer.body {
        let body = response_body(response, sent);
        fields.push(quote!(body: #body));
    }
    for (set, at) in response.headers.iter().zip(&answer.headers) {
        let header = &set.field;
        let rust = ident(&header.rust);
        let fixed = constant(api, &header.ty).is_some();
        let value = match (at, header.required) {
            _ if fixed && header.required => continue,
            (at, _) if fixed => {
                let there = at.is_some();
                quote!(#there)
            }
            (Some(at), true) => value(*at),
            (Some(at), false) => {
                let value = value(*at);
                quote!(Some(#value))
            }
            (None, _) => quote!(None),
        };
        fields.push(quote!(#rust: #value));
    }
    match fields.as_slice() {
        [] => quote!(#kind::#rust),
        _ => quote!(#kind::#rust { #(#fields),* }),
    }
}

fn response_body(response: &Response, sent: &Sent<'_>) -> TokenStream {
    let held = match &sent.held {
        Held::Value(at) => {
            let at = Literal::usize_unsuffixed(*at);
            quote!(encoded(#at))
        }
        Held::Text(at) => value(*at),
        Held::Fields(..) | Held::Stream => stream(sent.media),
        Held::Items => quote!(Default::default()),
    };
    match response.media.len() {
        1 => held,
        _ => {
            let (kind, rust) = (ident(&response.body_rust), ident(&sent.media.rust));
            quote!(#kind::#rust(#held))
        }
    }
}
