//! The result: a table by file, the wrong verdicts, and whether the target is met.

use super::Outcome;
use super::suite::Suite;
use codegen::Enforcer;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// At least this share of the verdicts must be right.
const RIGHT: f64 = 0.98;

/// At least this share of the tests must be enforced by compiled code.
const NATIVE: f64 = 0.65;

/// The counts of a file, or of all.
#[derive(Default, Clone, Copy)]
struct Count {
    groups: usize,
    tests: usize,
    right: usize,
    /// Tests of types that need no condition.
    typed: usize,
    /// Tests that the interpreter does not decide.
    native: usize,
}

/// The result of a run.
pub(crate) struct Report {
    files: BTreeMap<String, Count>,
    total: Count,
    /// Wrong verdicts, and groups without a type.
    wrong: Vec<String>,
    /// Groups that the schema interpreter decides.
    interpreted: Vec<String>,
}

impl Report {
    /// Compares verdicts with those that the suite expects.
    pub(crate) fn of(suite: &Suite, outcomes: &BTreeMap<usize, Outcome>) -> Report {
        let mut report = Report {
            files: BTreeMap::new(),
            total: Count::default(),
            wrong: Vec::new(),
            interpreted: Vec::new(),
        };
        for (group, outcome) in suite.groups.iter().zip(outcomes.values()) {
            let mut count = Count {
                groups: 1,
                tests: group.tests.len(),
                typed: group.tests.len() * usize::from(outcome.by == Some(Enforcer::Type)),
                native: group.tests.len() * usize::from(is_native(outcome)),
                right: 0,
            };
            for (test, verdict) in group.tests.iter().zip(&outcome.verdicts) {
                if *verdict == Some(test.valid) {
                    count.right += 1;
                    continue;
                }
                let line = format!(
                    "{}: {}: {}: {}",
                    group.file,
                    group.description,
                    test.description,
                    mismatch(*verdict)
                );
                report.wrong.push(line);
            }
            if let Some(refusal) = &outcome.refusal {
                report
                    .wrong
                    .push(format!("{}: {}\n{refusal}", group.file, group.description));
            }
            if !is_native(outcome) {
                report
                    .interpreted
                    .push(format!("{}: {}", group.file, group.description));
            }
            report
                .files
                .entry(group.file.clone())
                .or_default()
                .add(count);
            report.total.add(count);
        }
        report
    }

    /// Whether enough is right and native.
    pub(crate) fn meets_the_bar(&self) -> bool {
        self.total.share(self.total.right) >= RIGHT && self.total.share(self.total.native) >= NATIVE
    }

    /// The table; with `list`, every test behind its numbers.
    pub(crate) fn render(&self, list: bool) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        _ = writeln!(
            text,
            "{:<24} {:>6} {:>6} {:>6} {:>6} {:>6} {:>7}",
            "file", "groups", "tests", "right", "wrong", "typed", "native"
        );
        for (file, count) in &self.files {
            count.row(file, &mut text);
        }
        self.total.row("all", &mut text);
        let mut section = |title: &str, lines: &[String], shown: bool| {
            if !lines.is_empty() {
                _ = writeln!(text, "\n{title}: {}", lines.len());
                for line in lines.iter().filter(|_| shown) {
                    _ = writeln!(text, "  {line}");
                }
            }
        };
        section("wrong", &self.wrong, true);
        section(
            "groups that are not enforced natively",
            &self.interpreted,
            list,
        );
        let percent = |share: usize| 100.0 * self.total.share(share);
        _ = writeln!(
            text,
            "\n{} of {} tests right ({:.1} %), {:.1} % of the tests enforced natively",
            self.total.right,
            self.total.tests,
            percent(self.total.right),
            percent(self.total.native),
        );
        text
    }
}

impl Count {
    fn add(&mut self, other: Count) {
        self.groups += other.groups;
        self.tests += other.tests;
        self.right += other.right;
        self.typed += other.typed;
        self.native += other.native;
    }

    fn share(&self, part: usize) -> f64 {
        part as f64 / self.tests.max(1) as f64
    }

    fn row(&self, name: &str, text: &mut String) {
        let Count {
            groups,
            tests,
            right,
            typed,
            native,
        } = self;
        let wrong = tests - right;
        // Writing to a string cannot fail.
        _ = writeln!(
            text,
            "{name:<24} {groups:>6} {tests:>6} {right:>6} {wrong:>6} {typed:>6} {native:>7}"
        );
    }
}

fn is_native(outcome: &Outcome) -> bool {
    matches!(outcome.by, Some(Enforcer::Type | Enforcer::Condition))
}

fn mismatch(verdict: Option<bool>) -> &'static str {
    match verdict {
        Some(true) => "accepted, and is invalid",
        Some(false) => "refused, and is valid",
        None => "no verdict",
    }
}
