//! The filter of log lines.

use std::fmt;
use std::str::FromStr;

use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;

/// The filter of log lines: levels for targets, such as `info,access=off`.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
#[serde(try_from = "String")]
pub struct LogFilter(Targets);

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
            // The parser also accepts an empty text as a level.
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
    /// The filter as the library has it.
    pub(super) fn targets(&self) -> Targets {
        self.0.clone()
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

#[cfg(test)]
mod tests {
    use tracing::Level;

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
    fn unknown_levels_are_refused() {
        for text in ["", "wran", "info,", "a=b=c", "access=", "info,access"] {
            assert!(text.parse::<LogFilter>().is_err(), "{text}");
        }
    }
}
