//! A report as Markdown, for a pull request or a change log.

use super::{Change, Report, Severity};
use std::fmt::Write as _;

/// How many changes a section shows; one with more is folded.
const OPEN: usize = 20;
/// How many of the other operations stand in the line; the names of more are folded.
const MAX_NAMED: usize = 4;

impl Report {
    /// The report as Markdown, one section for each severity.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut out = format!("# Contract {}\n", self.summary());
        for severity in Severity::ALL {
            let count = self.count(severity);
            if count == 0 {
                continue;
            }
            // Writing to a `String` cannot fail.
            let _ = write!(out, "\n## {}\n\n", title(severity));
            if count > OPEN {
                let _ = write!(out, "<details><summary>{count} changes</summary>\n\n");
            }
            for change in self.of(severity) {
                write(&mut out, change);
            }
            if count > OPEN {
                out.push_str("\n</details>\n");
            }
        }
        out
    }
}

fn title(severity: Severity) -> &'static str {
    match severity {
        Severity::Breaking => "Breaking",
        Severity::Possible => "Possibly breaking (no witness found)",
        Severity::Compatible => "Compatible",
        Severity::Docs => "Documentation",
    }
}

fn write(out: &mut String, change: &Change) {
    let operation = change.operation.as_deref().unwrap_or("document");
    let place = match change.place == operation {
        true => String::new(),
        false => format!(", {}", change.place),
    };
    let more = match change.other_operations.len() {
        0 => String::new(),
        count => format!(" and {count} more"),
    };
    let _ = writeln!(out, "- `{operation}`{more}{place}: {}", change.message);
    if let Some(witness) = &change.witness {
        let _ = writeln!(out, "  - witness: {}", code(&witness.exchange));
        if let Some(shown) = &witness.shown {
            let _ = writeln!(out, "  - value: {}", code(shown));
        }
        let _ = writeln!(out, "  - refused: {}", witness.refusal);
    }
    if let Some(reason) = &change.accepted {
        let _ = writeln!(out, "  - accepted: {reason}");
    }
    let names = change.other_operations.iter().map(|name| code(name));
    let names = names.collect::<Vec<_>>().join(", ");
    let _ = match change.other_operations.len() {
        0 => Ok(()),
        1..=MAX_NAMED => writeln!(out, "  - also: {names}"),
        count => writeln!(
            out,
            "  - <details><summary>also {count} operations</summary>{names}</details>"
        ),
    };
}

/// Inline code, whose fence is longer than any run of backticks inside (CommonMark §6.1).
fn code(text: &str) -> String {
    let runs = text.split(|c| c != '`').map(str::len);
    let longest = runs.max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    match longest {
        0 => format!("{fence}{text}{fence}"),
        _ => format!("{fence} {text} {fence}"),
    }
}
