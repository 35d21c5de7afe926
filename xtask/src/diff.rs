//! `cargo xtask diff`: the effects of a change of the contract on its clients.
//!
//! This module finds the two documents; the crate `diff` compares them.

use crate::generate::Failure;
use crate::{git, terminal};
use diff::{AcceptedBreaks, Contract, Report, diff};
use std::path::{Path, PathBuf};
use workspace::Document;

/// The contract, from the root of the workspace.
const CONTRACT: &str = "spec/openapi.yaml";

/// The breaking changes of the contract that are accepted, each with its reason, if there are any.
const ACCEPTED: &str = "spec/accepted-breaks.yaml";

/// The tag of the first release: before it, `ci` prints breaking changes and passes.
const FIRST_RELEASE: &str = "v1.0.0";

/// The arguments of `diff`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The contract before: a file, or a git revision [default: where this branch left main]
    base: Option<String>,
    /// The contract after [default: spec/openapi.yaml]
    #[arg(long, value_name = "FILE")]
    spec: Option<PathBuf>,
    /// The breaking changes that are accepted, with reasons [default: spec/accepted-breaks.yaml]
    #[arg(long, value_name = "FILE")]
    accepted: Option<PathBuf>,
    /// The format of the report.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// The format of a report.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Format {
    /// For a terminal.
    Text,
    /// For a pull request.
    Markdown,
    /// For a program: all details.
    Json,
}

/// Compares two contracts; returns whether `info.version` announces the changes.
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
    let mut report = compare(&before, &after)?;
    accept(&mut report, arguments.accepted.as_deref(), root)?;
    match arguments.format {
        Format::Text => print!("{}", report.to_text()),
        Format::Markdown => print!("{}", report.to_markdown()),
        Format::Json => println!("{}", report.to_json()),
    }
    Ok(report.is_announced())
}

/// Whether the contract is compatible with the one where this branch left main, or was never released.
/// Without such a commit, as in a shallow clone or at the first commit, there is nothing to compare
/// with.
///
/// # Errors
/// When the contract cannot be read.
pub(crate) fn check(root: &Path) -> Result<bool, Failure> {
    let spec = root.join(CONTRACT);
    let after = file(&spec)?;
    let base = git::merge_base(root, &after).and_then(|base| git::show(root, &base, &spec));
    match base {
        Ok(before) => {
            let mut report = compare(&before, &after)?;
            accept(&mut report, None, root)?;
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

/// Marks the breaking changes that are accepted, and names the entries that fit none.
fn accept(report: &mut Report, file: Option<&Path>, root: &Path) -> Result<(), Failure> {
    let own = root.join(ACCEPTED);
    let path = file.unwrap_or(&own);
    if file.is_none() && !path.is_file() {
        return Ok(());
    }
    let name = path.to_string_lossy();
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|error| Failure::Disk(error, name.to_string()))?;
    let accepted = AcceptedBreaks::parse(&text);
    let accepted = accepted.map_err(|reason| Failure::Accepted(name.to_string(), reason))?;
    for entry in report.accept(&accepted) {
        eprintln!(
            "{name}: no breaking change is a `{}` as accepted there",
            entry.kind
        );
    }
    Ok(())
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
