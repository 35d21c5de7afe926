//! A report as text for a terminal.

use super::report::{Change, Report, Severity};
use std::fmt::Write as _;

/// How many further operations are named.
const NAMED: usize = 4;

impl Report {
    /// The report for a terminal; descriptions that changed are only counted.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        for change in self.changes.iter().filter(|c| c.severity != Severity::Docs) {
            write(&mut out, change);
        }
        // Writing to a `String` cannot fail.
        let _ = writeln!(out, "{}", self.summary());
        out
    }

    /// The counts, and what they mean for the version, in one line.
    #[must_use]
    pub fn summary(&self) -> String {
        let (before, after) = &self.versions;
        let counts = Severity::ALL.map(|s| format!("{} {}", self.count(s), s.word()));
        let verdict = if !self.is_breaking() {
            "nothing breaks"
        } else if self.is_announced() {
            "the new major version announces it"
        } else {
            "a break needs a new major version"
        };
        format!("{before} → {after}: {}; {verdict}", counts.join(", "))
    }
}

fn write(out: &mut String, change: &Change) {
    let operation = change.operation.as_deref().unwrap_or("document");
    let place = if change.place == operation {
        String::new()
    } else {
        format!(", {}", change.place)
    };
    let (word, message) = (change.severity.word(), &change.message);
    let _ = writeln!(
        out,
        "{word}[{}]: {operation}{place}: {message}",
        change.kind
    );
    if let Some(witness) = &change.witness {
        let _ = writeln!(out, "  = witness: {}", witness.exchange);
        if let Some(value) = &witness.value {
            let _ = writeln!(out, "  =   value: {}", shortened(&value.to_string()));
        }
        if let Some(made) = &witness.made {
            let _ = writeln!(out, "  =   value: {}", shortened(made));
        }
        let _ = writeln!(out, "  = refused: {}", witness.refusal);
    }
    if !change.also.is_empty() {
        let named: Vec<_> = change.also.iter().take(NAMED).cloned().collect();
        let more = change.also.len().saturating_sub(NAMED);
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        let _ = writeln!(out, "  =    also: {}{more}", named.join(", "));
    }
}

/// A value as one line that still fits a screen.
pub(super) fn shortened(text: &str) -> String {
    const LONGEST: usize = 400;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
