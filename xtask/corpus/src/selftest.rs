//! Tries generated crates out: their examples and their operations, by the program that the
//! generator makes for it.

use super::check::{self, Check};
use codegen::SelfTest;
use fs_err::{self as fs, File};
use serde::Deserialize;
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The suffix that distinguishes the package of a selftest from its crate.
pub(crate) const SUFFIX: &str = "-selftest";

/// The time limit of a program.
const DEADLINE: Duration = Duration::from_secs(300);

/// The result of a selftest.
#[derive(Debug, Default)]
pub(crate) struct Tested {
    /// The number of examples that are valid by their own schemas.
    pub(crate) examples: usize,
    /// The number of invalid examples, which are errors of the document.
    pub(crate) invalid: usize,
    /// The complaints about examples.
    pub(crate) broken: Vec<String>,
    pub(crate) operations: usize,
    /// The number of operations that cannot be called or answered because of the document.
    pub(crate) impossible: usize,
    /// The complaints about operations.
    pub(crate) unanswered: Vec<String>,
}

impl Tested {
    /// Whether every example and every operation was right.
    pub(crate) fn is_clean(&self) -> bool {
        self.broken.is_empty() && self.unanswered.is_empty()
    }
}

/// The output of the program.
#[derive(Deserialize)]
struct Printed {
    examples: Vec<String>,
    operations: Vec<String>,
}

/// The name of a crate's selftest.
pub(crate) fn package(name: &str) -> String {
    format!("{name}{SUFFIX}")
}

/// Runs a selftest that was compiled, and writes its complaints beside the crate.
pub(crate) fn run(
    work: &Path,
    name: &str,
    selftest: &SelfTest,
    built: &Check,
) -> io::Result<Tested> {
    let folder = work.join("crates").join(name);
    let mut tested = Tested {
        examples: selftest.examples,
        invalid: selftest.invalid.len(),
        broken: Vec::new(),
        operations: selftest.operations + selftest.unsampled.len(),
        impossible: selftest.impossible.len(),
        unanswered: selftest.unsampled.clone(),
    };
    let printed: Result<Printed, String> = if built.compiles() {
        let program = work.join("target/debug").join(package(name));
        let (text, status) = execute(&program, &[], &folder.join("selftest.json"))?;
        let printed = serde_json::from_str(&text);
        printed.map_err(|_| format!("it ended with {status}"))
    } else {
        Err(built.first.clone().unwrap_or_default())
    };
    match printed {
        Ok(printed) => {
            tested.broken = printed.examples;
            tested.unanswered.extend(printed.operations);
        }
        Err(why) => {
            let nothing = |count| vec![format!("the selftest does not run: {why}"); count];
            tested.broken = nothing(selftest.examples);
            tested.unanswered.extend(nothing(selftest.operations));
        }
    }
    let mut log = String::new();
    for (what, lines) in [
        ("operation", &tested.unanswered),
        ("impossible operation", &selftest.impossible),
        ("example", &tested.broken),
        ("invalid example", &selftest.invalid),
    ] {
        lines
            .iter()
            .for_each(|line| log.push_str(&format!("{what}: {line}\n")));
    }
    let file = folder.join("selftest.log");
    fs::write(&file, log)?;
    Ok(tested)
}

/// Runs a program within the deadline; returns what it prints, and its status.
pub(crate) fn execute(
    program: &Path,
    arguments: &[&Path],
    out: &Path,
) -> io::Result<(String, ExitStatus)> {
    let mut child = Command::new(program)
        .args(arguments)
        .stdout(File::create(out)?.into_file())
        .stderr(Stdio::null())
        .spawn()?;
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
    Ok((fs::read_to_string(out)?, status))
}

/// Compiles the selftests of these crates in one run.
pub(crate) fn build(work: &Path, names: &[&str]) -> io::Result<Vec<(String, Check)>> {
    let packages: Vec<String> = names.iter().map(|name| package(name)).collect();
    let mut checks = check::cargo(work, &["build"], &packages)?;
    let mut of = |name: &str| checks.remove(&package(name)).unwrap_or_default();
    Ok(names
        .iter()
        .map(|name| ((*name).to_owned(), of(name)))
        .collect())
}
