//! A report for programs, complete.

use super::Report;

impl Report {
    /// The whole report as one line of JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}
