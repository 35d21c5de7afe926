//! The last stage: the IR printed as files. It decides nothing, and cannot fail.

mod api;
mod check;
mod client;
mod closure;
mod conditions;
mod decode;
mod encode;
mod formats;
mod json;
mod links;
mod made;
mod manifest;
mod models;
mod operations;
mod outgoing;
mod postman;
mod print;
mod prose;
mod reference;
mod rust;
mod security;
mod service;
mod trial;
mod union;
mod uses;
mod whole;

pub(crate) use trial::trial;

use crate::Options;
use crate::ir::Api;
use crate::tree::FileTree;
use check::Checked;
use json::json;
use serde_json::{Map, Value};

/// Prints everything. What is large and read by few is printed first, and let go of.
pub(crate) fn render(mut api: Api, options: &Options) -> FileTree {
    let mut files = FileTree::default();
    // How long the document is tells how long the rest will be, give or take.
    let openapi = json(&api.document, 0);
    let size = openapi.len();
    api.document = Value::Null;
    files.insert("openapi.json", openapi);
    let collection = json(&postman::collection(&api), size);
    files.insert("postman/collection.json", collection);
    files.insert(
        "postman/environment.json",
        json(&postman::environment(&api), 0),
    );
    files.insert("REFERENCE.md", reference::reference(&api));
    files.insert("src/schemas.json", json(&api.schemas, size));
    api.schemas = Map::new();
    rust_files(&api, options, &mut files);
    runtime(&api, options, &mut files);
    files
}

fn rust_files(api: &Api, options: &Options, files: &mut FileTree) {
    let head = rust::head(options);
    let checked = Checked::of(api);
    files.insert("Cargo.toml", manifest::cargo_toml(api, options));
    files.insert("src/lib.rs", manifest::lib_rs(api, options));
    files.insert(
        "src/models.rs",
        rust::file(&head, models::file(api, &checked)),
    );
    if !api.patterns.is_empty() {
        let text = rust::file(&head, models::patterns(api));
        files.insert("src/patterns.rs", text);
    }
    if !api.formats.is_empty() {
        let text = rust::file(&head, formats::file(api));
        files.insert("src/formats.rs", text);
    }
    if !api.conditions.is_empty() {
        let text = rust::file(&head, conditions::file(api));
        files.insert("src/conditions.rs", text);
    }
    files.insert(
        "src/operations.rs",
        rust::file(&head, operations::file(api)),
    );
    files.insert("src/service.rs", rust::file(&head, service::file(api)));
    if !security::is_empty(api) {
        files.insert(
            "src/security.rs",
            rust::closed_file(&head, security::file(api)),
        );
    }
    files.insert("src/client.rs", rust::file(&head, client::file(api)));
    if !api.links.is_empty() {
        let text = rust::file(&head, links::file(api, &checked));
        files.insert("src/links.rs", text);
    }
    for group in &api.groups {
        let module = group.module.trim_start_matches("r#");
        files.insert(
            format!("src/api/{module}.rs"),
            rust::file(&head, api::file(api, &checked, group)),
        );
    }
    if let Some(room) = outgoing::webhooks(api) {
        let text = rust::file(&head, outgoing::file(api, &checked, &room));
        files.insert("src/webhooks.rs", text);
    }
    if let Some(room) = outgoing::callbacks(api) {
        let text = rust::file(&head, outgoing::file(api, &checked, &room));
        files.insert("src/callbacks.rs", text);
    }
}

/// A crate of its own: a change of the contract leaves it as it is, and it is compiled once.
fn runtime(api: &Api, options: &Options, files: &mut FileTree) {
    files.insert("runtime/Cargo.toml", manifest::runtime_toml(api, options));
    files.insert("runtime/src/lib.rs", manifest::runtime_rs(api, options));
}
