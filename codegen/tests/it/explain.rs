//! The explanation of each code: its first document has the problem, its second does not.
//!
//! `explain/` holds the diagnostics of the first; a document without a head gets the usual one.

use crate::expected::{Differences, entries, folder, name};
use codegen::diagnostic::{Class, Diagnostics};
use codegen::{Code, Formats, Options, Reading, Runtime, Source, Workspace};

const HEAD: &str = "openapi: 3.1.1\ninfo: { title: Example, version: 1.0.0 }\n";

#[test]
fn shows_each_problem_and_how_it_is_fixed() {
    let mut differences = Differences::default();
    for code in Code::ALL {
        let documents = documents(*code);
        let [wrong, right] = documents.as_slice() else {
            differences.note(&format!("{}: not two documents", code.name()));
            continue;
        };
        let mut found = String::new();
        for problem in only(*code, &problems(*code, wrong)) {
            found.push_str(&problem);
        }
        if found.is_empty() {
            differences.note(&format!("{}: nothing is wrong", code.name()));
        }
        let path = folder("explain").join(format!("{}.stderr", code.name()));
        differences.compare(&path, &found);
        for problem in only(*code, &problems(*code, right)) {
            differences.note(&format!("{}: not fixed\n{problem}", code.name()));
        }
    }
}

#[test]
fn every_explained_code_exists() {
    for path in entries(&folder("explain")) {
        let name = name(&path);
        let code = name.strip_suffix(".stderr").and_then(Code::named);
        assert!(code.is_some(), "{name}");
    }
}

#[test]
fn explains_in_a_line_and_in_full() {
    for code in Code::ALL {
        let summary = code.summary();
        assert!(summary.ends_with('.') && summary.len() <= 100, "{summary}");
        let lines = code.explanation().lines();
        let long = lines.filter(|line| line.chars().count() > 130);
        assert_eq!(long.collect::<Vec<_>>(), [""; 0], "{}", code.name());
    }
}

/// The documents of an explanation.
fn documents(code: Code) -> Vec<Source> {
    let parts = code.explanation().split("```");
    let blocks = parts.filter_map(|part| part.strip_prefix("yaml\n"));
    blocks
        .map(|block| Source {
            name: format!("{}.yaml", code.name()),
            text: if block.starts_with("openapi") || code.class() == Class::Table {
                block.to_owned()
            } else {
                format!("{HEAD}{block}")
            },
        })
        .collect()
}

/// The diagnostics of the generator and of the rules.
fn problems(code: Code, source: &Source) -> (Diagnostics, Source) {
    let found = match code.class() {
        Class::Lint => codegen::lint::lint(source, &Reading::default()),
        Class::Table => Formats::changed_by(source).err().unwrap_or_default(),
        Class::Invalid | Class::Unsupported | Class::Idiom => {
            match codegen::generate(source, &options()) {
                Ok(output) => output.warnings,
                Err(found) => found,
            }
        }
    };
    (found, source.clone())
}

fn only(code: Code, (found, source): &(Diagnostics, Source)) -> Vec<String> {
    let text = found.render(source);
    let begins = format!("[{}]: ", code.name());
    let each = text
        .split("\n\n")
        .filter(|problem| problem.contains(&begins));
    each.map(|problem| format!("{}\n", problem.trim_end()))
        .collect()
}

fn options() -> Options {
    Options {
        crate_name: "explained".into(),
        workspace: Workspace::Own,
        runtime: Runtime::Copy,
        strict: true,
        samples: Vec::new(),
        ..Options::default()
    }
}
