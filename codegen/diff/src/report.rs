//! The changes that a comparison has found, as plain data, and the rule by which a version may break.

mod accepted;
mod changes;
mod elide;
mod json;
mod markdown;
mod text;

pub use accepted::{AcceptedBreak, AcceptedBreaks};
pub(crate) use changes::{Changes, Scope};
pub(crate) use elide::elided;

use codegen::source::Pointer;
use serde::Serialize;

/// The difference between two versions of a contract, as a client of the first one sees it.
#[derive(Debug, Serialize)]
pub struct Report {
    /// `info.version` before and after.
    pub versions: (String, String),
    /// The changes, the most severe first, then in the order of the contract.
    pub changes: Vec<Change>,
}

/// One change.
#[derive(Debug, Serialize)]
pub struct Change {
    /// How severe it is.
    pub severity: Severity,
    /// A stable name for the kind of change, such as `request-body-maxLength`.
    pub kind: String,
    /// The first operation that it affects, as `METHOD /path`, `webhook METHOD /name` or
    /// `callback METHOD /owner/name`; `None` for the whole document.
    pub operation: Option<String>,
    /// The place of this operation in the contract after, or of a removed one in the contract before.
    #[serde(skip)]
    pub at: Pointer,
    /// The place in the operation: a parameter, a body with a path into it, a response …
    pub place: String,
    /// The change, as a sentence without its subject.
    pub message: String,
    /// The other operations that the same change affects.
    pub other_operations: Vec<String>,
    /// The proof of a breaking change.
    pub witness: Option<Witness>,
    /// Why a breaking change is accepted, if it is.
    pub accepted: Option<String>,
}

/// How severe a change is; the most severe is the greatest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Documentation alone has changed.
    Docs,
    /// Every client of the version before is a client of the version after.
    Compatible,
    /// The change may break clients, and no request or response proves it.
    Possible,
    /// The witness was valid before and is not any more; of a response, the other way round.
    Breaking,
}

/// A request or response that one version accepts and the other refuses.
///
/// A request was valid before and is not any more; a response is valid now and was not before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Witness {
    /// The message in one line, such as `GET /charities?limit=201` or `200 application/json`.
    pub exchange: String,
    /// The JSON value that makes the difference, unless it is too long to be written down.
    pub value: Option<serde_json::Value>,
    /// The value in one line, elided except around the place in question.
    pub shown: Option<String>,
    /// The violation that the refusing version reports.
    pub refusal: String,
}

impl Report {
    /// Whether any breaking change has not been accepted.
    #[must_use]
    pub fn is_breaking(&self) -> bool {
        let mut breaking = self.of(Severity::Breaking);
        breaking.any(|change| change.accepted.is_none())
    }

    /// Whether `info.version` allows the changes: none breaks, or the version announces breaks.
    #[must_use]
    pub fn is_announced(&self) -> bool {
        !self.is_breaking() || announces(&self.versions.0, &self.versions.1)
    }

    /// How many changes have a severity.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.of(severity).count()
    }

    /// The changes with a severity.
    pub fn of(&self, severity: Severity) -> impl Iterator<Item = &Change> {
        let all = self.changes.iter();
        all.filter(move |change| change.severity == severity)
    }

    /// The counts and the required version, in one line.
    #[must_use]
    pub fn summary(&self) -> String {
        let (before, after) = &self.versions;
        let counts = Severity::ALL.map(|s| format!("{} {}", self.count(s), s.word()));
        let accepted = self.of(Severity::Breaking);
        let accepted = accepted.filter(|change| change.accepted.is_some()).count();
        let accepted = match accepted {
            0 => String::new(),
            count => format!(" ({count} accepted)"),
        };
        let verdict = if !self.is_breaking() {
            "nothing breaks"
        } else if self.is_announced() {
            "the new version announces it"
        } else if major_and_minor(before).0 == 0 {
            "a break needs a new minor version"
        } else {
            "a break needs a new major version"
        };
        format!(
            "{before} → {after}: {}{accepted}; {verdict}",
            counts.join(", ")
        )
    }
}

impl Severity {
    /// All, the most severe first.
    pub const ALL: [Severity; 4] = [
        Severity::Breaking,
        Severity::Possible,
        Severity::Compatible,
        Severity::Docs,
    ];

    /// `Compatible`, unless something suggests that it may break.
    pub(crate) fn possible_if(suspected: bool) -> Severity {
        match suspected {
            true => Severity::Possible,
            false => Severity::Compatible,
        }
    }

    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Severity::Breaking => "breaking",
            Severity::Possible => "possible",
            Severity::Compatible => "compatible",
            Severity::Docs => "docs",
        }
    }
}

/// Whether a version may break clients of the one before: it has a greater major, or both are 0 and
/// it has a greater minor (SemVer 2.0.0 §4 and §8).
fn announces(before: &str, after: &str) -> bool {
    let [before, after] = [before, after].map(major_and_minor);
    before.0 < after.0 || (before.0 == 0 && after.0 == 0 && before.1 < after.1)
}

/// The first two numbers of a version; a missing one is 0.
fn major_and_minor(version: &str) -> (u64, u64) {
    let mut parts = version.trim_start_matches('v').split('.');
    let mut number = || {
        let part = parts.next().unwrap_or_default();
        let digits = part.split(|c: char| !c.is_ascii_digit()).next();
        digits
            .and_then(|digits| digits.parse().ok())
            .unwrap_or_default()
    };
    (number(), number())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_numbers_not_texts() {
        assert!(announces("9.4.1", "10.0.0"));
        assert!(announces("v1", "v2"));
        assert!(announces("2025-11-20", "2026-01-01"));
        assert!(!announces("", ""));
        assert!(!announces("1.9.0", "1.10.0"));
    }

    #[test]
    fn below_one_a_minor_version_may_break() {
        assert!(announces("0.1.0", "0.2.0"));
        assert!(announces("0.9", "0.10"));
        assert!(announces("0.9.0", "1.0.0"));
        assert!(!announces("0.1.0", "0.1.1"));
    }
}
