//! `import`: data from NDJSON.

use std::convert::Infallible;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};

/// What to import.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// NDJSON files in the order to read them, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub sources: Vec<Source>,
    /// What to do about a line that cannot be imported, besides reporting it
    #[arg(long, value_enum, default_value_t = OnError::Stop)]
    pub on_error: OnError,
}

/// Where lines come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Standard input, written `-`.
    Stdin,
    /// A file.
    File(PathBuf),
}

/// What becomes of the lines after a bad one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OnError {
    /// They are imported all the same.
    Continue,
    /// They are not read.
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

/// A bar on standard error, as long as the number of `bytes` if that is known. It draws nothing when
/// standard error is no terminal.
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
