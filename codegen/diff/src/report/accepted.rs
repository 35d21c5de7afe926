//! Breaking changes that somebody has accepted, with the reason: data beside the contract.

use super::{Change, Report, Severity};
use serde::Deserialize;

/// The entries of a file such as:
///
/// ```yaml
/// - kind: response-body-properties
///   operation: GET /charities
///   place: response 200 body /items/*
///   reason: No client has read `sha` since 0.9.
/// ```
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(transparent)]
pub struct AcceptedBreaks(Vec<AcceptedBreak>);

/// A breaking change that is accepted.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AcceptedBreak {
    /// The kind of change.
    pub kind: String,
    /// One of the operations that it affects; any if there is none.
    pub operation: Option<String>,
    /// The place in the operation; any if there is none.
    pub place: Option<String>,
    /// Why it is accepted.
    pub reason: String,
}

impl AcceptedBreaks {
    /// Reads the entries from YAML.
    ///
    /// # Errors
    /// The problem with the text.
    pub fn parse(text: &str) -> Result<AcceptedBreaks, String> {
        if text.trim().is_empty() {
            return Ok(AcceptedBreaks::default());
        }
        let read: AcceptedBreaks = serde_yaml::from_str(text).map_err(|e| e.to_string())?;
        match read.0.iter().find(|one| one.reason.trim().is_empty()) {
            Some(one) => Err(format!("`{}` is accepted without a reason", one.kind)),
            None => Ok(read),
        }
    }
}

impl AcceptedBreak {
    fn covers(&self, change: &Change) -> bool {
        let mut operations = change.operation.iter().chain(&change.other_operations);
        let operation = self.operation.as_ref();
        change.severity == Severity::Breaking
            && self.kind == change.kind
            && self
                .place
                .as_ref()
                .is_none_or(|place| *place == change.place)
            && operation.is_none_or(|own| operations.any(|one| one == own))
    }
}

impl Report {
    /// Marks the breaking changes that are accepted; returns the entries that cover none.
    pub fn accept<'b>(&mut self, accepted: &'b AcceptedBreaks) -> Vec<&'b AcceptedBreak> {
        for change in &mut self.changes {
            let entry = accepted.0.iter().find(|entry| entry.covers(change));
            change.accepted = entry.map(|entry| entry.reason.clone());
        }
        let is_unused =
            |entry: &&AcceptedBreak| !self.changes.iter().any(|change| entry.covers(change));
        accepted.0.iter().filter(is_unused).collect()
    }
}
