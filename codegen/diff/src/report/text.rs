//! A report as text for a terminal.

use super::{Change, Report, Severity};
use std::fmt::Write as _;

/// How many of the other operations of a change are named.
const MAX_OPERATIONS: usize = 20;
/// How many changes of each severity are printed in full.
const MAX_CHANGES: usize = 60;

impl Report {
    /// The report for a terminal. Changed descriptions are only counted, and so are the changes beyond
    /// a number.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        for severity in Severity::ALL {
            if severity == Severity::Docs {
                continue;
            }
            for change in self.of(severity).take(MAX_CHANGES) {
                write(&mut out, change);
            }
            let more = self.count(severity).saturating_sub(MAX_CHANGES);
            if more > 0 {
                let word = severity.word();
                let changes = if more == 1 { "change" } else { "changes" };
                // Writing to a `String` cannot fail.
                let _ = writeln!(
                    out,
                    "… and {more} more {word} {changes} (--format json has all)"
                );
            }
        }
        let _ = writeln!(out, "{}", self.summary());
        out
    }
}

impl Change {
    /// The operation, the place in it and the change, in one line.
    #[must_use]
    pub fn sentence(&self) -> String {
        let operation = self.operation.as_deref().unwrap_or("document");
        let place = match self.place == operation {
            true => String::new(),
            false => format!(", {}", self.place),
        };
        format!("{operation}{place}: {}", self.message)
    }
}

fn write(out: &mut String, change: &Change) {
    let (word, kind) = (change.severity.word(), &change.kind);
    let _ = writeln!(out, "{word}[{kind}]: {}", change.sentence());
    if let Some(witness) = &change.witness {
        let _ = writeln!(out, "  = witness: {}", witness.exchange);
        if let Some(shown) = &witness.shown {
            let _ = writeln!(out, "  =   value: {shown}");
        }
        let _ = writeln!(out, "  = refused: {}", witness.refusal);
    }
    if let Some(reason) = &change.accepted {
        let _ = writeln!(out, "  = accepted: {reason}");
    }
    if !change.other_operations.is_empty() {
        let named = change
            .other_operations
            .iter()
            .take(MAX_OPERATIONS)
            .map(String::as_str);
        let named = named.collect::<Vec<_>>().join(", ");
        let more = match change.other_operations.len().saturating_sub(MAX_OPERATIONS) {
            0 => String::new(),
            1 => " and 1 more operation".to_owned(),
            more => format!(" and {more} more operations"),
        };
        let _ = writeln!(out, "  =    also: {named}{more}");
    }
}
