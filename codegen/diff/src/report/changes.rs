//! Gathers changes; one that affects many operations is reported once.

use super::{Change, Severity, Witness};
use codegen::source::Pointer;
use std::collections::{HashMap, HashSet};

/// The changes so far.
#[derive(Default)]
pub(crate) struct Changes {
    list: Vec<Change>,
    /// The index of a change by its identity.
    known: HashMap<String, usize>,
}

/// The place of a change.
#[derive(Debug, Clone)]
pub(crate) struct Scope {
    /// The operation, as [`Change::operation`] has it.
    pub(crate) operation: Option<String>,
    pub(crate) place: String,
}

impl Scope {
    pub(crate) fn new(operation: &str, place: impl Into<String>) -> Scope {
        Scope {
            operation: Some(operation.to_owned()),
            place: place.into(),
        }
    }
}

impl Changes {
    /// Adds a change. The same change of another operation is reported with the first, or replaces it if it
    /// is more severe, so that a witness is always one of the operation that is named.
    pub(crate) fn add(&mut self, identity: String, change: Change) {
        let index = *self.known.entry(identity).or_insert(self.list.len());
        let Some(known) = self.list.get_mut(index) else {
            self.list.push(change);
            return;
        };
        let other = match known.severity < change.severity {
            true => {
                let other_operations = std::mem::take(&mut known.other_operations);
                std::mem::replace(
                    known,
                    Change {
                        other_operations,
                        ..change
                    },
                )
            }
            false => change,
        };
        known.other_operations.extend(other.operation);
    }

    /// All changes, the most severe first, without repeated operations. `at` gives the place of an operation.
    pub(crate) fn finish(self, at: impl Fn(&str) -> Pointer) -> Vec<Change> {
        let mut list = self.list;
        for change in &mut list {
            change.at = change.operation.as_deref().map(&at).unwrap_or_default();
            let mut seen: HashSet<String> = change.operation.iter().cloned().collect();
            change
                .other_operations
                .retain(|name| seen.insert(name.clone()));
        }
        list.sort_by_key(|change| std::cmp::Reverse(change.severity));
        list
    }

    /// Adds a change without a proof.
    pub(crate) fn add_unproven(
        &mut self,
        scope: &Scope,
        severity: Severity,
        kind: &str,
        message: impl Into<String>,
    ) {
        self.add_new(scope, severity, kind, message.into(), None);
    }

    /// Adds a breaking change that a request or response without a body proves, with the reason for its refusal.
    pub(crate) fn add_proven(
        &mut self,
        scope: &Scope,
        kind: &str,
        message: impl Into<String>,
        (exchange, refusal): (String, String),
    ) {
        let witness = Witness {
            exchange,
            value: None,
            shown: None,
            refusal,
        };
        let severity = Severity::Breaking;
        self.add_new(scope, severity, kind, message.into(), Some(witness));
    }

    fn add_new(
        &mut self,
        scope: &Scope,
        severity: Severity,
        kind: &str,
        message: String,
        witness: Option<Witness>,
    ) {
        let identity = format!("{kind}\n{}\n{message}", scope.place);
        let change = Change {
            severity,
            kind: kind.to_owned(),
            operation: scope.operation.clone(),
            at: Pointer::default(),
            place: scope.place.clone(),
            message,
            other_operations: Vec::new(),
            witness,
            accepted: None,
        };
        self.add(identity, change);
    }
}
