//! The back end for Rust: prints the crate from the IR. It decides nothing, and cannot fail.

mod api;
mod check;
mod client;
mod closure;
mod conditions;
mod constructor;
mod deprecation;
mod doc_comment;
mod embedded;
mod file;
mod formats;
mod imports;
mod links;
mod manifest;
mod models;
mod names;
mod operations;
mod outgoing;
mod payloads;
mod sample;
mod security;
mod selftest;
mod service;
mod tokens;

pub use names::is_reserved;
pub(crate) use payloads::payload_reader;
pub(crate) use sample::sample;
pub(crate) use selftest::selftest;

use crate::ir::Api;
use crate::{FileTree, Options};
use check::Checked;

/// Adds the crate's manifest and sources, or the sources of a module.
pub(crate) fn render(api: &Api, options: &Options, files: &mut FileTree) {
    let checked = Checked::of(api);
    let mut sources = Sources {
        files,
        options,
        has_foreign_names: false,
    };
    types(api, &checked, &mut sources);
    if api.has_operations() {
        operations(api, &checked, &mut sources);
    }
    sources.root(&manifest::lib_rs(api, sources.has_foreign_names));
    if !options.embedded {
        files.insert("Cargo.toml", manifest::cargo_toml(api, files, options));
    }
}

/// The files below `src/`.
struct Sources<'o> {
    files: &'o mut FileTree,
    options: &'o Options,
    /// Whether any identifier has other letters than ASCII's.
    has_foreign_names: bool,
}

impl Sources<'_> {
    /// Adds the root.
    fn root(&mut self, lib: &str) {
        if self.options.embedded {
            let text = embedded::root(lib, &self.options.features);
            self.files.insert("src/mod.rs", text);
        } else {
            self.files.insert("src/lib.rs", lib.to_owned());
        }
    }

    /// Adds the file of a module, which is named by its path below the root.
    fn add(&mut self, module: &str, (doc, items): file::Content) {
        self.has_foreign_names |= items.iter().cloned().any(tokens::has_foreign_names);
        let items = file::with_imports(items).into_iter();
        let text = if self.options.embedded {
            let depth = module.split('/').count();
            let features = &self.options.features;
            let items = items.map(|item| embedded::embedded(item, depth, features));
            file::text(doc, items)
        } else {
            file::text(doc, items)
        };
        self.files.insert(format!("src/{module}.rs"), text);
    }
}

/// The types of the schemas and the checks of their values.
fn types(api: &Api, checked: &Checked, sources: &mut Sources<'_>) {
    sources.add(
        "models",
        models::file(api, checked, &sources.options.derives),
    );
    if !api.patterns.is_empty() {
        sources.add("patterns", models::patterns(api));
    }
    if !api.formats.is_empty() {
        sources.add("formats", formats::file(api));
    }
    if !api.conditions.is_empty() {
        sources.add("conditions", conditions::file(api));
    }
}

/// The traits to implement, the service that calls them, and the client.
fn operations(api: &Api, checked: &Checked, sources: &mut Sources<'_>) {
    sources.add("operations", operations::file(api));
    sources.add("service", service::file(api));
    if !security::is_empty(api) {
        sources.add("security", security::file(api));
    }
    sources.add("client", client::file(api));
    if !api.links.is_empty() {
        sources.add("links", links::file(api, checked));
    }
    for group in &api.groups {
        let path = format!("api/{}", names::file(group));
        sources.add(&path, api::file(api, checked, group));
    }
    if let Some(outgoing) = outgoing::webhooks(api) {
        sources.add("webhooks", outgoing::file(api, checked, &outgoing));
    }
    if let Some(outgoing) = outgoing::callbacks(api) {
        sources.add("callbacks", outgoing::file(api, checked, &outgoing));
    }
}
