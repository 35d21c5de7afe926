//! Counts the cases of a schemathesis run by phase, operation and status, from its NDJSON report.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use generated::operations::OPERATIONS;
use serde::Deserialize;

/// The numbers of cases with checked responses.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) cases: usize,
    /// Numbers of cases by phase and generation mode.
    kinds: BTreeMap<(String, String), usize>,
    /// Counts by operation id. Cases with a method that their path does not have are left out.
    pub(super) operations: BTreeMap<&'static str, Counts>,
    /// The names of the checks that ran, and of those that failed.
    pub(super) made: BTreeSet<String>,
    pub(super) failed: BTreeSet<String>,
}

/// The cases of an operation.
#[derive(Default)]
pub(super) struct Counts {
    cases: usize,
    pub(super) positive: usize,
    /// Positive cases that were answered 2xx.
    pub(super) accepted: usize,
    /// Numbers of positive cases by response status.
    statuses: BTreeMap<u16, usize>,
}

#[derive(Deserialize)]
struct Event {
    #[serde(rename = "ScenarioFinished")]
    scenario: Option<Scenario>,
}

#[derive(Deserialize)]
struct Scenario {
    phase: String,
    recorder: Recorder,
}

/// The records of a scenario, by case id.
#[derive(Deserialize)]
struct Recorder {
    #[serde(default)]
    cases: BTreeMap<String, Node>,
    #[serde(default)]
    checks: BTreeMap<String, Vec<Check>>,
    #[serde(default)]
    interactions: BTreeMap<String, Interaction>,
}

#[derive(Deserialize)]
struct Node {
    value: Case,
}

#[derive(Deserialize)]
struct Case {
    method: String,
    path: String,
    meta: Option<Meta>,
}

#[derive(Deserialize)]
struct Meta {
    generation: Generation,
}

#[derive(Deserialize)]
struct Generation {
    mode: String,
}

#[derive(Deserialize)]
struct Check {
    name: String,
    status: String,
}

#[derive(Deserialize)]
struct Interaction {
    response: Option<Response>,
}

#[derive(Deserialize)]
struct Response {
    status_code: u16,
}

impl Tally {
    /// Counts the cases of an NDJSON report.
    #[track_caller]
    pub(super) fn read(path: &Path) -> Self {
        let mut tally = Self::default();
        for line in BufReader::new(File::open(path).unwrap()).lines() {
            let event: Event = serde_json::from_str(&line.unwrap()).unwrap();
            if let Some(scenario) = event.scenario {
                tally.scenario(scenario);
            }
        }
        tally
    }

    /// The number of cases of a phase.
    pub(super) fn of_phase(&self, name: &str) -> usize {
        let kinds = self.kinds.iter().filter(|((phase, _), _)| phase == name);
        kinds.map(|(_, cases)| cases).sum()
    }

    fn scenario(&mut self, scenario: Scenario) {
        let recorder = scenario.recorder;
        for (id, checks) in recorder.checks {
            if checks.is_empty() {
                continue;
            }
            let case = &recorder.cases[&id].value;
            let answer = recorder.interactions[&id].response.as_ref().unwrap();
            let mode = &case.meta.as_ref().unwrap().generation.mode;
            let kind = (scenario.phase.clone(), mode.clone());
            self.cases += 1;
            *self.kinds.entry(kind).or_default() += 1;
            self.case(case, mode == "positive", answer.status_code);
            for check in checks {
                if check.status != "success" {
                    self.failed.insert(check.name.clone());
                }
                self.made.insert(check.name);
            }
        }
    }

    fn case(&mut self, case: &Case, positive: bool, status: u16) {
        let mut operations = OPERATIONS.iter();
        let found = operations.find(|it| it.method == case.method.as_str() && it.path == case.path);
        let Some(operation) = found else {
            return;
        };
        let counts = self.operations.entry(operation.id).or_default();
        counts.cases += 1;
        if positive {
            counts.positive += 1;
            counts.accepted += usize::from((200..300).contains(&status));
            *counts.statuses.entry(status).or_default() += 1;
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} cases whose answers were checked", self.cases)?;
        for ((phase, mode), cases) in &self.kinds {
            writeln!(f, "  {phase}, {mode}: {cases}")?;
        }
        let (cases, positive) = ("cases", "positive");
        writeln!(
            f,
            "{:<27} {cases:>5} {positive:>8} {:>6}",
            "operation", "2xx"
        )?;
        for (id, counts) in &self.operations {
            let Counts {
                cases, positive, ..
            } = counts;
            let share = 100 * counts.accepted / counts.positive.max(1);
            let statuses = &counts.statuses;
            writeln!(
                f,
                "{id:<27} {cases:>5} {positive:>8} {share:>4} % {statuses:?}"
            )?;
        }
        Ok(())
    }
}
