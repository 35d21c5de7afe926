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
    if api.has_operations() {
        let collection = json(&postman::collection(&api), size);
        files.insert("postman/collection.json", collection);
        let environment = json(&postman::environment(&api), 0);
        files.insert("postman/environment.json", environment);
    }
    files.insert("REFERENCE.md", reference::reference(&api));
    files.insert("src/schemas.json", json(&api.schemas, size));
    api.schemas = Map::new();
    let checked = Checked::of(&api);
    types(&api, options, &checked, &mut files);
    if api.has_operations() {
        operations(&api, options, &checked, &mut files);
    }
    runtime(&api, options, &mut files);
    files
}

/// The crate, and the types of its schemas with what they are checked by.
fn types(api: &Api, options: &Options, checked: &Checked, files: &mut FileTree) {
    let head = rust::head(options);
    files.insert("Cargo.toml", manifest::cargo_toml(api, options));
    files.insert("src/lib.rs", manifest::lib_rs(api, options));
    files.insert(
        "src/models.rs",
        rust::file(&head, models::file(api, checked)),
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
}

/// What is called, by whom and how.
fn operations(api: &Api, options: &Options, checked: &Checked, files: &mut FileTree) {
    let head = rust::head(options);
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
        let text = rust::file(&head, links::file(api, checked));
        files.insert("src/links.rs", text);
    }
    for group in &api.groups {
        let module = group.module.trim_start_matches("r#");
        files.insert(
            format!("src/api/{module}.rs"),
            rust::file(&head, api::file(api, checked, group)),
        );
    }
    if let Some(room) = outgoing::webhooks(api) {
        let text = rust::file(&head, outgoing::file(api, checked, &room));
        files.insert("src/webhooks.rs", text);
    }
    if let Some(room) = outgoing::callbacks(api) {
        let text = rust::file(&head, outgoing::file(api, checked, &room));
        files.insert("src/callbacks.rs", text);
    }
}

/// A crate of its own: a change of the contract leaves it as it is, and it is compiled once.
fn runtime(api: &Api, options: &Options, files: &mut FileTree) {
    files.insert("runtime/Cargo.toml", manifest::runtime_toml(api, options));
    files.insert("runtime/src/lib.rs", manifest::runtime_rs(api));
}

#[cfg(test)]
mod tests {
    use crate::{ENTRIES, FileTree, Options, Source, Workspace, generate};

    fn files(document: &str) -> FileTree {
        let options = Options {
            crate_name: "t".into(),
            workspace: Workspace::Own,
            strict: true,
            command: "test".into(),
        };
        let source = Source {
            name: "t.yaml".into(),
            text: document.into(),
        };
        generate(&source, &options).expect("a document").files
    }

    const SCHEMAS: &str = "openapi: 3.1.1
info: { title: T, version: 1.0.0 }
components: { schemas: { Pet: { type: object, properties: { name: { type: string } } } } }
";

    #[test]
    fn a_document_of_schemas_alone_gives_types_alone() {
        let files = files(SCHEMAS);
        let paths: Vec<&str> = files.iter().map(|(path, _)| path).collect();
        let expected = [
            "Cargo.toml",
            "REFERENCE.md",
            "openapi.json",
            "runtime/Cargo.toml",
            "runtime/src/lib.rs",
            "src/lib.rs",
            "src/models.rs",
            "src/schemas.json",
        ];
        assert_eq!(paths, expected);
        let root = files.get("src/lib.rs").unwrap_or_default();
        for part in ["mod client", "mod service", "mod operations", "POSTMAN"] {
            assert!(!root.contains(part), "{part} in {root}");
        }
    }

    #[test]
    fn every_entry_is_one_of_those_that_are_known() {
        let webhooks = "webhooks: { a: { post: { responses: { \"200\": { description: A } } } } }";
        let files = files(&format!("{SCHEMAS}{webhooks}"));
        let entry = |path: &str| path.split('/').next().unwrap_or_default().to_owned();
        let mut entries: Vec<String> = files.iter().map(|(path, _)| entry(path)).collect();
        entries.dedup();
        assert_eq!(entries, ENTRIES);
    }
}
