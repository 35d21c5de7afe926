//! Tries generated crates out: their examples and their operations, by the program that the
//! generator makes for it.

use super::check::{self, Check};
use crate::place::at;
use codegen::SelfTest;
use serde::Deserialize;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

/// What the name of a trial's package adds to that of its crate.
pub(crate) const SUFFIX: &str = "-selftest";

/// How long a program may run.
const DEADLINE: Duration = Duration::from_secs(300);

/// What came of a trial.
#[derive(Debug, Default)]
pub(crate) struct Tried {
    /// How many examples there are, without those that are invalid by their own schemas.
    pub(crate) examples: usize,
    /// How many examples are invalid, which is the document's fault.
    pub(crate) invalid: usize,
    /// The complaints about examples.
    pub(crate) broken: Vec<String>,
    /// How many operations there are.
    pub(crate) operations: usize,
    /// How many operations nobody can call or answer, which is the document's fault.
    pub(crate) impossible: usize,
    /// The complaints about operations.
    pub(crate) unanswered: Vec<String>,
}

impl Tried {
    /// Whether every example and every operation was right.
    pub(crate) fn is_clean(&self) -> bool {
        self.broken.is_empty() && self.unanswered.is_empty()
    }
}

/// What the program prints.
#[derive(Deserialize)]
struct Printed {
    examples: Vec<String>,
    operations: Vec<String>,
}

/// The name of a crate's trial.
pub(crate) fn package(name: &str) -> String {
    format!("{name}{SUFFIX}")
}

/// Runs a trial that was compiled, and writes its complaints beside the crate.
pub(crate) fn run(work: &Path, name: &str, trial: &SelfTest, built: &Check) -> io::Result<Tried> {
    let folder = work.join("crates").join(name);
    let mut tried = Tried {
        examples: trial.examples,
        invalid: trial.invalid.len(),
        broken: Vec::new(),
        operations: trial.operations + trial.unsampled.len(),
        impossible: trial.impossible.len(),
        unanswered: trial.unsampled.clone(),
    };
    let printed = if built.compiles() {
        let program = work.join("target/debug").join(package(name));
        execute(&program, &folder.join("trial.json"))?
    } else {
        Err(built.first.clone().unwrap_or_default())
    };
    match printed {
        Ok(printed) => {
            tried.broken = printed.examples;
            tried.unanswered.extend(printed.operations);
        }
        Err(why) => {
            let nothing = |count| vec![format!("the trial does not run: {why}"); count];
            tried.broken = nothing(trial.examples);
            tried.unanswered.extend(nothing(trial.operations));
        }
    }
    let mut log = String::new();
    for (what, lines) in [
        ("operation", &tried.unanswered),
        ("impossible operation", &trial.impossible),
        ("example", &tried.broken),
        ("invalid example", &trial.invalid),
    ] {
        lines
            .iter()
            .for_each(|line| log.push_str(&format!("{what}: {line}\n")));
    }
    let file = folder.join("trial.log");
    fs::write(&file, log).map_err(at(&file))?;
    Ok(tried)
}

/// Runs a program within the deadline; else why it printed nothing.
fn execute(program: &Path, out: &Path) -> io::Result<Result<Printed, String>> {
    let mut child = Command::new(program)
        .stdout(File::create(out).map_err(at(out))?)
        .stderr(Stdio::null())
        .spawn()
        .map_err(at(program))?;
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if start.elapsed() > DEADLINE {
            child.kill()?;
        }
        thread::sleep(Duration::from_millis(20));
    };
    let text = fs::read_to_string(out).map_err(at(out))?;
    let printed = serde_json::from_str(&text);
    Ok(printed.map_err(|_| format!("it ended with {status}")))
}

/// Compiles the trials of these crates in one run.
pub(crate) fn build(work: &Path, names: &[&str]) -> io::Result<Vec<(String, Check)>> {
    let packages: Vec<String> = names.iter().map(|name| package(name)).collect();
    let mut checks = check::cargo(work, &["build"], &packages)?;
    let mut of = |name: &str| checks.remove(&package(name)).unwrap_or_default();
    Ok(names
        .iter()
        .map(|name| ((*name).to_owned(), of(name)))
        .collect())
}
