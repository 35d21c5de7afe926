//! What a comparison has found: plain data, and the one rule that turns it into a verdict.

use serde::Serialize;

/// The difference between two contracts, as a client of the first one sees it.
#[derive(Debug, Serialize)]
pub struct Report {
    /// `info.version` of the contract before and after.
    pub versions: (String, String),
    /// What has changed, the gravest first, then in the order of the contract.
    pub changes: Vec<Change>,
}

/// One change.
#[derive(Debug, Serialize)]
pub struct Change {
    /// How grave it is.
    pub severity: Severity,
    /// A stable name for the kind of change, such as `request-body-maxLength`.
    pub kind: String,
    /// The method and path of the first operation that it touches; `None` for the document.
    pub operation: Option<String>,
    /// Where in the operation: a parameter, a body with a path into it, a response …
    pub place: String,
    /// What has changed, in a sentence without a subject.
    pub message: String,
    /// Further operations that the same change touches.
    pub also: Vec<String>,
    /// The proof, for a breaking change.
    pub witness: Option<Witness>,
}

/// How grave a change is; the gravest is the greatest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Only what people read has changed.
    Docs,
    /// Every client of the contract before is a client of the contract after.
    Compatible,
    /// A break is suspected, and no request or response was found that proves it.
    Possible,
    /// The witness was valid before and is not after, or the other way round for a response.
    Breaking,
}

/// A request or response that the two contracts judge differently.
///
/// A request was valid before and is not any more; a response is valid now and was not before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Witness {
    /// The exchange in one line, such as `GET /charities?limit=201` or `200 application/json`.
    pub exchange: String,
    /// The JSON instance that makes the difference, where there is one.
    pub value: Option<serde_json::Value>,
    /// How the instance is made where it is too long to be written down: as JSON in which `"a" × 3`
    /// stands for `"aaa"` and `[0] × 3` for `[0,0,0]`.
    pub made: Option<String>,
    /// What the refusing contract says.
    pub refusal: String,
}

impl Report {
    /// Whether a client of the contract before can be broken by the contract after.
    #[must_use]
    pub fn is_breaking(&self) -> bool {
        self.count(Severity::Breaking) > 0
    }

    /// Whether `info.version` announces what has changed: nothing breaks, or the major is greater.
    #[must_use]
    pub fn is_announced(&self) -> bool {
        !self.is_breaking() || major(&self.versions.0) < major(&self.versions.1)
    }

    /// The whole report as one line of JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// How many changes are of that severity.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.of(severity).count()
    }

    /// The changes of that severity.
    pub fn of(&self, severity: Severity) -> impl Iterator<Item = &Change> {
        let all = self.changes.iter();
        all.filter(move |change| change.severity == severity)
    }
}

impl Severity {
    /// All, the gravest first.
    pub const ALL: [Severity; 4] = [
        Severity::Breaking,
        Severity::Possible,
        Severity::Compatible,
        Severity::Docs,
    ];

    /// The word for one change of that severity.
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

/// The major of a version (SemVer 2.0.0 §8); a version that has none counts as 0.
fn major(version: &str) -> u64 {
    let version = version.trim_start_matches('v');
    let digits = version.split(|c: char| !c.is_ascii_digit()).next();
    digits
        .and_then(|digits| digits.parse().ok())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_major_is_a_number_not_a_text() {
        assert!(major("10.0.0") > major("9.4.1"));
        assert_eq!(major("v2"), 2);
        assert_eq!(major("2026-11-20"), 2026);
        assert_eq!(major(""), 0);
    }
}
