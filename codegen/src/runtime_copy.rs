//! The sources of the runtime and of the crate that it depends on, for an output that carries copies.
//!
//! The build script says where they are.

use crate::FileTree;
use include_dir::{Dir, include_dir};

const RUNTIME: &str = include_str!(env!("RUNTIME_MANIFEST"));
static RUNTIME_SOURCES: Dir<'static> = include_dir!("$RUNTIME_SOURCES");

const JSON_SCHEMA: &str = include_str!(env!("JSON_SCHEMA_MANIFEST"));
static JSON_SCHEMA_SOURCES: Dir<'static> = include_dir!("$JSON_SCHEMA_SOURCES");

/// The package of the runtime in a registry and in this repository.
pub(crate) const RUNTIME_PACKAGE: &str = "openapi-crate-runtime";

/// The package of the runtime's copy. A workspace may have several outputs, so that packages are named
/// after theirs.
pub(crate) fn package(crate_name: &str) -> String {
    format!("{crate_name}-runtime")
}

/// Adds the copies, each in a folder.
pub(crate) fn insert(files: &mut FileTree, crate_name: &str) {
    // Libraries are named after their packages, so that their documentation has folders of its own.
    let named = |manifest: &str| {
        manifest
            .replace("\"openapi-crate-", &format!("\"{crate_name}-"))
            .replacen("[lib]\nname = \"runtime\"\n\n", "", 1)
            .replacen("[lib]\nname = \"json_schema\"\n\n", "", 1)
    };
    files.insert("runtime/Cargo.toml", named(RUNTIME));
    insert_sources(files, "runtime", &RUNTIME_SOURCES);
    files.insert("json-schema/Cargo.toml", named(JSON_SCHEMA));
    insert_sources(files, "json-schema", &JSON_SCHEMA_SOURCES);
}

fn insert_sources(files: &mut FileTree, package: &str, folder: &'static Dir<'static>) {
    for file in folder.files() {
        let path = format!("{package}/src/{}", file.path().display());
        files.insert(path, file.contents_utf8().unwrap_or_default());
    }
    let folders = folder.dirs();
    folders.for_each(|inner| insert_sources(files, package, inner));
}
