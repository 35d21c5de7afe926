//! The expectations of a row, and the comparison with observations.

use std::time::Duration;

use serde_json::Value;
use server::config::HumanDuration;

use crate::answer;
use crate::folder::Outcome;
use crate::wire::Answer;

/// The expectation of a row.
pub(super) struct Expectation {
    /// The allowed outcomes, in the format of [`Observation::way`].
    ways: Vec<String>,
    /// The maximum of `Retry-After`. If the row does not name it, the header must be absent.
    retry_after: Option<u64>,
    /// Texts that the response, the metrics or the command must contain.
    told: Vec<String>,
    pub(super) connection: Option<Connection>,
    /// Terms that add up: seconds, and the names of flags.
    within: Vec<String>,
}

/// The state of the connection after the response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Connection {
    /// It serves a further request.
    Kept,
    /// The server closes it.
    Closed,
}

/// Something that happened.
#[derive(Debug)]
pub(super) struct Observation {
    /// The outcome: `nothing`, a status with the response's code if it has one (`bare` without a body),
    /// or `exit` with a code.
    way: String,
    retry_after: Option<u64>,
    text: String,
    pub(super) took: Duration,
}

impl Expectation {
    pub(super) fn read(answer: &str, connection: &str, within: &str) -> Self {
        let mut parts = answer.split(", ");
        let ways = parts.next().unwrap_or_default().split(" or ");
        let mut expectation = Self {
            ways: ways.map(str::to_owned).collect(),
            retry_after: None,
            told: Vec::new(),
            connection: match connection {
                "" => None,
                "kept" => Some(Connection::Kept),
                "closed" => Some(Connection::Closed),
                other => panic!("a connection cannot be {other}"),
            },
            within: within.split(" + ").map(str::to_owned).collect(),
        };
        for part in parts {
            match part.strip_prefix("Retry-After ≤ ") {
                Some(seconds) => expectation.retry_after = Some(seconds.parse().unwrap()),
                None => expectation.told.push(quoted(part).to_owned()),
            }
        }
        expectation
    }

    /// The time limit for a server with these arguments.
    pub(super) fn within(&self, arguments: &[String]) -> Duration {
        let time = |text: &str| {
            text.parse::<HumanDuration>()
                .unwrap_or_else(|_| panic!("{text}"))
                .0
        };
        let term = |term: &String| match term.strip_suffix(" s") {
            Some(seconds) => time(&format!("{seconds}s")),
            None => {
                let flag = quoted(term);
                let given = arguments.iter().position(|argument| argument == flag);
                time(&arguments[given.unwrap_or_else(|| panic!("{flag} is not given")) + 1])
            }
        };
        self.within.iter().map(term).sum()
    }

    /// Compares an observation with the expectation; the error is the difference.
    pub(super) fn check(&self, seen: &Observation) -> Result<(), String> {
        if !self.ways.contains(&seen.way) {
            return Err(format!("the answer must be {}", self.ways.join(" or ")));
        }
        match (self.retry_after, seen.retry_after) {
            (None, None) => {}
            (Some(most), Some(seconds)) if (1..=most).contains(&seconds) => {}
            (most, _) => return Err(format!("Retry-After must be at most {most:?}")),
        }
        let untold = self.told.iter().find(|told| !seen.text.contains(*told));
        untold.map_or(Ok(()), |told| Err(format!("it must tell {told}")))
    }
}

impl Observation {
    /// The observation of a client's response, if any, and the time it took. It must have the headers that
    /// every response has.
    #[track_caller]
    pub(super) fn answer(answer: Option<&Answer>, took: Duration) -> Self {
        answer.into_iter().for_each(answer::is_safe);
        let retry_after = answer.and_then(|answer| answer.header("retry-after"));
        Self {
            way: answer.map_or_else(|| "nothing".to_owned(), way),
            retry_after: retry_after.map(|seconds| seconds.parse().unwrap()),
            text: answer.map(|answer| answer.body.clone()).unwrap_or_default(),
            took,
        }
    }

    /// The observation of a process's end, its standard error, and the time it took.
    pub(super) fn exit(outcome: &Outcome, took: Duration) -> Self {
        let code = outcome.code.expect("no signal ends the program");
        Self {
            way: format!("exit {code}"),
            retry_after: None,
            text: outcome.stderr.clone(),
            took,
        }
    }
}

fn way(answer: &Answer) -> String {
    let status = answer.status;
    if status >= 400 && answer.body.is_empty() {
        return format!("{status} bare");
    }
    let body: Value = serde_json::from_str(&answer.body).unwrap_or_default();
    match body["code"].as_str() {
        Some(code) => format!("{status} {code}"),
        None => status.to_string(),
    }
}

/// The text of a code span.
fn quoted(span: &str) -> &str {
    let text = span.strip_prefix('`').and_then(|it| it.strip_suffix('`'));
    text.unwrap_or_else(|| panic!("{span} must be a code span"))
}
