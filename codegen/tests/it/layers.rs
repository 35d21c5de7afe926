//! The layers of `codegen/src`, as ARCHITECTURE.md has them: which module may import which.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The modules of the crate, each with those that it may import. Two pairs import each other: texts are
/// read with diagnostics, which show places in texts; and a self-test is planned by one module and printed
/// by another.
const LAYERS: &[(&str, &[&str])] = &[
    ("source", &["diagnostic"]),
    ("diagnostic", &["source"]),
    ("formats", &["source", "diagnostic"]),
    ("message", &[]),
    ("schema", &["source", "diagnostic"]),
    ("idioms", &["source", "diagnostic", "schema"]),
    (
        "openapi",
        &[
            "source",
            "diagnostic",
            "formats",
            "message",
            "schema",
            "idioms",
        ],
    ),
    ("ir", &["formats", "message", "schema"]),
    ("names", &["source", "ir"]),
    (
        "lower",
        &[
            "source",
            "diagnostic",
            "formats",
            "message",
            "schema",
            "openapi",
            "ir",
            "names",
        ],
    ),
    (
        "lint",
        &["source", "diagnostic", "schema", "openapi", "ir", "lower"],
    ),
    ("postman", &["ir", "message", "names", "schema"]),
    ("reference", &["ir", "names", "schema"]),
    (
        "rust",
        &[
            "ir",
            "names",
            "schema",
            "derives",
            "selftest",
            "file_tree",
            "runtime_copy",
        ],
    ),
    (
        "selftest",
        &["source", "diagnostic", "ir", "schema", "rust"],
    ),
    (
        "payloads",
        &["source", "diagnostic", "ir", "output", "rust", "selftest"],
    ),
    ("samples", &["ir", "rust"]),
    ("features", &[]),
    ("derives", &["source", "diagnostic", "ir"]),
    ("document", &["source"]),
    (
        "build",
        &["source", "diagnostic", "formats", "features", "document"],
    ),
    ("file_tree", &[]),
    ("runtime_copy", &[]),
    (
        "output",
        &[
            "ir",
            "file_tree",
            "postman",
            "reference",
            "runtime_copy",
            "rust",
            "samples",
        ],
    ),
    ("enforced", &["source", "diagnostic", "ir"]),
];

#[test]
fn modules_import_only_the_layers_below_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&folder, &mut files);
    let mut modules = BTreeSet::new();
    let mut wrong = Vec::new();
    for file in files {
        let path = file.strip_prefix(&folder).unwrap();
        let first = path.iter().next().unwrap().to_str().unwrap();
        let module = first.trim_end_matches(".rs");
        // The root of the crate runs the stages one after the other.
        if module == "lib" {
            continue;
        }
        modules.insert(module.to_owned());
        let text = fs::read_to_string(&file).unwrap();
        for imported in forbidden(module, &text) {
            wrong.push(format!("{} imports {imported}", path.display()));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    let listed: BTreeSet<String> = LAYERS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(modules, listed);
}

#[test]
fn an_import_of_another_layer_is_found() {
    let found = |module, text| forbidden(module, text);
    assert_eq!(found("postman", "use crate::openapi::Key;"), ["openapi"]);
    assert_eq!(found("schema", "crate::openapi::escape(key)"), ["openapi"]);
    let listed = "use crate::{Options, ir::Api,\n    lower};";
    assert_eq!(found("reference", listed), ["lower"]);
    assert!(found("openapi", "use crate::schema::JsonType;").is_empty());
}

/// The modules that a text imports although its own module must not.
fn forbidden(module: &str, text: &str) -> Vec<String> {
    let of = |name: &str| LAYERS.iter().find(|(known, _)| *known == name);
    let allowed = of(module).map_or(&[][..], |(_, allowed)| allowed);
    let mut found = imports(text);
    found.retain(|name| name != module && of(name).is_some() && !allowed.contains(&&**name));
    found
}

/// The names that stand after `crate::`, alone or in a list.
fn imports(text: &str) -> Vec<String> {
    let identifier = |text: &str| -> String {
        let is_part = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
        text.trim_start().chars().take_while(is_part).collect()
    };
    let mut names = Vec::new();
    for after in text.split("crate::").skip(1) {
        match after.strip_prefix('{') {
            Some(list) => {
                let list = list.split(';').next().unwrap_or_default();
                names.extend(list.split(',').map(identifier));
            }
            None => names.push(identifier(after)),
        }
    }
    names
}

fn rust_files(folder: &Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}
