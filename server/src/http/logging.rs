//! Where log lines go and how they look.

use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::ParseError;
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};

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
}

/// Sends the events that `filter` lets through to standard error, panics included. Standard output
/// is left to what a command has to say.
///
/// # Errors
/// When the filter is malformed, or the process already logs somewhere.
pub fn init_logging(format: LogFormat, filter: &str) -> Result<(), LoggingError> {
    let builder = tracing_subscriber::fmt()
        .with_writer(io::stderr)
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
    Ok(())
}
