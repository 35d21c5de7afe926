//! `cargo xtask diff`: what the contract promises that it did not promise before, and the reverse.
//!
//! Finds the two documents; what has changed between them is for `codegen::diff` to say.

use crate::generate::Failure;
use crate::{git, terminal};
use codegen::diff::{Contract, Report, diff};
use std::path::{Path, PathBuf};
use workspace::Document;

/// The contract, from the root of the workspace.
const CONTRACT: &str = "spec/openapi.yaml";

/// The tag from which on the contract is a promise: before it, `ci` tells what breaks and passes.
const FIRST_RELEASE: &str = "v1.0.0";

/// What `diff` takes.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The contract before: a file, or a git revision [default: where this branch left main]
    base: Option<String>,
    /// The contract after [default: spec/openapi.yaml]
    #[arg(long, value_name = "FILE")]
    spec: Option<PathBuf>,
    /// How the report is written.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// How a report is written.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Format {
    /// For a terminal.
    Text,
    /// For a pull request.
    Markdown,
    /// For a program: everything that is known.
    Json,
}

/// Compares two contracts; whether `info.version` announces what has changed.
///
/// # Errors
/// When one of them cannot be found or read.
pub(crate) fn run(root: &Path, arguments: &Arguments) -> Result<bool, Failure> {
    let spec = match &arguments.spec {
        Some(spec) => spec.clone(),
        None => root.join(CONTRACT),
    };
    let after = file(&spec)?;
    let before = match &arguments.base {
        Some(base) if Path::new(base).is_file() => file(Path::new(base))?,
        Some(base) => git::show(root, base, &spec).map_err(Failure::Base)?,
        None => {
            let base = git::merge_base(root, &after).map_err(Failure::Base)?;
            git::show(root, &base, &spec).map_err(Failure::Base)?
        }
    };
    let report = compare(&before, &after)?;
    match arguments.format {
        Format::Text => print!("{}", report.to_text()),
        Format::Markdown => print!("{}", report.to_markdown()),
        Format::Json => println!("{}", report.to_json()),
    }
    Ok(report.is_announced())
}

/// Whether the contract keeps what it promised where this branch left main, or was never released. Without such a place,
/// as in a shallow clone or at the first commit, there is nothing to keep.
///
/// # Errors
/// When the contract cannot be read.
pub(crate) fn check(root: &Path) -> Result<bool, Failure> {
    let spec = root.join(CONTRACT);
    let after = file(&spec)?;
    let base = git::merge_base(root, &after).and_then(|base| git::show(root, &base, &spec));
    match base {
        Ok(before) => {
            let report = compare(&before, &after)?;
            print!("{}", report.to_text());
            Ok(report.is_announced() || !git::has_tag(root, FIRST_RELEASE))
        }
        Err(reason) => {
            println!("nothing to compare with: {reason}");
            Ok(true)
        }
    }
}

fn compare(before: &Document, after: &Document) -> Result<Report, Failure> {
    diff(contract(before), contract(after)).map_err(|wrong| {
        let name = wrong.contract.source.name.clone();
        Failure::Comparison(wrong.render(terminal::look()), name)
    })
}

fn contract(document: &Document) -> Contract<'_> {
    Contract {
        source: &document.source,
        reading: &document.reading,
    }
}

fn file(path: &Path) -> Result<Document, Failure> {
    let name = path.to_string_lossy();
    Document::read(path, &name).map_err(|error| Failure::Disk(error, name.into_owned()))
}
