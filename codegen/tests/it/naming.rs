//! Names in the output are stable: an addition to the contract renames nothing, and prose names
//! nothing.
//!
//! Each edit is applied to each golden document, to our own contract and to [`HOSTILE`]; every
//! public name of the crate before must exist after, at the same place and of the same kind.
//!
//! This cannot hold for names that are equal in Rust's spelling, such as operations `a.b` and `aB`:
//! there the earlier in the document keeps its name, and the later gets a number. The schemas of
//! components come before all that is named after a place. The title of a variant's schema is a
//! name and no prose.

mod edits;
mod public;

use crate::expected::{entries, folder};
use codegen::{FileTree, Options, Runtime, Source, Workspace};
use edits::{ADDITIONS, PROSE};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Names that collide with derived names, and components that several operations share.
const HOSTILE: &str = include_str!("naming/hostile.yaml");

#[test]
fn additions_rename_nothing() {
    additions_rename_nothing_in(hostile());
}

#[test]
#[ignore = "takes minutes: cargo xtask ci --all"]
fn additions_rename_nothing_in_golden_documents() {
    additions_rename_nothing_in(golden());
}

fn additions_rename_nothing_in(documents: Vec<(String, Value)>) {
    let mut renamed = String::new();
    for (name, document) in documents {
        let before = public::names(&generate(&document));
        for (edit, apply) in ADDITIONS {
            let mut changed = document.clone();
            apply(&mut changed);
            let after = public::names(&generate(&changed));
            for lost in before.difference(&after) {
                renamed.push_str(&format!("{name}, {edit}: no {lost}\n"));
            }
            assert!(
                name != "hostile" || before != after,
                "{edit}: nothing is added"
            );
        }
    }
    assert!(renamed.is_empty(), "{renamed}");
}

#[test]
fn prose_names_nothing() {
    prose_names_nothing_in(hostile());
}

#[test]
#[ignore = "takes minutes: cargo xtask ci --all"]
fn prose_names_nothing_in_golden_documents() {
    prose_names_nothing_in(golden());
}

fn prose_names_nothing_in(documents: Vec<(String, Value)>) {
    let mut renamed = String::new();
    for (name, document) in documents {
        let before = public::names(&generate(&document));
        for (edit, apply) in PROSE {
            let mut changed = document.clone();
            apply(&mut changed);
            let after = public::names(&generate(&changed));
            for one in before.symmetric_difference(&after) {
                renamed.push_str(&format!("{name}, {edit}: {one}\n"));
            }
            // Objects are equal in any order of their members, texts are not.
            let (was, is) = (document.to_string(), changed.to_string());
            assert!(name != "hostile" || was != is, "{edit}: nothing is changed");
        }
    }
    assert!(renamed.is_empty(), "{renamed}");
}

/// Our own contract is large, so all is done to it at once.
#[test]
fn our_own_contract_keeps_its_names() {
    let mut document = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/openapi.yaml"));
    let before = public::names(&generate(&document));
    for (_, apply) in ADDITIONS.iter().chain(PROSE) {
        apply(&mut document);
    }
    let after = public::names(&generate(&document));
    let lost: Vec<_> = before.difference(&after).collect();
    assert!(lost.is_empty() && before != after, "{lost:#?}");
}

/// The golden documents.
fn golden() -> Vec<(String, Value)> {
    let folders = entries(&folder("golden")).into_iter();
    folders
        .map(|folder| {
            let name = folder.display().to_string();
            (name, read(&folder.join("spec.yaml")))
        })
        .collect()
}

/// [`HOSTILE`] with and without `readOnly` properties.
fn hostile() -> Vec<(String, Value)> {
    vec![
        ("hostile".into(), parsed(HOSTILE.to_owned())),
        (
            "hostile without readOnly".into(),
            parsed(HOSTILE.replace(", readOnly: true", "")),
        ),
    ]
}

fn read(path: &Path) -> Value {
    parsed(fs::read_to_string(path).unwrap())
}

/// A document as the generator reads it.
fn parsed(text: String) -> Value {
    let files = tree(&Source {
        name: "spec.yaml".into(),
        text,
    });
    serde_json::from_str(files.get("openapi.json").unwrap()).unwrap()
}

pub(crate) fn generate(document: &Value) -> FileTree {
    tree(&Source {
        name: "spec.json".into(),
        text: document.to_string(),
    })
}

fn tree(source: &Source) -> FileTree {
    let options = Options {
        crate_name: "naming".into(),
        workspace: Workspace::Own,
        runtime: Runtime::Copy,
        strict: true,
        samples: Vec::new(),
        ..Options::default()
    };
    match codegen::generate(source, &options) {
        Ok(output) => output.files,
        Err(found) => panic!("{}", found.render(source)),
    }
}
