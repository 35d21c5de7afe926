//! Documents of one feature each, and selected files of their output.
//!
//! The first line of a `spec.yaml` names these files: `# Shows: src/models.rs`.

use crate::expected::{Differences, entries, folder, name};
use codegen::{Code, FileTree, Options, Runtime, SampleLanguage, Source, Workspace};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[test]
fn the_output_is_the_committed_one() {
    let mut differences = Differences::default();
    for fixture in entries(&folder("golden")) {
        let source = read(&fixture);
        let files = generate(&source);
        let shown = shown(&source, &files, &mut differences);
        for path in &shown {
            differences.compare(&fixture.join(path), files.get(path).unwrap_or_default());
        }
        for path in committed(&fixture, "") {
            if !shown.contains(&path) && path != "spec.yaml" {
                differences.note(&format!("{}: {path} is not shown", name(&fixture)));
            }
        }
    }
}

#[test]
fn the_output_is_deterministic() {
    for fixture in entries(&folder("golden")) {
        let source = read(&fixture);
        assert!(generate(&source) == generate(&source), "{}", source.name);
    }
}

#[test]
fn reads_json_as_it_reads_yaml() {
    let yaml = read(&folder("golden").join("operation"));
    let value: serde_json::Value = serde_yaml::from_str(&yaml.text).unwrap();
    let json = Source {
        name: "spec.json".into(),
        text: value.to_string(),
    };
    assert!(generate(&json) == generate(&yaml));
}

fn read(fixture: &Path) -> Source {
    let text = fs::read_to_string(fixture.join("spec.yaml")).unwrap();
    Source {
        name: format!("{}/spec.yaml", name(fixture)),
        text: text.replace("\r\n", "\n"),
    }
}

fn generate(source: &Source) -> FileTree {
    let options = Options {
        crate_name: "golden".into(),
        workspace: Workspace::Own,
        runtime: Runtime::Copy,
        strict: true,
        samples: SampleLanguage::ALL.to_vec(),
        ..Options::default()
    };
    match codegen::generate(source, &options) {
        Ok(output) => {
            let warnings = output.warnings;
            let warnings = warnings.adjusted(|one| one.code != Code::JsonValue);
            assert!(warnings.is_empty(), "{}", warnings.render(source));
            output.files
        }
        Err(found) => panic!("{}", found.render(source)),
    }
}

/// The files that a fixture shows.
fn shown(source: &Source, files: &FileTree, differences: &mut Differences) -> BTreeSet<String> {
    let head = source.text.lines().next().unwrap_or_default();
    let listed = head.strip_prefix("# Shows: ").unwrap_or_default();
    let shown: BTreeSet<String> = listed.split_whitespace().map(str::to_owned).collect();
    if shown.is_empty() {
        differences.note(&format!("{} does not say what it shows", source.name));
    }
    for path in shown.iter().filter(|path| files.get(path).is_none()) {
        differences.note(&format!("{}: there is no {path}", source.name));
    }
    shown
}

/// The files below a folder, by their `/`-separated paths.
fn committed(folder: &Path, prefix: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in entries(folder) {
        let path = format!("{prefix}{}", name(&entry));
        if entry.is_dir() {
            found.extend(committed(&entry, &format!("{path}/")));
        } else {
            found.push(path);
        }
    }
    found
}
