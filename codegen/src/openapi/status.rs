//! The statuses of responses (OpenAPI 3.1.1 §4.8.16).

use std::fmt;

/// The statuses that a response stands for (§4.8.16).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// One status.
    Code(u16),
    /// All statuses of that hundred: `4XX`.
    Range(u16),
    /// All statuses that are not listed.
    Default,
}

impl fmt::Display for Status {
    /// The status as documents write it: `404`, `4XX` or `default`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Status::Code(code) => write!(f, "{code}"),
            Status::Range(hundred) => write!(f, "{hundred}XX"),
            Status::Default => f.write_str("default"),
        }
    }
}

impl Status {
    /// Whether a response with this status has a body (RFC 9110 §6.4.1, and §15.3.6 for 205).
    #[must_use]
    pub fn has_body(self) -> bool {
        !matches!(
            self,
            Status::Range(1) | Status::Code(100..=199 | 204 | 205 | 304)
        )
    }

    pub(super) fn parse(text: &str) -> Option<Status> {
        if text == "default" {
            return Some(Status::Default);
        }
        if let Some(hundred) = text.strip_suffix("XX").or_else(|| text.strip_suffix("xx")) {
            return hundred
                .parse()
                .ok()
                .filter(|n| (1..=5).contains(n))
                .map(Status::Range);
        }
        text.parse()
            .ok()
            .filter(|code| (100..600).contains(code))
            .map(Status::Code)
    }
}
