//! The sources of the runtime and of the crate that it depends on, for an output that carries copies.

use crate::FileTree;
use include_dir::{Dir, include_dir};

const RUNTIME: &str = include_str!("../runtime/Cargo.toml");
static RUNTIME_SOURCES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/runtime/src");

const JSON_SCHEMA: &str = include_str!("../json-schema/Cargo.toml");
static JSON_SCHEMA_SOURCES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/json-schema/src");

/// The package of the runtime's copy. A workspace may have several outputs, so that packages are named
/// after theirs.
pub(crate) fn package(crate_name: &str) -> String {
    format!("{crate_name}-runtime")
}

/// Adds the copies, each in a folder.
pub(crate) fn insert(files: &mut FileTree, crate_name: &str) {
    let named = |manifest: &str| {
        let own = |package| format!("name = \"{crate_name}-{package}\"");
        manifest
            .replacen("name = \"runtime\"", &own("runtime"), 1)
            .replacen("name = \"json-schema\"", &own("json-schema"), 1)
            .replacen(
                "json-schema = { path",
                &format!("json-schema = {{ package = \"{crate_name}-json-schema\", path"),
                1,
            )
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
