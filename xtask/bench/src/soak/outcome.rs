//! The outcome of the load on a deployment.

use super::answer::Seen;
use super::memory::Memory;
use crate::table::Table;
use std::collections::BTreeSet;

/// How many failures are printed.
const PRINTED: usize = 20;

/// The answers to all callers, and how often the rest was done.
#[derive(Default)]
pub(super) struct Outcome {
    pub(super) reads: Seen,
    pub(super) writes: Seen,
    /// The answers to the caller who ignores refusals.
    pub(super) flood: Seen,
    pub(super) hang_ups: usize,
    /// How often a slow reader's connection was closed.
    pub(super) slow_readers: usize,
    pub(super) reloads: usize,
    pub(super) imports: usize,
    pub(super) restarts: usize,
    /// Of each server.
    pub(super) memory: Vec<Memory>,
}

impl Outcome {
    /// Whether the run is without failures; prints those that occurred.
    pub(super) fn is_without_failures(&self, name: &str) -> bool {
        let seen = [&self.reads, &self.writes, &self.flood];
        let failures: Vec<&String> = seen.iter().flat_map(|seen| &seen.failures).collect();
        for failure in failures.iter().take(PRINTED) {
            eprintln!("{name}: {failure}");
        }
        if failures.len() > PRINTED {
            eprintln!("{name}: {} failures in all", failures.len());
        }
        failures.is_empty()
    }
}

/// A table of how long reads and writes took.
pub(super) fn waits(outcomes: &[(&str, &Outcome)]) -> Table {
    let mut table = Table::new(&["deployment", "answers", "p50 ms", "p99 ms"]);
    for (name, outcome) in outcomes {
        for (what, seen) in [("reads", &outcome.reads), ("writes", &outcome.writes)] {
            table.row(vec![
                format!("{name}, {what}"),
                seen.statuses.values().sum::<usize>().to_string(),
                format!("{:.2}", seen.wait(50)),
                format!("{:.2}", seen.wait(99)),
            ]);
        }
    }
    table
}

/// A table of how often each thing happened.
pub(super) fn counts(outcomes: &[(&str, &Outcome)]) -> Table {
    let mut head = vec!["what"];
    head.extend(outcomes.iter().map(|(name, _)| name));
    let mut table = Table::new(&head);
    let mut row = |title: String, count: &dyn Fn(&Outcome) -> usize| {
        let counts = outcomes
            .iter()
            .map(|(_, outcome)| count(outcome).to_string());
        table.row([title].into_iter().chain(counts).collect());
    };
    type Part = (&'static str, fn(&Outcome) -> &Seen);
    let parts: [Part; 3] = [
        ("reads", |outcome| &outcome.reads),
        ("writes", |outcome| &outcome.writes),
        ("without a key", |outcome| &outcome.flood),
    ];
    for (title, part) in parts {
        let statuses = outcomes.iter().flat_map(|(_, it)| part(it).statuses.keys());
        for status in statuses.collect::<BTreeSet<_>>() {
            let count = |of: &Outcome| part(of).statuses.get(status).copied().unwrap_or(0);
            row(format!("{title}: {status}"), &count);
        }
    }
    row("failures".to_owned(), &|it| {
        parts.iter().map(|(_, part)| part(it).failures.len()).sum()
    });
    row("hang-ups".to_owned(), &|it| it.hang_ups);
    row("slow readers that were closed".to_owned(), &|it| {
        it.slow_readers
    });
    row("reloads".to_owned(), &|it| it.reloads);
    row("imports".to_owned(), &|it| it.imports);
    row("restarts of PostgreSQL".to_owned(), &|it| it.restarts);
    table
}
