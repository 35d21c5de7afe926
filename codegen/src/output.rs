//! The files of an output, from all back ends.

use crate::file_tree::{FileTree, json};
use crate::ir::Api;
use crate::{Options, Runtime, postman, reference, runtime_copy, rust, samples};

/// Prints everything.
pub(crate) fn render(api: &Api, options: &Options) -> FileTree {
    let mut files = FileTree::default();
    let document = samples::published(api, &options.samples, &options.crate_name);
    files.insert("openapi.json", json(&document));
    if !options.embedded {
        files.insert("REFERENCE.md", reference::reference(api));
    }
    if api.has_operations() {
        let postman = [
            ("postman/collection.json", json(&postman::collection(api))),
            ("postman/conformance.json", json(&postman::conformance(api))),
            ("postman/environment.json", json(&postman::environment(api))),
        ];
        for (path, text) in postman {
            files.insert(path, text);
        }
    }
    files.insert("src/schemas.json", json(&api.schemas));
    rust::render(api, options, &mut files);
    if options.runtime == Runtime::Copy && !options.embedded {
        runtime_copy::insert(&mut files, &options.crate_name);
    }
    files
}

#[cfg(test)]
mod tests {
    use crate::{ENTRIES, FileTree, Options, Runtime, Source, Workspace, generate};

    fn files(document: &str) -> FileTree {
        let options = Options {
            crate_name: "t".into(),
            workspace: Workspace::Own,
            runtime: Runtime::Copy,
            strict: true,
            samples: Vec::new(),
            ..Options::default()
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
        let paths = files.iter().map(|(path, _)| path);
        let is_copied =
            |path: &str| path.starts_with("runtime/") || path.starts_with("json-schema/");
        let paths: Vec<&str> = paths.filter(|path| !is_copied(path)).collect();
        let expected = [
            "Cargo.toml",
            "REFERENCE.md",
            "openapi.json",
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
    fn every_entry_of_an_output_is_listed() {
        let webhooks = "webhooks: { a: { post: { responses: { \"200\": { description: A } } } } }";
        let files = files(&format!("{SCHEMAS}{webhooks}"));
        let entry = |path: &str| path.split('/').next().unwrap_or_default().to_owned();
        let mut entries: Vec<String> = files.iter().map(|(path, _)| entry(path)).collect();
        entries.dedup();
        assert_eq!(entries, ENTRIES);
    }
}
