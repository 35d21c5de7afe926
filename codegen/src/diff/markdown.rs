//! A report as Markdown, for a pull request or a change log.

use super::plain::shortened;
use super::report::{Change, Report, Severity};
use std::fmt::Write as _;

impl Report {
    /// The report as Markdown, one section for each severity.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut out = format!("# Contract {}\n", self.summary());
        for severity in Severity::ALL {
            if self.count(severity) == 0 {
                continue;
            }
            // Writing to a `String` cannot fail.
            let _ = write!(out, "\n## {}\n\n", title(severity));
            for change in self.of(severity) {
                write(&mut out, change);
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
    let also = match change.also.len() {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    let place = if change.place == operation {
        String::new()
    } else {
        format!(", {}", change.place)
    };
    let _ = writeln!(out, "- `{operation}`{also}{place}: {}", change.message);
    if let Some(witness) = &change.witness {
        let _ = writeln!(out, "  - witness: {}", code(&witness.exchange));
        if let Some(value) = &witness.value {
            let _ = writeln!(out, "  - value: {}", code(&shortened(&value.to_string())));
        }
        if let Some(made) = &witness.made {
            let _ = writeln!(out, "  - value: {}", code(&shortened(made)));
        }
        let _ = writeln!(out, "  - refused: {}", witness.refusal);
    }
}

/// Inline code, whose fence is longer than any run of backticks inside (CommonMark §6.1).
fn code(text: &str) -> String {
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest + 1);
    if longest == 0 {
        format!("{fence}{text}{fence}")
    } else {
        format!("{fence} {text} {fence}")
    }
}
