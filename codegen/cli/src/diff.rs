//! `diff`: the effects of a change of the contract on its clients.
//!
//! This module finds the two documents; the crate `diff` compares them.

use crate::findings::{self, Finding, Severity as FindingSeverity};
use crate::settings::shown;
use crate::{Context, Document, Failure, git, terminal};
use codegen::source::Pointer;
use diff::{AcceptedBreaks, Change, Contract, Report, Severity, diff};
use std::fs;
use std::path::{Path, PathBuf};

/// The breaking changes of a contract that are accepted, each with its reason: a file beside the document.
const ACCEPTED: &str = "accepted-breaks.yaml";

/// The arguments of `diff`.
#[derive(Debug, Default, clap::Args)]
pub struct Arguments {
    /// The contract before: a file, or a git revision [default: where this branch left main]
    base: Option<String>,
    /// The contract after [default: the document of the settings]
    #[arg(long, value_name = "FILE")]
    spec: Option<PathBuf>,
    /// The settings file [default: the nearest openapi-crate.toml, in this folder or above]
    #[arg(long = "settings", value_name = "FILE", conflicts_with = "spec")]
    settings_file: Option<PathBuf>,
    /// The breaking changes that are accepted, with reasons [default: accepted-breaks.yaml beside the contract]
    #[arg(long, value_name = "FILE")]
    accepted: Option<PathBuf>,
    /// The format of the report.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// The format of a report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For a terminal.
    #[default]
    Text,
    /// For a comment on a pull request.
    Markdown,
    /// For a program: all details.
    Json,
    /// For tools that collect findings: SARIF 2.1.0.
    Sarif,
    /// For GitHub Actions: annotations of the lines in a pull request.
    Github,
}

/// Compares two contracts; returns whether `info.version` announces the changes.
///
/// # Errors
/// When one of them cannot be found or read: [`Failure::Base`] for the one before.
pub fn run(arguments: &Arguments, context: &Context) -> Result<bool, Failure> {
    let spec = match &arguments.spec {
        Some(spec) => spec.clone(),
        None => {
            let settings = context.settings(arguments.settings_file.as_ref())?;
            settings.spec.unwrap_or_default()
        }
    };
    let after = file(&spec)?;
    let before = match &arguments.base {
        Some(base) if Path::new(base).is_file() => file(Path::new(base))?,
        Some(base) => git::show(base, &spec).map_err(Failure::Base)?,
        None => {
            let base = git::merge_base(&spec, &after).map_err(Failure::Base)?;
            git::show(&base, &spec).map_err(Failure::Base)?
        }
    };
    let mut report = compare(&before, &after)?;
    accept(&mut report, arguments.accepted.as_deref(), &spec)?;
    match arguments.format {
        Format::Text => print!("{}", report.to_text()),
        Format::Markdown => print!("{}", report.to_markdown()),
        Format::Json => println!("{}", report.to_json()),
        Format::Sarif => println!("{}", findings::sarif(&found(&report, &after))),
        Format::Github => print!("{}", findings::github(&found(&report, &after))),
    }
    Ok(report.is_announced())
}

fn compare(before: &Document, after: &Document) -> Result<Report, Failure> {
    diff(contract(before), contract(after)).map_err(|wrong| {
        let name = wrong.contract.source.name.clone();
        Failure::Comparison(wrong.render(terminal::look()), name)
    })
}

/// Marks the breaking changes that are accepted, and names the entries that fit none.
fn accept(report: &mut Report, file: Option<&Path>, spec: &Path) -> Result<(), Failure> {
    let own = spec.with_file_name(ACCEPTED);
    let path = file.unwrap_or(&own);
    if file.is_none() && !path.is_file() {
        return Ok(());
    }
    let name = shown(path);
    let text = fs::read_to_string(path);
    let text = text.map_err(|error| Failure::Disk(error, name.clone()))?;
    let accepted = AcceptedBreaks::parse(&text);
    let accepted = accepted.map_err(|reason| Failure::Accepted(name.clone(), reason))?;
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
    let name = shown(path);
    Document::read(path, &name).map_err(|error| Failure::Disk(error, name))
}

/// The changes for other programs, each at its operation in the contract after.
fn found(report: &Report, after: &Document) -> Vec<Finding> {
    let changes = report.changes.iter();
    let operations: Vec<Pointer> = changes.map(operation).collect();
    let positions = after.source.positions(&operations);
    let all = report.changes.iter().zip(positions);
    let finding = |(change, (line, column)): (&Change, (usize, usize))| Finding {
        severity: match change.severity {
            Severity::Breaking if change.accepted.is_none() => FindingSeverity::Error,
            Severity::Breaking | Severity::Possible => FindingSeverity::Warning,
            Severity::Compatible | Severity::Docs => FindingSeverity::Note,
        },
        code: change.kind.clone(),
        message: change.sentence(),
        help: None,
        file: after.source.name.clone(),
        line,
        column,
    };
    all.map(finding).collect()
}

/// The place of a change's first operation in a document.
fn operation(change: &Change) -> Pointer {
    let operation = change.operation.as_deref().unwrap_or_default();
    let Some((method, path)) = operation.split_once(' ') else {
        return Pointer::default();
    };
    let paths = Pointer::default().child("paths");
    paths.child(path).child(method.to_ascii_lowercase())
}
