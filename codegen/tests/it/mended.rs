//! Documents with faults that a run which is not strict makes the most of, and what it says then.

use crate::expected::{Differences, entries, folder, name};
use codegen::{Options, Source, Workspace};
use std::fs;

/// Every document under `mended/` is taken, with the warnings and the coverage beside it.
#[test]
fn says_what_is_done_instead() {
    let mut differences = Differences::default();
    for path in entries(&folder("mended")) {
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
                let there = output.coverage;
                let text = format!(
                    "{}\n{} of {} operations, raw: {:?}, for callers alone: {:?}\n",
                    output.warnings.render(&source),
                    there.generated,
                    there.documented,
                    there.raw,
                    there.unserved
                );
                differences.compare(&path.with_extension("stderr"), &text);
            }
        }
    }
}

fn options() -> Options {
    Options {
        crate_name: "mended".into(),
        workspace: Workspace::Own,
        strict: false,
        command: "cargo xtask gen".into(),
    }
}
