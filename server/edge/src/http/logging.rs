//! The destination and the format of log lines.

mod filter;
mod writer;

use std::io::{self, IsTerminal};
use std::sync::OnceLock;

use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};
use tracing_subscriber::{Registry, fmt, registry, reload};

use super::request_context::request_span;
pub use filter::{LogFilter, LogFilterError};
use writer::LogWriter;
pub(super) use writer::dropped_log_lines;
pub use writer::flush_log;

/// The form of the lines of this process.
static FORMAT: OnceLock<LogFormat> = OnceLock::new();

/// Replaces the filter of this process.
static FILTER: OnceLock<reload::Handle<Targets, Registry>> = OnceLock::new();

/// The format of a log line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// One JSON object per line.
    Json,
    /// Human-readable lines, colored on a terminal.
    Pretty,
}

/// Logging could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum LoggingError {
    /// Logging was set up before.
    #[error("logging is already set up")]
    Twice(#[from] TryInitError),
    /// There is no thread to write the lines.
    #[error("cannot start writing the log")]
    Thread(#[from] io::Error),
}

/// Sends the events that `filter` lets through to standard error, panics included; [`set_log_filter`]
/// replaces it. Standard output is left to the output of commands.
///
/// Lines gather for a tenth of a second, unless they warn; [`flush_log`] writes the last ones. While
/// standard error is not read, lines are dropped, so no request waits for long.
///
/// # Errors
/// When the process already logs somewhere or no thread can be started.
pub fn init_logging(format: LogFormat, filter: &LogFilter) -> Result<(), LoggingError> {
    let (filter, handle) = reload::Layer::new(filter.targets());
    let lines = fmt::layer()
        .with_writer(LogWriter)
        .with_ansi(io::stderr().is_terminal())
        // Such an error means that standard error cannot be written, and writing there would panic.
        .log_internal_errors(false);
    let filtered = registry().with(filter);
    match format {
        LogFormat::Json => {
            let lines = lines.json().flatten_event(true).with_span_list(false);
            filtered.with(lines).try_init()?;
        }
        LogFormat::Pretty => filtered.with(lines).try_init()?,
    }
    let _ = (FILTER.set(handle), FORMAT.set(format));
    std::panic::set_hook(Box::new(|panic| {
        request_span().in_scope(|| tracing::error!(target: "panic", "{panic}"));
    }));
    writer::start()?;
    Ok(())
}

/// Replaces the filter of the log; does nothing if logging was not set up.
pub fn set_log_filter(filter: &LogFilter) {
    if let Some(handle) = FILTER.get() {
        // It fails only if the subscriber is gone, and then nothing is logged.
        let _ = handle.reload(filter.targets());
    }
}

/// The form of the lines that this process logs; `None` where logging is not set up.
pub(super) fn format() -> Option<LogFormat> {
    FORMAT.get().copied()
}

/// Logs a complete line, which is no warning.
pub(super) fn write_line(line: &[u8]) {
    writer::push(line, false);
}
