//! Documents that the standard allows, though they are unusual.

use crate::expected::{Differences, entries, folder, name};
use codegen::diagnostic::Severity;
use codegen::{Options, Reading, Source};
use std::fs;

/// Every document under `allowed/` is generated from in a strict run, and has no error in lint.
#[test]
fn takes_what_the_standard_allows() {
    let mut differences = Differences::default();
    for path in entries(&folder("allowed")) {
        let source = Source {
            name: name(&path),
            text: fs::read_to_string(&path).unwrap(),
        };
        if let Err(found) = codegen::generate(&source, &options()) {
            differences.note(&found.render(&source));
        }
        let found = codegen::lint::lint(&source, &Reading::default());
        let errors = found.adjusted(|problem| problem.severity == Severity::Error);
        if !errors.is_empty() {
            differences.note(&errors.render(&source));
        }
    }
}

fn options() -> Options {
    Options {
        crate_name: "allowed".into(),
        strict: true,
        samples: Vec::new(),
        ..Options::default()
    }
}
