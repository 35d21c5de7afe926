//! Spans of time as people write them.

use std::str::FromStr;
use std::time::Duration;

use jiff::SignedDuration;

/// A span of time such as `10s`, `1m 30s` or `24h`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(try_from = "String")]
pub struct HumanDuration(pub Duration);

/// The text is no span of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a duration such as 10s, 1m 30s or 24h")]
pub struct HumanDurationError;

impl FromStr for HumanDuration {
    type Err = HumanDurationError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let span: SignedDuration = text.parse().map_err(|_| HumanDurationError)?;
        span.try_into().map(Self).map_err(|_| HumanDurationError)
    }
}

impl TryFrom<String> for HumanDuration {
    type Error = HumanDurationError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, seconds: Option<u64>) {
        let expected = seconds.map(|seconds| HumanDuration(Duration::from_secs(seconds)));
        assert_eq!(text.parse::<HumanDuration>().ok(), expected, "{text}");
    }

    #[test]
    fn reads_hours_minutes_and_seconds() {
        check("0s", Some(0));
        check("10s", Some(10));
        check("1m 30s", Some(90));
        check("24h", Some(86_400));
        check("10", None);
        check("-10s", None);
        check("soon", None);
        check("", None);
    }
}
