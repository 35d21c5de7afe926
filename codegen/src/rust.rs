//! The back end for Rust: prints the crate from the IR. It decides nothing, and cannot fail.

mod api;
mod check;
mod client;
mod closure;
mod conditions;
mod doc_comment;
mod file;
mod formats;
mod imports;
mod links;
mod manifest;
mod models;
mod names;
mod operations;
mod outgoing;
mod sample;
mod security;
mod selftest;
mod service;
mod tokens;

pub use names::is_reserved;
pub(crate) use sample::sample;
pub(crate) use selftest::selftest;

use crate::FileTree;
use crate::Options;
use crate::ir::Api;
use check::Checked;
use file::file;

/// Adds the crate's manifest and sources.
pub(crate) fn render(api: &Api, options: &Options, files: &mut FileTree) {
    let checked = Checked::of(api);
    types(api, &checked, files);
    if api.has_operations() {
        operations(api, &checked, files);
    }
    files.insert("Cargo.toml", manifest::cargo_toml(api, files, options));
}

/// The crate's root, the types of its schemas and what checks their values.
fn types(api: &Api, checked: &Checked, files: &mut FileTree) {
    files.insert("src/lib.rs", manifest::lib_rs(api));
    files.insert("src/models.rs", file(models::file(api, checked)));
    if !api.patterns.is_empty() {
        files.insert("src/patterns.rs", file(models::patterns(api)));
    }
    if !api.formats.is_empty() {
        files.insert("src/formats.rs", file(formats::file(api)));
    }
    if !api.conditions.is_empty() {
        files.insert("src/conditions.rs", file(conditions::file(api)));
    }
}

/// The traits to implement, the service that calls them, and the client.
fn operations(api: &Api, checked: &Checked, files: &mut FileTree) {
    files.insert("src/operations.rs", file(operations::file(api)));
    files.insert("src/service.rs", file(service::file(api)));
    if !security::is_empty(api) {
        files.insert("src/security.rs", file(security::file(api)));
    }
    files.insert("src/client.rs", file(client::file(api)));
    if !api.links.is_empty() {
        files.insert("src/links.rs", file(links::file(api, checked)));
    }
    for group in &api.groups {
        let module = names::module(group).to_string();
        let path = format!("src/api/{}.rs", module.trim_start_matches("r#"));
        files.insert(path, file(api::file(api, checked, group)));
    }
    if let Some(outgoing) = outgoing::webhooks(api) {
        let text = file(outgoing::file(api, checked, &outgoing));
        files.insert("src/webhooks.rs", text);
    }
    if let Some(outgoing) = outgoing::callbacks(api) {
        let text = file(outgoing::file(api, checked, &outgoing));
        files.insert("src/callbacks.rs", text);
    }
}
