//! `diff`: the effects of a change of the contract on its clients.
//!
//! This module finds the two documents; the crate `diff` compares them.

use crate::findings::{self, Finding, Severity as FindingSeverity};
use crate::settings::shown;
use crate::{Context, Document, Failure, git, terminal};
use codegen::source::files::file_of;
use diff::{AcceptedBreaks, Change, Contract, Report, Severity, diff};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The breaking changes of a contract that are accepted, each with its reason: a file beside the document.
const ACCEPTED: &str = "accepted-breaks.yaml";

/// The arguments of `diff`.
#[derive(Debug, Default, clap::Args)]
pub struct Arguments {
    /// The old contract: a file, or a git revision [default: the merge base with main; on main, the commit before,
    /// or the last one if there are uncommitted changes]
    base: Option<String>,
    /// The new contract [default: the document of the settings]
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

/// The format of a report. The command `lint` has the same but Markdown, so that its help offers no other.
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
            settings.document().to_owned()
        }
    };
    let after = read_document(&spec)?;
    let before = match &arguments.base {
        Some(base) if Path::new(base).is_file() => read_document(Path::new(base))?,
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
        Format::Sarif => println!("{}", findings::sarif(&to_findings(&report, &after))),
        Format::Github => print!("{}", findings::github(&to_findings(&report, &after))),
    }
    Ok(report.is_announced())
}

fn compare(before: &Document, after: &Document) -> Result<Report, Failure> {
    diff(as_contract(before), as_contract(after)).map_err(|error| {
        let name = error.contract.source.name.clone();
        Failure::Comparison(error.render(terminal::look()), name)
    })
}

/// Marks the breaking changes that are accepted, and prints the entries that accept none.
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
        eprintln!("{name}: {entry} accepts no change of this comparison; remove it");
    }
    Ok(())
}

fn as_contract(document: &Document) -> Contract<'_> {
    Contract {
        source: &document.source,
        reading: &document.reading,
    }
}

fn read_document(path: &Path) -> Result<Document, Failure> {
    let name = shown(path);
    Document::read(path, &name).map_err(|error| Failure::Disk(error, name))
}

/// The changes for other programs, each at its operation in the new contract.
fn to_findings(report: &Report, after: &Document) -> Vec<Finding> {
    let files = &after.reading.files;
    let places = report.changes.iter().map(|change| {
        let other = file_of(&change.at, files);
        let own = || (None, change.at.clone());
        other.map_or_else(own, |(file, at)| (Some(file), at))
    });
    let places: Vec<_> = places.collect();
    let sources = std::iter::once((None, &after.source)).chain(
        files
            .iter()
            .enumerate()
            .map(|(index, file)| (Some(index), file)),
    );
    let mut findings = BTreeMap::new();
    for (file, source) in sources {
        let own = report.changes.iter().zip(&places).enumerate();
        let own = own.filter(|(_, (_, place))| place.0 == file);
        let (changes, pointers): (Vec<_>, Vec<_>) = own
            .map(|(index, (change, place))| ((index, change), place.1.clone()))
            .unzip();
        if changes.is_empty() {
            continue;
        }
        let name = findings::file_name(&after.source.name, &source.name);
        for ((index, change), position) in changes.into_iter().zip(source.positions(&pointers)) {
            findings.insert(index, to_finding(change, name.clone(), position));
        }
    }
    findings.into_values().collect()
}

fn to_finding(change: &Change, file: String, (line, column): (usize, usize)) -> Finding {
    Finding {
        severity: match change.severity {
            Severity::Breaking if change.accepted.is_none() => FindingSeverity::Error,
            Severity::Breaking | Severity::Possible => FindingSeverity::Warning,
            Severity::Compatible | Severity::Docs => FindingSeverity::Note,
        },
        code: change.kind.clone(),
        message: change.sentence(),
        help: None,
        file,
        line,
        column,
    }
}
