//! Where log lines go and how they look.

mod lines;

use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::ParseError;
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};

use lines::Log;

/// How a log line is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// One JSON object per line, for machines.
    Json,
    /// Text for people, coloured on a terminal.
    Pretty,
}

/// Logging could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum LoggingError {
    /// The filter is not of the form that `tracing` knows, such as `info` or `warn,access=info`.
    #[error("the log filter is malformed")]
    Filter(#[from] ParseError),
    /// Logging was set up before.
    #[error("logging is already set up")]
    Twice(#[from] TryInitError),
    /// There is no thread to write the lines.
    #[error("cannot start to write the log")]
    Thread(#[from] io::Error),
}

/// Sends the events that `filter` lets through to standard error, panics included. Standard output
/// is left to what a command has to say.
///
/// Lines gather for a tenth of a second, unless they warn; [`flush_log`] writes the last ones.
///
/// # Errors
/// When the filter is malformed, the process already logs somewhere or no thread can be started.
pub fn init_logging(format: LogFormat, filter: &str) -> Result<(), LoggingError> {
    let builder = tracing_subscriber::fmt()
        .with_writer(Log)
        .with_ansi(io::stderr().is_terminal())
        // It would be told on standard error, which is what cannot be written, with a panic.
        .log_internal_errors(false)
        .with_env_filter(EnvFilter::try_new(filter)?);
    match format {
        LogFormat::Json => builder
            .json()
            .flatten_event(true)
            .with_span_list(false)
            .finish()
            .try_init()?,
        LogFormat::Pretty => builder.finish().try_init()?,
    }
    std::panic::set_hook(Box::new(
        |panic| tracing::error!(target: "panic", "{panic}"),
    ));
    lines::start()?;
    Ok(())
}

/// Writes the lines that have gathered. To be called when the process is about to end.
pub fn flush_log() {
    lines::flush();
}
