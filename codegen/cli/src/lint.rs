//! `lint`: checks a contract by the rules that generation does not need.

use crate::findings::{self, Finding, Severity as FindingSeverity};
use crate::settings::{Level, Settings, shown};
use crate::{Context, Document, Failure, report, terminal};
use codegen::diagnostic::{Diagnostics, Severity};
use std::path::{Path, PathBuf};

/// The arguments of `lint`.
#[derive(Debug, Default, clap::Args)]
pub struct Arguments {
    /// The document to check, with the files that it refers to [default: that of the settings]
    file: Option<PathBuf>,
    /// The settings file [default: the nearest openapi-crate.toml, in this folder or above]
    #[arg(long = "settings", value_name = "FILE", conflicts_with = "file")]
    settings_file: Option<PathBuf>,
    /// The format of the findings.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// The format of the findings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For a terminal: the lines of the document, underlined.
    #[default]
    Text,
    /// For a program: an array of findings.
    Json,
    /// For tools that collect findings: SARIF 2.1.0.
    Sarif,
    /// For GitHub Actions: annotations of the lines in a pull request.
    Github,
}

/// Checks a document and prints its diagnostics; returns whether there are none.
///
/// # Errors
/// When a file cannot be read, or the settings are wrong.
pub fn run(arguments: &Arguments, context: &Context) -> Result<bool, Failure> {
    let settings = match &arguments.file {
        Some(file) => Settings {
            spec: Some(file.clone()),
            ..Settings::default()
        },
        None => context.settings(arguments.settings_file.as_ref())?,
    };
    let path = settings.spec.clone().unwrap_or_default();
    let name = shown(&path);
    let document = Document::read(&path, &name);
    let document = document.map_err(|error| Failure::Disk(error, name))?;
    let diagnostics = codegen::lint::lint(&document.source, &document.reading);
    let diagnostics = by_settings(diagnostics, &settings);
    match arguments.format {
        Format::Text => print_text(&document, &diagnostics),
        Format::Json => println!("{}", findings::json(&found(&document, &diagnostics))),
        Format::Sarif => println!("{}", findings::sarif(&found(&document, &diagnostics))),
        Format::Github => print!("{}", findings::github(&found(&document, &diagnostics))),
    }
    Ok(diagnostics.is_empty())
}

/// The diagnostics as the settings want them.
fn by_settings(diagnostics: Diagnostics, settings: &Settings) -> Diagnostics {
    diagnostics.adjusted(|problem| {
        match settings.lints.get(problem.code.name()) {
            Some(Level::Allow) => return false,
            Some(Level::Warn) => problem.severity = Severity::Warning,
            Some(Level::Deny) => problem.severity = Severity::Error,
            None => {}
        }
        true
    })
}

fn print_text(document: &Document, diagnostics: &Diagnostics) {
    let Document {
        source, reading, ..
    } = document;
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
    let title = match diagnostics.is_empty() {
        true => "Clean",
        false => "Found",
    };
    let about = format!(
        "{}: {errors} errors, {warnings} warnings by {} rules",
        source.name,
        codegen::lint::rules().count()
    );
    let mut text = String::new();
    report::line(&mut text, title, &about);
    print!("{text}");
}

/// The diagnostics for other programs.
fn found(document: &Document, diagnostics: &Diagnostics) -> Vec<Finding> {
    let Document {
        source, reading, ..
    } = document;
    let folder = Path::new(&source.name).parent().unwrap_or(Path::new(""));
    let located = diagnostics.located(source, &reading.files).into_iter();
    let finding = |one: codegen::diagnostic::Located<'_>| Finding {
        severity: match one.problem.severity {
            Severity::Error => FindingSeverity::Error,
            Severity::Warning => FindingSeverity::Warning,
        },
        code: one.problem.code.name().to_owned(),
        message: one.problem.message.clone(),
        help: one.problem.help.clone(),
        file: match one.file == source.name {
            true => source.name.clone(),
            // Other files are named as seen from the document.
            false => folder.join(one.file).to_string_lossy().into_owned(),
        },
        line: one.line,
        column: one.column,
    };
    located.map(finding).collect()
}
