//! `import`: data from NDJSON.

use std::convert::Infallible;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufReader};
use std::os::fd::AsFd as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use jiff::Timestamp;

use super::CliError;
use db::Db;
use edge::http::Signals;
use features::domain::printable::printable;
use features::domain::recording::OnRejection;
use features::import::{self, Event, Followed, ImportError, Summary};

/// The long help of `import`.
const ABOUT: &str = "\
Each line is a JSON object. Its kind is chain, charity, token, project, contract, config, \
partner-token, campaign or donation, each with a JSON Schema in server/import-schemas. Objects that a line \
refers to must come before it, in this import or an earlier one.

Imports are idempotent: to resume an interrupted import, run it again. A file resumes after its recorded \
lines if they are unchanged, and is read from its start otherwise. Lines after a rejected one are read again. \
A running server shows imported data within a second.

With --follow, lines are imported within 200 ms of their arrival or 1,000 at a time, and webhook events are \
sent for their donations; without it, no events are sent. Following a file again resumes after its recorded \
lines. If the file is rotated, it is read to its end and then the new one; if it is truncated, the import \
fails.

The exit status is 0 if every line was imported, and 1 otherwise.";

/// Arguments of `import`.
#[derive(Debug, Args)]
#[command(after_long_help = ABOUT)]
pub struct ImportArgs {
    /// NDJSON files, read in this order, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub sources: Vec<Source>,
    /// What to do after a line that cannot be imported; its number is always reported
    #[arg(long, value_enum, default_value_t = OnError::Stop, value_name = "WHAT")]
    pub on_error: OnError,
    /// Import lines of one FILE as they arrive, until interrupted or standard input ends, and send webhook
    /// events for their donations
    #[arg(long)]
    pub follow: bool,
}

/// The source of lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Standard input, written `-`.
    Stdin,
    /// A file.
    File(PathBuf),
}

/// The reason why a source was not imported to its end.
#[derive(Debug, thiserror::Error)]
#[error("cannot import {name}")]
struct SourceError {
    name: String,
    source: ImportError,
}

/// Whether lines after a bad one are imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OnError {
    /// Continue with the lines after it.
    Continue,
    /// Import the lines before it and none after it.
    Stop,
}

impl FromStr for Source {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "-" => Self::Stdin,
            path => Self::File(path.into()),
        })
    }
}

/// A progress bar on standard error, of length `bytes` if that is known. It is hidden if standard error
/// is no terminal.
pub fn progress_bar(bytes: Option<u64>) -> ProgressBar {
    let template = match bytes {
        Some(_) => "{bar:40} {bytes}/{total_bytes} {msg} {eta}",
        None => "{spinner} {bytes} {msg}",
    };
    // The templates are constants; a wrong one would cost its looks only.
    let style =
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    bytes
        .map_or_else(ProgressBar::new_spinner, ProgressBar::new)
        .with_style(style)
}

impl ImportArgs {
    /// Imports one source after the other; fails at the end if a line was rejected.
    pub(super) async fn run(self, store: &Db) -> Result<ExitCode, CliError> {
        if self.follow && self.sources.len() > 1 {
            return Err("--follow takes exactly one FILE".into());
        }
        let mut refused = 0;
        for source in &self.sources {
            let on_rejection = self.on_error.into();
            let summary = match self.follow {
                true => source.follow(store, on_rejection).await?,
                false => source.import(store, on_rejection).await?,
            };
            eprintln!("{}: {}", source.name(), sentence(&summary));
            refused += summary.refused;
            if summary.stopped {
                break;
            }
        }
        Ok(if refused > 0 {
            ExitCode::FAILURE
        } else {
            ExitCode::SUCCESS
        })
    }
}

impl From<OnError> for OnRejection {
    fn from(on_error: OnError) -> Self {
        match on_error {
            OnError::Continue => Self::Continue,
            OnError::Stop => Self::Stop,
        }
    }
}

impl Source {
    fn name(&self) -> String {
        match self {
            Self::Stdin => "standard input".to_owned(),
            Self::File(path) => printable(&path.display().to_string()).into_owned(),
        }
    }

    async fn import(&self, store: &Db, on_rejection: OnRejection) -> Result<Summary, CliError> {
        match self {
            Self::Stdin => {
                let (bar, input) = (progress_bar(None), io::stdin().lock());
                let imported = import::run(store, input, on_rejection, self.observer(&bar)).await;
                self.ended(&bar, imported)
            }
            Self::File(path) => {
                let file = File::open(path).map_err(|error| self.error(error.into()))?;
                let metadata = file.metadata().map_err(|error| self.error(error.into()))?;
                let (bar, input) = (progress_bar(Some(metadata.len())), BufReader::new(file));
                let observe = self.observer(&bar);
                let imported = match metadata.is_file() {
                    true => import::resume(store, place(path), input, on_rejection, observe).await,
                    // A pipe is read once.
                    false => import::run(store, input, on_rejection, observe).await,
                };
                self.ended(&bar, imported)
            }
        }
    }

    async fn follow(&self, store: &Db, on_rejection: OnRejection) -> Result<Summary, CliError> {
        let bar = progress_bar(None);
        let (now, observe) = (Timestamp::now, self.observer(&bar));
        let mut signals = Signals::listen()?;
        let stop = async { signals.next().await };
        let input = match self {
            Self::Stdin => Followed::Pipe(File::from(io::stdin().as_fd().try_clone_to_owned()?)),
            Self::File(path) => {
                let file = File::open(path).map_err(|error| self.error(error.into()))?;
                let metadata = file.metadata().map_err(|error| self.error(error.into()))?;
                match metadata.is_file() {
                    true => Followed::File(place(path), file),
                    false => Followed::Pipe(file),
                }
            }
        };
        let followed = import::follow(store, input, on_rejection, now, observe, stop).await;
        self.ended(&bar, followed)
    }

    /// Reports progress and rejected lines.
    fn observer(&self, bar: &ProgressBar) -> impl FnMut(Event<'_>) {
        let name = self.name();
        let print = move |text: &dyn Display| bar.suspend(|| eprintln!("{name}: {text}"));
        move |event| match event {
            Event::Resumed(lines) => print(&format_args!("resumes after line {lines}")),
            Event::Changed => {
                print(&"has changed since its import was interrupted; reading it from the start")
            }
            Event::Replaced => print(&"was replaced; reading the new file from its start"),
            Event::Progress(progress) => {
                bar.set_position(progress.bytes);
                bar.set_message(format!("{} lines", progress.lines));
            }
            Event::Refused(line) => print(line),
        }
    }

    fn ended(
        &self,
        bar: &ProgressBar,
        imported: Result<Summary, ImportError>,
    ) -> Result<Summary, CliError> {
        bar.finish_and_clear();
        imported.map_err(|error| self.error(error))
    }

    fn error(&self, source: ImportError) -> CliError {
        let name = self.name();
        SourceError { name, source }.into()
    }
}

/// The absolute name of a file, which identifies its checkpoint.
fn place(path: &Path) -> String {
    let place = path.canonicalize();
    place
        .unwrap_or_else(|_| path.to_owned())
        .display()
        .to_string()
}

fn sentence(summary: &Summary) -> String {
    let Summary {
        inserted,
        updated,
        unchanged,
        refused,
        stopped,
    } = summary;
    let end = if *stopped {
        "; stopped at the first rejected line"
    } else {
        ""
    };
    format!("{inserted} new, {updated} changed, {unchanged} unchanged, {refused} rejected{end}")
}
