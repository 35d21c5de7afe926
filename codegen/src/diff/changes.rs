//! Gathers changes; one that touches many operations is told once.

use super::report::{Change, Severity, Witness};
use std::collections::{HashMap, HashSet};

/// The changes so far.
#[derive(Default)]
pub(super) struct Changes {
    list: Vec<Change>,
    /// From what makes a change one and the same to its index.
    known: HashMap<String, usize>,
}

impl Changes {
    /// Adds a change, or the operation of one that is known already.
    pub(super) fn add(&mut self, identity: String, change: Change) {
        let index = *self.known.entry(identity).or_insert(self.list.len());
        let Some(known) = self.list.get_mut(index) else {
            self.list.push(change);
            return;
        };
        let operation = change.operation.clone();
        if known.severity < change.severity {
            // The graver finding is the one to show, at the place where it was made.
            let also = std::mem::take(&mut known.also);
            let first = std::mem::replace(known, Change { also, ..change });
            known.also.extend(first.operation);
        } else {
            known.also.extend(operation);
        }
    }

    /// All changes, the gravest first, each operation once in each.
    pub(super) fn finish(self) -> Vec<Change> {
        let mut list = self.list;
        for change in &mut list {
            let mut seen: HashSet<String> = change.operation.iter().cloned().collect();
            change.also.retain(|name| seen.insert(name.clone()));
        }
        list.sort_by_key(|change| std::cmp::Reverse(change.severity));
        list
    }

    /// Notes a change that has nothing to prove.
    pub(super) fn note(
        &mut self,
        severity: Severity,
        kind: &str,
        operation: Option<String>,
        place: &str,
        message: impl Into<String>,
    ) {
        let message = message.into();
        let change = Change {
            severity,
            kind: kind.to_owned(),
            operation,
            place: place.to_owned(),
            message,
            also: Vec::new(),
            witness: None,
        };
        let identity = format!("{kind}\n{place}\n{}", change.message);
        self.add(identity, change);
    }

    /// Adds a break of an operation that an exchange without a body proves.
    pub(super) fn prove(
        &mut self,
        kind: &str,
        operation: &str,
        place: &str,
        message: impl Into<String>,
        witness: (String, String),
    ) {
        let message = message.into();
        let identity = format!("{kind}\n{place}\n{message}");
        let (exchange, refusal) = witness;
        let change = Change {
            severity: Severity::Breaking,
            kind: kind.to_owned(),
            operation: Some(operation.to_owned()),
            place: place.to_owned(),
            message,
            also: Vec::new(),
            witness: Some(Witness {
                exchange,
                value: None,
                made: None,
                refusal,
            }),
        };
        self.add(identity, change);
    }
}
