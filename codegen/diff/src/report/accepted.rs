//! The file `accepted-breaks.yaml`: the breaking changes that are accepted, each with its reason.

use super::{Change, Report, Severity};
use serde::Deserialize;
use std::fmt;

/// The entries of a file such as:
///
/// ```yaml
/// - kind: response-body-properties
///   operation: GET /charities
///   place: response 200 body /items/*
///   reason: No client reads the `logoUrl` that the items have lost.
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
    /// One of the operations that it affects; every operation if absent.
    pub operation: Option<String>,
    /// The place in the operation; every place if absent.
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
        let read: AcceptedBreaks = serde_yaml::from_str(text).map_err(|e| e.to_string())?;
        match read.0.iter().find(|one| one.reason.trim().is_empty()) {
            Some(one) => Err(format!("`{}` is accepted without a reason", one.kind)),
            None => Ok(read),
        }
    }
}

/// The entry as messages name it: its kind, with the operation and the place that it names.
impl fmt::Display for AcceptedBreak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the entry `{}`", self.kind)?;
        let operation = self
            .operation
            .as_ref()
            .map(|it| format!("operation `{it}`"));
        let place = self.place.as_ref().map(|it| format!("place `{it}`"));
        let named: Vec<String> = operation.into_iter().chain(place).collect();
        match named.is_empty() {
            true => Ok(()),
            false => write!(f, " ({})", named.join(", ")),
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
