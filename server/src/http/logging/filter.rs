//! Which log lines are written, and how that is changed while lines are written.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use tracing::level_filters::LevelFilter;
use tracing::subscriber::Interest;
use tracing::{Level, Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::Context;

use crate::reloadable::Reloadable;

/// Which log lines are written: levels for targets, such as `info,access=off`.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
#[serde(try_from = "String")]
pub struct LogFilter(Targets);

/// The text is no filter.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is neither a level (off, error, warn, info, debug, trace) nor TARGET=LEVEL")]
pub struct LogFilterError(String);

impl FromStr for LogFilter {
    type Err = LogFilterError;

    fn from_str(text: &str) -> Result<Self, LogFilterError> {
        let directive = |directive: &str| {
            let (target, level) = match directive.split_once('=') {
                Some((target, level)) => (Some(target), level),
                None => (None, directive),
            };
            // To the parser, no word is a level, too.
            let known = level
                .parse::<LevelFilter>()
                .ok()
                .filter(|_| !level.is_empty());
            let level = known.ok_or_else(|| LogFilterError(directive.to_owned()))?;
            Ok((target.map(str::to_owned), level))
        };
        let mut targets = Targets::new();
        for part in text.split(',') {
            targets = match directive(part.trim())? {
                (Some(target), level) => targets.with_target(target, level),
                (None, level) => targets.with_default(level),
            };
        }
        Ok(Self(targets))
    }
}

impl LogFilter {
    fn announce(&self) {
        let wanted = self.0.would_enable("access", &Level::INFO);
        WANTS_ACCESS_LINES.store(wanted, Ordering::Relaxed);
    }
}

impl Default for LogFilter {
    fn default() -> Self {
        Self(Targets::new().with_default(LevelFilter::INFO))
    }
}

impl fmt::Display for LogFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl TryFrom<String> for LogFilter {
    type Error = LogFilterError;

    fn try_from(text: String) -> Result<Self, LogFilterError> {
        text.parse()
    }
}

/// The filter of this process.
static FILTER: OnceLock<Reloadable<Targets>> = OnceLock::new();

/// Whether it lets the lines of the access log through, of which there is one for every request.
static WANTS_ACCESS_LINES: AtomicBool = AtomicBool::new(false);

/// Replaces the filter that logging was set up with; does nothing where it was not.
pub fn set_log_filter(filter: &LogFilter) {
    if let Some(current) = FILTER.get() {
        current.set(filter.0.clone());
        filter.announce();
        // Whether a line is wanted is remembered where it is made.
        tracing_core::callsite::rebuild_interest_cache();
    }
}

/// What [`tracing::enabled!`] says of the lines of the access log, at a tenth of its cost.
pub(super) fn wants_access_lines() -> bool {
    WANTS_ACCESS_LINES.load(Ordering::Relaxed)
}

/// The filter as a part of the process's logging.
pub(super) struct Switch(Reloadable<Targets>);

impl Switch {
    pub(super) fn new(filter: &LogFilter) -> Self {
        filter.announce();
        Self(
            FILTER
                .get_or_init(|| Reloadable::new(filter.0.clone()))
                .clone(),
        )
    }
}

impl<S: Subscriber> Layer<S> for Switch {
    fn register_callsite(&self, metadata: &'static Metadata<'static>) -> Interest {
        Layer::<S>::register_callsite(&**self.0.get(), metadata)
    }

    fn enabled(&self, metadata: &Metadata<'_>, context: Context<'_, S>) -> bool {
        self.0.get().enabled(metadata, context)
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Layer::<S>::max_level_hint(&**self.0.get())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_for_all_targets_or_for_one() {
        let filter: LogFilter = "warn, access=off,server=debug".parse().unwrap();
        let check = |target, level, wanted| {
            assert_eq!(filter.0.would_enable(target, &level), wanted, "{target}");
        };
        check("hyper", Level::WARN, true);
        check("hyper", Level::INFO, false);
        check("access", Level::ERROR, false);
        check("server::api", Level::DEBUG, true);
    }

    #[test]
    fn what_is_no_level_is_refused() {
        for text in ["", "wran", "info,", "a=b=c", "access=", "info,access"] {
            assert!(text.parse::<LogFilter>().is_err(), "{text}");
        }
    }
}
