//! Where log lines go and how they look.

mod filter;
mod lines;

use std::io::{self, IsTerminal};
use std::sync::OnceLock;

use tracing_subscriber::fmt::format::{DefaultFields, Format, Full, Json, JsonFields};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};
use tracing_subscriber::{fmt, registry};

use super::request_context::request_span;
use filter::Switch;
pub use filter::{LogFilter, LogFilterError, set_log_filter};
use lines::Log;

static PLAIN: OnceLock<LogFormat> = OnceLock::new();

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
    /// Logging was set up before.
    #[error("logging is already set up")]
    Twice(#[from] TryInitError),
    /// There is no thread to write the lines.
    #[error("cannot start to write the log")]
    Thread(#[from] io::Error),
}

/// Sends the events that `filter` lets through to standard error, panics included; [`set_log_filter`]
/// replaces it. Standard output is left to what a command has to say.
///
/// Lines gather for a tenth of a second, unless they warn; [`flush_log`] writes the last ones.
///
/// # Errors
/// When the process already logs somewhere or no thread can be started.
pub fn init_logging(format: LogFormat, filter: &LogFilter) -> Result<(), LoggingError> {
    let in_colour = io::stderr().is_terminal();
    let lines = fmt::layer()
        .with_writer(Log)
        .with_ansi(in_colour)
        // It would be told on standard error, which is what cannot be written, with a panic.
        .log_internal_errors(false);
    let filtered = registry().with(Switch::new(filter));
    match format {
        LogFormat::Json => filtered.with(json(lines)).try_init()?,
        LogFormat::Pretty => filtered.with(lines).try_init()?,
    }
    if !in_colour {
        let _ = PLAIN.set(format);
    }
    std::panic::set_hook(Box::new(|panic| {
        request_span().in_scope(|| tracing::error!(target: "panic", "{panic}"));
    }));
    lines::start()?;
    Ok(())
}

/// The form of JSON lines.
pub(super) fn json<S, W>(
    lines: fmt::Layer<S, DefaultFields, Format<Full>, W>,
) -> fmt::Layer<S, JsonFields, Format<Json>, W> {
    lines.json().flatten_event(true).with_span_list(false)
}

/// The form of lines that this process logs, where they have no colours.
pub(super) fn plain_format() -> Option<LogFormat> {
    PLAIN.get().copied()
}

/// Whether lines of the access log are logged.
pub(super) fn wants_access_lines() -> bool {
    filter::wants_access_lines()
}

/// Logs a whole line in that form, which warns of nothing.
pub(super) fn log_line(line: &[u8]) {
    lines::push(line, false);
}

/// Writes the lines that have gathered. To be called when the process is about to end.
pub fn flush_log() {
    lines::flush();
}
