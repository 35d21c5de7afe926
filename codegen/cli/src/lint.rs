//! `lint`: checks a document by the lint rules.

use crate::findings::{self, Finding, Severity as FindingSeverity};
use crate::settings::{Level, Settings, shown};
use crate::{Context, Document, Failure, report, terminal};
use codegen::diagnostic::{Diagnostics, Severity};
use std::path::PathBuf;

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

/// The format of the findings. The command `diff` has Markdown too.
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

/// Checks a document and prints its diagnostics; returns whether there are none, warnings included.
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
    let path = settings.document();
    let name = shown(path);
    let document = Document::read(path, &name);
    let document = document.map_err(|error| Failure::Disk(error, name))?;
    let diagnostics = codegen::lint::lint(&document.source, &document.reading);
    let diagnostics = with_levels(diagnostics, &settings);
    match arguments.format {
        Format::Text => print_text(&document, &diagnostics),
        Format::Json => println!("{}", findings::json(&to_findings(&document, &diagnostics))),
        Format::Sarif => println!("{}", findings::sarif(&to_findings(&document, &diagnostics))),
        Format::Github => print!(
            "{}",
            findings::github(&to_findings(&document, &diagnostics))
        ),
    }
    Ok(diagnostics.is_empty())
}

/// Applies the levels of the setting `lints`.
fn with_levels(diagnostics: Diagnostics, settings: &Settings) -> Diagnostics {
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
    let title = if diagnostics.is_empty() {
        "Clean"
    } else {
        "Found"
    };
    let about = format!(
        "{}: {}, {} ({} rules)",
        source.name,
        counted(errors, "error"),
        counted(warnings, "warning"),
        codegen::lint::rules().count()
    );
    let mut text = String::new();
    report::line(&mut text, title, &about);
    print!("{text}");
}

/// A number with its noun.
fn counted(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
}

/// The diagnostics for other programs.
fn to_findings(document: &Document, diagnostics: &Diagnostics) -> Vec<Finding> {
    let Document {
        source, reading, ..
    } = document;
    let located = diagnostics.located(source, &reading.files).into_iter();
    let finding = |one: codegen::diagnostic::Located<'_>| Finding {
        severity: match one.problem.severity {
            Severity::Error => FindingSeverity::Error,
            Severity::Warning => FindingSeverity::Warning,
        },
        code: one.problem.code.name().to_owned(),
        message: one.problem.message.clone(),
        help: one.problem.help.clone(),
        file: findings::file_name(&source.name, one.file),
        line: one.line,
        column: one.column,
    };
    located.map(finding).collect()
}
