//! A document of OpenAPI 3.1 is one of 3.2 by its version number alone.

use crate::expected::{entries, folder, name};
use codegen::{FileTree, Options, Runtime, SampleLanguage, Source, Workspace};
use std::fs;
use std::path::PathBuf;

#[test]
fn a_document_that_is_lifted_gives_the_same_crate_but_for_its_number() {
    let mut lifted = 0;
    for path in documents() {
        let text = fs::read_to_string(&path).unwrap();
        let Some(number) = version(&text) else {
            continue;
        };
        let before = generate(&path, &text);
        let after = generate(&path, &text.replacen(number, "3.2.0", 1));
        let names = |files: &FileTree| files.iter().map(|(name, _)| name.to_owned()).collect();
        let (known, now): (Vec<String>, Vec<String>) = (names(&before), names(&after));
        assert_eq!(known, now, "{}", path.display());
        for (file, text) in before.iter() {
            let lifted = after.get(file).unwrap_or_default();
            let head = format!("\"openapi\": \"{number}\"");
            let text = text.replace(&head, "\"openapi\": \"3.2.0\"");
            assert!(text == lifted, "{} of {}", file, path.display());
        }
        lifted += 1;
    }
    assert!(lifted > 50, "{lifted}");
}

/// The number of a version 3.1 at the beginning of a document.
fn version(text: &str) -> Option<&str> {
    let head = text.get(..200).unwrap_or(text);
    let start = head.find("3.1.")?;
    text.get(start..start + "3.1.0".len())
}

fn documents() -> Vec<PathBuf> {
    let golden = entries(&folder("golden")).into_iter();
    let golden = golden.map(|path| path.join("spec.yaml"));
    let others = ["behaviour", "recovered", "real"].map(|kind| entries(&folder(kind)));
    let others = others.into_iter().flatten();
    let is_document =
        |path: &PathBuf| name(path).ends_with(".yaml") || name(path).ends_with(".json");
    golden.chain(others.filter(is_document)).collect()
}

fn generate(path: &std::path::Path, text: &str) -> FileTree {
    let source = Source {
        name: name(path),
        text: text.to_owned(),
    };
    let options = Options {
        crate_name: "lifted".into(),
        workspace: Workspace::Own,
        runtime: Runtime::Version("1.0.0".into()),
        strict: false,
        samples: SampleLanguage::ALL.to_vec(),
        ..Options::default()
    };
    match codegen::generate(&source, &options) {
        Ok(output) => output.files,
        Err(found) => panic!("{}", found.render(&source)),
    }
}
