//! Documents of one idiom each, as tools write it: the types that they become, and what is reported.

use crate::expected::{Differences, entries, folder, name};
use codegen::{Code, Options, Runtime, Source, Workspace};
use std::fs;

/// Beside each document under `idioms/` are its `models.rs` and its warnings.
#[test]
fn each_idiom_becomes_the_type_that_is_meant() {
    let mut differences = Differences::default();
    for path in entries(&folder("idioms")) {
        if path.extension().is_none_or(|extension| extension != "yaml") {
            continue;
        }
        let source = Source {
            name: name(&path),
            text: fs::read_to_string(&path).unwrap().replace("\r\n", "\n"),
        };
        match codegen::generate(&source, &options()) {
            Err(found) => differences.note(&found.render(&source)),
            Ok(output) => {
                let models = output.files.get("src/models.rs").unwrap_or_default();
                differences.compare(&path.with_extension("rs"), models);
                // Every type is compiled, and none of these documents needs a value of any JSON.
                let warnings = output.warnings.render(&source);
                differences.compare(&path.with_extension("stderr"), &warnings);
                let mut warnings = output.warnings.iter();
                if warnings.any(|one| one.code == Code::JsonValue) {
                    differences.note(&format!("{}: a schema has no type", source.name));
                }
            }
        }
    }
}

fn options() -> Options {
    Options {
        crate_name: "idioms".into(),
        workspace: Workspace::Own,
        runtime: Runtime::Copy,
        samples: Vec::new(),
        ..Options::default()
    }
}
