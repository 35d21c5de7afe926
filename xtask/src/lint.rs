//! `cargo xtask lint`: checks a contract by the rules that generation does not need.

use crate::generate::Failure;
use crate::{report, terminal};
use codegen::diagnostic::Severity;
use std::path::{Path, PathBuf};
use workspace::Document;

/// The workspace's own contract.
const OWN: &str = "spec/openapi.yaml";

/// The arguments of `lint`.
#[derive(clap::Args, Default)]
pub(crate) struct Arguments {
    /// The document to check, with the files that it refers to [default: spec/openapi.yaml]
    file: Option<PathBuf>,
}

/// Checks a document and prints its diagnostics; returns whether there are none.
///
/// # Errors
/// When the file cannot be read.
pub(crate) fn run(root: &Path, arguments: &Arguments) -> Result<bool, Failure> {
    let (path, name) = match &arguments.file {
        Some(file) => (file.clone(), file.to_string_lossy().into_owned()),
        None => (root.join(OWN), OWN.to_owned()),
    };
    let document =
        Document::read(&path, &name).map_err(|error| Failure::Disk(error, name.clone()))?;
    let Document {
        source, reading, ..
    } = &document;
    let diagnostics = codegen::lint::lint(source, reading);
    if !diagnostics.is_empty() {
        let look = terminal::look();
        eprintln!("{}", diagnostics.render_files(source, &reading.files, look));
    }
    let count = |severity| {
        diagnostics
            .iter()
            .filter(|p| p.severity == severity)
            .count()
    };
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let mut text = String::new();
    let title = if diagnostics.is_empty() {
        "Clean"
    } else {
        "Found"
    };
    let about = format!(
        "{}: {errors} errors, {warnings} warnings by {} rules",
        name,
        codegen::lint::rules()
    );
    report::line(&mut text, title, &about);
    print!("{text}");
    Ok(diagnostics.is_empty())
}

/// Whether the workspace's own contract keeps every rule.
///
/// # Errors
/// As [`run`].
pub(crate) fn check(root: &Path) -> Result<bool, Failure> {
    run(root, &Arguments::default())
}
