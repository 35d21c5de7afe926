//! Refused documents, and their diagnostics.

use crate::expected::{Differences, entries, folder, name};
use codegen::diagnostic::Class;
use codegen::{Code, Options, Runtime, Source, Workspace};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Every document under `reject/` gets the diagnostics beside it, and every code is shown by a
/// document.
#[test]
fn says_what_is_wrong_and_where() {
    let mut differences = Differences::default();
    let mut codes = BTreeSet::new();
    for path in entries(&folder("reject")) {
        if path
            .extension()
            .is_some_and(|extension| extension == "stderr")
        {
            if !has_document(&path) {
                differences.note(&format!("{} has no document", name(&path)));
            }
            continue;
        }
        let source = Source {
            name: name(&path),
            text: fs::read_to_string(&path).unwrap().replace("\r\n", "\n"),
        };
        match codegen::generate(&source, &options()) {
            Ok(_) => differences.note(&format!("{} is taken", source.name)),
            Err(found) => {
                codes.extend(found.iter().map(|diagnostic| diagnostic.code));
                differences.compare(&path.with_extension("stderr"), &found.render(&source));
            }
        }
    }
    for code in Code::ALL {
        let refused = matches!(code.class(), Class::Invalid | Class::Unsupported);
        if refused && !codes.contains(code) {
            differences.note(&format!("no document is refused as {}", code.name()));
        }
    }
}

fn options() -> Options {
    Options {
        crate_name: "rejected".into(),
        workspace: Workspace::Own,
        runtime: Runtime::Copy,
        strict: true,
        samples: Vec::new(),
        ..Options::default()
    }
}

fn has_document(stderr: &Path) -> bool {
    let mut forms = ["yaml", "json"].iter();
    forms.any(|form| stderr.with_extension(form).exists())
}
