//! `cargo xtask gen`: reads a document, renders it with `codegen`, and writes or compares the files.
//!
//! All files are rendered in memory before the first one is written. `sync` finds the differences, and
//! `report` prints them.

use crate::rust_check::RustCheck;
use crate::sync::OwnedEntries;
use crate::{explain, report, sync, terminal, watch};
use codegen::{Formats, Options, Output, Runtime, SampleLanguage, Source, Workspace};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::{fs, io};
use workspace::Document;

/// The arguments of `gen`.
#[derive(clap::Args, Default)]
pub(crate) struct Arguments {
    /// Write nothing; show what is missing, stale or orphaned, and fail if anything is.
    #[arg(long)]
    check: bool,
    /// Generate from this OpenAPI document instead, as a crate of its own.
    #[arg(long, value_name = "FILE", requires = "out")]
    spec: Option<PathBuf>,
    /// The folder of that crate; it is created, and must be empty or hold an earlier output.
    #[arg(long, value_name = "DIR", requires = "spec")]
    out: Option<PathBuf>,
    /// The name of that crate [default: generated]
    #[arg(long, value_name = "CRATE", requires = "spec", value_parser = crate_name)]
    name: Option<String>,
    /// Change the Rust types of formats; see codegen/src/formats/standard.yaml.
    #[arg(long, value_name = "FILE", requires = "spec")]
    formats: Option<PathBuf>,
    /// The source of the crate `runtime`, which every generated crate depends on: `copy` puts its files
    /// beside `src/`, `path=DIR` names its folder as seen from DIR of `--out`, and `version=X` its
    /// version in the registry [default: copy]
    #[arg(long, value_name = "SOURCE", requires = "spec", value_parser = runtime)]
    runtime: Option<Runtime>,
    /// Let the crate be a member of the workspace around its folder, not a workspace of its own.
    #[arg(long, requires = "spec")]
    member: bool,
    /// Fail where an operation cannot be expressed, instead of leaving it out with a warning.
    #[arg(long, requires = "spec")]
    strict: bool,
    /// The languages of the samples in `openapi.json`, by commas: `curl`, `javascript`, `python`, `rust`;
    /// none where it is empty [default: all]
    #[arg(long, value_name = "LANGUAGES", requires = "spec", value_parser = samples)]
    samples: Option<Vec<SampleLanguage>>,
    /// Generate again whenever a file of the document is saved, and check the server, until Ctrl-C.
    #[arg(long, conflicts_with = "check")]
    watch: bool,
    /// Explain the code of a diagnostic, and generate nothing.
    #[arg(long, value_name = "CODE", exclusive = true)]
    explain: Option<String>,
}

/// The error that ends a run of `gen` or `diff`.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The document is wrong; the text is its diagnostics.
    #[error("{0}\nerror: nothing was generated from {1}")]
    Document(String, String),
    /// A document to compare is wrong; the text is its diagnostics.
    #[error("{0}\nerror: {1} cannot be compared")]
    Comparison(String, String),
    /// There is no document to compare with; the text is why.
    #[error("error: no contract to compare with: {0}\n  = help: name a file or a git revision")]
    Base(String),
    /// The list of accepted breaking changes is wrong.
    #[error("error: {0}: {1}")]
    Accepted(String, String),
    /// A file or folder could not be read or written.
    #[error("error: {1}: {0}")]
    Disk(io::Error, String),
    /// The output folder holds something else.
    #[error(
        "error: {0} is not empty and holds no crate that this command has generated\n  = help: \
         name a new or empty folder"
    )]
    Foreign(String),
}

/// One contract and where its crate goes.
struct Job<'a> {
    /// The document.
    spec: PathBuf,
    /// The crate's folder.
    out: PathBuf,
    /// Their names in messages.
    shown: (Cow<'a, str>, Cow<'a, str>),
    /// The file that changes the table of formats, and its name in messages.
    formats: Option<(PathBuf, Cow<'a, str>)>,
    options: Options,
}

/// Generates, or with `--check` compares; returns whether the files on disk are then up to date.
///
/// # Errors
/// When the document is invalid, in which case no file is changed, or a file cannot be written; the
/// files written before stay.
pub(crate) fn run(root: &Path, arguments: &Arguments) -> Result<bool, Failure> {
    if let Some(code) = &arguments.explain {
        return Ok(explain::explain(code));
    }
    let job = Job::of(root, arguments);
    if arguments.watch {
        job.watch(root, arguments);
    }
    job.run(arguments, &job.read()?)
}

/// Whether `generated/` is up to date; prints the differences.
///
/// # Errors
/// As [`run`].
pub(crate) fn check(root: &Path) -> Result<bool, Failure> {
    let arguments = Arguments {
        check: true,
        ..Arguments::default()
    };
    run(root, &arguments)
}

impl<'a> Job<'a> {
    fn of(root: &Path, arguments: &'a Arguments) -> Job<'a> {
        let (Some(spec), Some(out)) = (&arguments.spec, &arguments.out) else {
            return Job {
                spec: root.join("spec/openapi.yaml"),
                out: root.join("generated"),
                shown: ("spec/openapi.yaml".into(), "generated".into()),
                formats: Some((root.join("spec/formats.yaml"), "spec/formats.yaml".into()))
                    .filter(|(path, _)| path.is_file()),
                options: Options {
                    crate_name: "generated".into(),
                    workspace: Workspace::Inherited,
                    runtime: Runtime::Workspace,
                    strict: true,
                    samples: SampleLanguage::ALL.to_vec(),
                    command: "cargo xtask gen".into(),
                },
            };
        };
        let name = arguments.name.as_deref();
        Job {
            spec: spec.clone(),
            out: out.clone(),
            shown: (spec.to_string_lossy(), out.to_string_lossy()),
            formats: (arguments.formats.as_ref())
                .map(|formats| (formats.clone(), formats.to_string_lossy())),
            options: Options {
                crate_name: name.unwrap_or("generated").into(),
                workspace: match arguments.member {
                    true => Workspace::Member,
                    false => Workspace::Own,
                },
                runtime: arguments.runtime.clone().unwrap_or(Runtime::Copy),
                strict: arguments.strict,
                samples: (arguments.samples.clone())
                    .unwrap_or_else(|| SampleLanguage::ALL.to_vec()),
                // The same document gives the same bytes wherever it and its output lie.
                command: "cargo xtask gen --spec FILE --out DIR".into(),
            },
        }
    }

    /// Generates, and again after each change of the document's files. After the workspace's own contract
    /// the server is checked, whose compile errors show the code that has to follow the change.
    fn watch(&self, root: &Path, arguments: &Arguments) -> ! {
        let has_server = arguments.spec.is_none() && root.join("Cargo.toml").is_file();
        let mut check = None;
        watch::watch(&self.spec, || {
            // A check that still runs is out of date.
            drop(check.take());
            let read = self.read().map(|document| {
                let outcome = self.run(arguments, &document);
                (document.paths, outcome.err())
            });
            let (paths, failure) = read.unwrap_or_else(|failure| (self.named(), Some(failure)));
            match failure {
                Some(failure) => eprintln!("{failure}"),
                None if has_server => check = RustCheck::start(root).ok(),
                None => {}
            }
            paths
        });
    }

    /// Generates, or with `--check` compares, once.
    fn run(&self, arguments: &Arguments, document: &Document) -> Result<bool, Failure> {
        let output = self.render(document)?;
        let disk = |error| Failure::Disk(error, self.shown.1.to_string());
        let own = self.options.workspace != Workspace::Inherited;
        let owned = if own {
            OwnedEntries::OutputOnly
        } else {
            OwnedEntries::AllVisible
        };
        let folder = sync::Folder::read(&self.out, owned).map_err(disk)?;
        if own && !folder.is_ours() && !folder.is_vacant() {
            return Err(Failure::Foreign(self.shown.1.to_string()));
        }
        let changes = sync::plan(&output.files, &folder);
        let total = output.files.iter().count();
        if arguments.check {
            let fix = command(arguments);
            print!("{}", report::check(&changes, total, &self.shown, &fix));
            return Ok(changes.is_empty());
        }
        sync::apply(&self.out, owned, &changes).map_err(disk)?;
        eprint!("{}", report::written(&changes, total, &self.shown));
        Ok(true)
    }

    /// Reads the document with all its files and the table of formats.
    fn read(&self) -> Result<Document, Failure> {
        let name = self.shown.0.to_string();
        let document = Document::read(&self.spec, &name);
        let mut document = document.map_err(|error| Failure::Disk(error, name))?;
        document.reading.formats = self.formats()?;
        document.paths.extend(self.named());
        Ok(document)
    }

    /// The files that every run reads.
    fn named(&self) -> Vec<PathBuf> {
        let formats = self.formats.iter().map(|(path, _)| path.clone());
        formats.chain([self.spec.clone()]).collect()
    }

    /// The table of formats and their Rust types.
    fn formats(&self) -> Result<Formats, Failure> {
        let Some((path, shown)) = &self.formats else {
            return Ok(Formats::default());
        };
        let name = shown.to_string();
        let text = fs::read_to_string(path).map_err(|error| Failure::Disk(error, name.clone()))?;
        let source = Source { name, text };
        Formats::changed_by(&source).map_err(|found| {
            let text = found.render_for(&source, terminal::look());
            Failure::Document(text, self.shown.0.to_string())
        })
    }

    /// Renders the document; prints warnings to standard error.
    fn render(&self, document: &Document) -> Result<Output, Failure> {
        let name = self.shown.0.to_string();
        let Document {
            source, reading, ..
        } = document;
        let files = &reading.files;
        let look = terminal::look();
        let output = codegen::generate_with(source, reading, &self.options)
            .map_err(|found| Failure::Document(found.render_files(source, files, look), name))?;
        if !output.warnings.is_empty() {
            eprintln!("{}", output.warnings.render_files(source, files, look));
        }
        Ok(output)
    }
}

/// The command that brings the files up to date, as it can be pasted into a shell.
fn command(arguments: &Arguments) -> String {
    let mut command = String::from("cargo xtask gen");
    let mut add = |flag: &str, value: Cow<'_, str>| {
        command.push_str(&format!(" {flag} {}", quoted(&value)));
    };
    if let Some(spec) = &arguments.spec {
        add("--spec", spec.to_string_lossy());
    }
    if let Some(out) = &arguments.out {
        add("--out", out.to_string_lossy());
    }
    if let Some(name) = &arguments.name {
        add("--name", name.into());
    }
    if let Some(formats) = &arguments.formats {
        add("--formats", formats.to_string_lossy());
    }
    match &arguments.runtime {
        Some(Runtime::Path(path)) => add("--runtime", format!("path={path}").into()),
        Some(Runtime::Version(version)) => add("--runtime", format!("version={version}").into()),
        _ => {}
    }
    if let Some(samples) = &arguments.samples {
        let names: Vec<_> = samples.iter().map(|language| language.name()).collect();
        add("--samples", names.join(",").into());
    }
    if arguments.member {
        command.push_str(" --member");
    }
    if arguments.strict {
        command.push_str(" --strict");
    }
    command
}

/// A word as a POSIX shell reads it back.
fn quoted(word: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@%+=,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', r"'\''")).into()
    }
}

/// Parses the value of `--runtime`.
fn runtime(text: &str) -> Result<Runtime, String> {
    match text.split_once('=') {
        None if text == "copy" => Ok(Runtime::Copy),
        Some(("path", path)) if !path.is_empty() => Ok(Runtime::Path(path.into())),
        Some(("version", version)) if !version.is_empty() => Ok(Runtime::Version(version.into())),
        _ => Err("name `copy`, `path=DIR` or `version=X`".into()),
    }
}

/// Parses the value of `--samples`.
fn samples(text: &str) -> Result<Vec<SampleLanguage>, String> {
    let names = text.split(',').filter(|name| !name.is_empty());
    names.map(str::parse).collect()
}

/// Parses a crate name that is a valid identifier and causes no warning of rustc.
fn crate_name(text: &str) -> Result<String, String> {
    let is_word = |word: &str| {
        let mut bytes = word.bytes();
        !word.is_empty() && bytes.all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    };
    if !text.starts_with(|c: char| c.is_ascii_lowercase()) || !text.split(['-', '_']).all(is_word) {
        let form = "small letters and digits, a letter first, and single `-` or `_` between them";
        return Err(form.into());
    }
    if codegen::is_reserved(&text.replace('-', "_")) {
        return Err("this is a word or a crate of Rust itself".into());
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_words_that_a_shell_would_split() {
        assert_eq!(quoted("a/b-c.yaml"), "a/b-c.yaml");
        assert_eq!(quoted("my api.yaml"), "'my api.yaml'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn refuses_names_that_no_crate_can_have() {
        assert_eq!(crate_name("pet-store_2").as_deref(), Ok("pet-store_2"));
        for wrong in [
            "", "2fa", "a b", "-x", "a\"", "café", "a--b", "a-", "a-_b", "Pets",
        ] {
            assert!(crate_name(wrong).is_err(), "{wrong}");
        }
        for reserved in [
            "std",
            "core",
            "test",
            "proc-macro",
            "self",
            "crate",
            "async",
            "gen",
        ] {
            let refused = crate_name(reserved);
            assert!(refused.is_err_and(|why| why.contains("Rust")), "{reserved}");
        }
    }
}
