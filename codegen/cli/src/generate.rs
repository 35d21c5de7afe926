//! `gen`: reads a document, renders it with `codegen`, and writes or compares the files.
//!
//! All files are rendered in memory before the first one is written. `sync` finds the differences, and
//! `report` prints them.

use crate::rust_check::RustCheck;
use crate::settings::{ClientReading, Settings, dependency, shown};
use crate::sync::OwnedEntries;
use crate::{Context, Document, Failure, explain, report, sync, terminal, watch};
use codegen::{Formats, Options, Output, Runtime, Source, Workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The arguments of `gen`.
#[derive(Debug, Default, clap::Args)]
pub struct Arguments {
    /// Write nothing; show the files that are missing, stale or orphaned, and fail if there are any.
    #[arg(long)]
    check: bool,
    /// Generate again whenever a file of the document is saved, until Ctrl-C.
    #[arg(long, conflicts_with = "check")]
    watch: bool,
    /// The settings file [default: the nearest openapi-crate.toml, in this folder or above]
    #[arg(long = "settings", value_name = "FILE", conflicts_with = "spec")]
    settings_file: Option<PathBuf>,
    #[command(flatten)]
    flags: Settings,
    /// Explain the code of a diagnostic, and generate nothing.
    #[arg(long, value_name = "CODE", exclusive = true)]
    explain: Option<String>,
}

impl Arguments {
    /// Whether the settings are those of the [`Context`]: the user has named neither settings nor a document.
    #[must_use]
    pub fn uses_context(&self) -> bool {
        self.settings_file.is_none() && self.flags.spec.is_none() && self.explain.is_none()
    }
}

/// One contract and where its crate goes.
struct Job {
    /// The document.
    spec: PathBuf,
    /// The crate's folder.
    out: PathBuf,
    /// Their names in messages.
    shown: (String, String),
    /// The file that changes the table of formats.
    formats: Option<PathBuf>,
    /// The package to check after a change.
    server: Option<String>,
    options: Options,
}

/// Generates, or with `--check` compares; returns whether the files on disk are then up to date.
///
/// # Errors
/// When the document is invalid, in which case no file is changed, or a file cannot be written; the
/// files written before stay.
pub fn run(arguments: &Arguments, context: &Context) -> Result<bool, Failure> {
    if let Some(code) = &arguments.explain {
        return Ok(explain::explain(code));
    }
    let settings = if arguments.flags.spec.is_some() {
        arguments.flags.clone()
    } else {
        context.settings(arguments.settings_file.as_ref())?
    };
    let job = Job::of(settings);
    if arguments.watch {
        job.watch();
    }
    let start = Instant::now();
    let document = job.read()?;
    if arguments.check {
        job.check(&document, &context.fix)
    } else {
        job.write(&document, start)
    }
}

/// Whether the crate of the settings is up to date; prints the differences.
///
/// # Errors
/// As [`run`].
pub fn check(context: &Context) -> Result<bool, Failure> {
    let arguments = Arguments {
        check: true,
        ..Arguments::default()
    };
    run(&arguments, context)
}

impl Job {
    fn of(settings: Settings) -> Job {
        let default = Options::default();
        let runtime = settings.runtime.unwrap_or(default.runtime);
        let workspace = match (&runtime, settings.member) {
            (Runtime::Workspace, _) => Workspace::Inherited,
            (_, true) => Workspace::Member,
            (_, false) => Workspace::Own,
        };
        let (spec, out) = (settings.spec, settings.out);
        let (spec, out) = (spec.unwrap_or_default(), out.unwrap_or_default());
        Job {
            shown: (shown(&spec), shown(&out)),
            spec,
            out,
            formats: settings.formats,
            server: settings.server.map(|package| package.0),
            options: Options {
                crate_name: settings.name.map_or(default.crate_name, |name| name.0),
                workspace,
                runtime,
                strict: settings.strict,
                samples: settings.samples.map_or(default.samples, |list| list.0),
                features: settings.features.map_or(default.features, |list| list.0),
                derives: settings
                    .derive
                    .into_iter()
                    .map(|(name, list)| (name, list.0))
                    .collect(),
                dependencies: settings.dependencies.into_iter().map(dependency).collect(),
                strict_client: settings.client == Some(ClientReading::Strict),
                open_enums: settings.open_enums,
                embedded: default.embedded,
            },
        }
    }

    /// Generates, and again after each change of the document's files. Then the server is checked, whose
    /// compile errors show the code that has to follow the change.
    fn watch(&self) -> ! {
        let mut check = None;
        watch::watch(&self.spec, || {
            // A check that still runs is out of date.
            drop(check.take());
            let start = Instant::now();
            let read = self.read().map(|document| {
                let outcome = self.write(&document, start);
                (document.paths, outcome.err())
            });
            let (paths, failure) = read.unwrap_or_else(|failure| (self.named(), Some(failure)));
            match (failure, &self.server) {
                (Some(failure), _) => eprintln!("{failure}"),
                (None, Some(server)) => {
                    let around = self.out.parent().unwrap_or(Path::new("."));
                    check = RustCheck::start(around, server).ok();
                }
                (None, None) => {}
            }
            paths
        });
    }

    /// Compares the output with the files on disk; whether they are equal. `fix` is the command that makes them
    /// so.
    fn check(&self, document: &Document, fix: &str) -> Result<bool, Failure> {
        let output = self.render(document)?;
        let folder = self.folder()?;
        let changes = sync::plan(&output.files, &folder);
        let total = output.files.iter().count();
        print!("{}", report::check(&changes, total, &self.shown, fix));
        Ok(changes.is_empty())
    }

    /// Makes the files on disk equal to the output.
    fn write(&self, document: &Document, start: Instant) -> Result<bool, Failure> {
        let output = self.render(document)?;
        let folder = self.folder()?;
        let changes = sync::plan(&output.files, &folder);
        let disk = |error| Failure::Disk(error, self.shown.1.clone());
        sync::apply(&self.out, self.owned(), &changes).map_err(disk)?;
        let total = output.files.iter().count();
        let took = start.elapsed();
        eprint!("{}", report::written(&changes, total, &self.shown, took));
        Ok(true)
    }

    /// The files of the crate's folder that are the generator's.
    fn folder(&self) -> Result<sync::Folder, Failure> {
        let folder = sync::Folder::read(&self.out, self.owned());
        let folder = folder.map_err(|error| Failure::Disk(error, self.shown.1.clone()))?;
        if folder.is_ours() || folder.is_empty() {
            Ok(folder)
        } else {
            Err(Failure::Foreign(self.shown.1.clone()))
        }
    }

    fn owned(&self) -> OwnedEntries {
        match self.options.workspace {
            Workspace::Inherited => OwnedEntries::AllVisible,
            Workspace::Member | Workspace::Own => OwnedEntries::OutputOnly,
        }
    }

    /// Reads the document with all its files and the table of formats.
    fn read(&self) -> Result<Document, Failure> {
        let name = &self.shown.0;
        let document = Document::read(&self.spec, name);
        let mut document = document.map_err(|error| Failure::Disk(error, name.clone()))?;
        document.reading.formats = self.formats()?;
        document.paths.extend(self.named());
        eprint!("{}", report::reading(name, document.length()));
        Ok(document)
    }

    /// The files that every run reads.
    fn named(&self) -> Vec<PathBuf> {
        let formats = self.formats.iter().cloned();
        formats.chain([self.spec.clone()]).collect()
    }

    /// The table of formats and their Rust types.
    fn formats(&self) -> Result<Formats, Failure> {
        let Some(path) = &self.formats else {
            return Ok(Formats::default());
        };
        let name = shown(path);
        let text = fs::read_to_string(path).map_err(|error| Failure::Disk(error, name.clone()))?;
        let source = Source { name, text };
        Formats::changed_by(&source).map_err(|found| {
            let text = found.render_for(&source, terminal::look());
            Failure::Document(text, self.shown.0.clone())
        })
    }

    /// Renders the document; prints warnings to standard error.
    fn render(&self, document: &Document) -> Result<Output, Failure> {
        let name = self.shown.0.clone();
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
