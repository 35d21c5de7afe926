//! `cargo xtask ci`: every check that a change must pass, the same for a developer and for the CI.
//!
//! All checks run even after one has failed, so that one run tells the whole story. The last line
//! counts the tests, those that could not run here included.

use crate::generate::{self, Failure};
use crate::tally::Tally;
use crate::{corpus, diff, lint, report};
use std::ffi::OsString;
use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Instant;

/// Checks that are one cargo command each: title, arguments, and flags for rustdoc.
const COMMANDS: [(&str, &[&str], &str); 3] = [
    ("rustfmt", &["fmt", "--all", "--check"], ""),
    (
        "clippy",
        &[
            "clippy",
            "--workspace",
            "--all-targets",
            "--locked",
            "--",
            "-D",
            "warnings",
        ],
        "",
    ),
    (
        "rustdoc",
        &["doc", "--workspace", "--no-deps", "--locked"],
        "-D warnings",
    ),
];

/// The folder of the project's own contract, and what the name of its file contains.
const CONTRACT: (&str, &str) = ("spec", "openapi");

/// Small documents, whose outputs are called, and held against clippy, rustdoc and rustfmt.
const OUTPUTS: &str = "codegen/tests/golden";

/// Documents that nobody here wrote, which are no part of the project.
const REAL: &str = "../shared/specs";

/// What the names of those contain that are tried.
const HANDFUL: [&str; 5] = [
    "petstore31",
    "museum",
    "keeper",
    "content-types",
    "discriminator",
];

/// nextest runs everything but the examples in documentation.
const NEXTEST: [(&str, &[&str]); 2] = [
    (
        "tests",
        &[
            "nextest",
            "run",
            "--workspace",
            "--locked",
            "--no-fail-fast",
        ],
    ),
    ("doctests", &["test", "--workspace", "--locked", "--doc"]),
];

/// Where nextest is not installed, cargo's own runner does all of it.
const LIBTEST: [(&str, &[&str]); 1] = [(
    "tests",
    &["test", "--workspace", "--locked", "--no-fail-fast"],
)];

/// The checks done so far.
struct Run<'a> {
    root: &'a Path,
    done: Vec<Check>,
    tally: Tally,
    /// Where tests that cannot run here say so, a line each.
    skipped: PathBuf,
}

/// One check and what came of it.
struct Check {
    title: &'static str,
    passed: bool,
    seconds: f64,
}

/// Runs every check; whether all of them passed.
///
/// # Errors
/// When a command cannot be started.
pub(crate) fn run(root: &Path) -> Result<bool, Failure> {
    let mut run = Run {
        root,
        done: Vec::new(),
        tally: Tally::default(),
        skipped: skipped_tests(root)?,
    };
    let before = changed_files(root);
    run.check("gen --check", |run| generate::check(run.root))?;
    run.check("lint", |run| lint::check(run.root))?;
    run.check("diff", |run| diff::check(run.root))?;
    for (title, arguments, rustdoc) in COMMANDS {
        run.check(title, |run| run.cargo(arguments, rustdoc))?;
    }
    run.check("outputs", |run| {
        let arguments = corpus::Arguments::outputs(run.root.join(OUTPUTS));
        corpus::run(run.root, &arguments).map_err(|error| Failure::Disk(error, "outputs".into()))
    })?;
    run.check("contract", |run| {
        let (folder, name) = CONTRACT;
        run.calls(run.root.join(folder), vec![name.to_owned()], "contract")
    })?;
    run.real_documents()?;
    let tests: &[_] = if has_nextest() { &NEXTEST } else { &LIBTEST };
    for (title, arguments) in tests {
        run.check(title, |run| run.tests(arguments))?;
    }
    run.check("clean tree", |run| Ok(unchanged(&before, run.root)))?;
    Ok(run.finish())
}

impl Run<'_> {
    /// Announces a check, does it, and notes what came of it.
    fn check(
        &mut self,
        title: &'static str,
        body: impl FnOnce(&mut Self) -> Result<bool, Failure>,
    ) -> Result<(), Failure> {
        say("Check", title);
        let start = Instant::now();
        let passed = match body(self) {
            // A contract that cannot be read fails its check, and the others still have their say.
            Err(Failure::Document(text, _) | Failure::Comparison(text, _)) => {
                eprintln!("{text}");
                false
            }
            outcome => outcome?,
        };
        self.done.push(Check {
            title,
            passed,
            seconds: start.elapsed().as_secs_f64(),
        });
        Ok(())
    }

    /// Generates, compiles and calls a handful of documents, where they are at hand.
    fn real_documents(&mut self) -> Result<(), Failure> {
        let folder = self.root.join(REAL);
        let only = HANDFUL.map(str::to_owned).to_vec();
        if corpus::documents(&folder, &only).is_err() {
            say("Skipped", "corpus: its documents are not here");
            return Ok(());
        }
        self.check("corpus", |run| run.calls(folder, only, "corpus"))
    }

    /// Generates, compiles and calls some documents of a folder.
    fn calls(&self, folder: PathBuf, only: Vec<String>, what: &str) -> Result<bool, Failure> {
        let arguments = corpus::Arguments::some(folder, only);
        corpus::run(self.root, &arguments).map_err(|error| Failure::Disk(error, what.into()))
    }

    fn cargo(&mut self, arguments: &[&str], rustdoc: &str) -> Result<bool, Failure> {
        let mut command = cargo(arguments);
        if !rustdoc.is_empty() {
            command.env("RUSTDOCFLAGS", rustdoc);
        }
        let status = command.current_dir(self.root).status();
        status
            .map(|s| s.success())
            .map_err(|e| started(arguments, e))
    }

    fn tests(&mut self, arguments: &[&str]) -> Result<bool, Failure> {
        let mut command = cargo(arguments);
        command.current_dir(self.root);
        command.env("SKIPPED_TESTS", &self.skipped);
        let status = tee(command, |line| {
            if let Some(found) = Tally::read(line) {
                self.tally += found;
            }
        });
        status
            .map(|s| s.success())
            .map_err(|e| started(arguments, e))
    }

    /// Prints what came of each check, and last the count of tests.
    fn finish(self) -> bool {
        println!();
        for check in &self.done {
            let about = format!("{:<12} {:>6.1} s", check.title, check.seconds);
            say(if check.passed { "ok" } else { "FAILED" }, &about);
        }
        // A test that could not run passes for its runner; here it must not pass unnoticed.
        let skipped = fs::read_to_string(&self.skipped).unwrap_or_default();
        for line in skipped.lines() {
            println!("{line}");
        }
        println!("{}, {} skipped", self.tally, skipped.lines().count());
        self.done.iter().all(|check| check.passed)
    }
}

fn say(title: &str, about: &str) {
    let mut text = String::new();
    report::line(&mut text, title, about);
    print!("{text}");
}

/// An empty file below the folder of what is built.
fn skipped_tests(root: &Path) -> Result<PathBuf, Failure> {
    let folder = root.join("target");
    let path = folder.join("skipped-tests.txt");
    let made = fs::create_dir_all(&folder).and_then(|()| fs::write(&path, ""));
    made.map_err(|error| Failure::Disk(error, path.display().to_string()))?;
    Ok(path)
}

/// The cargo that runs this command.
fn cargo(arguments: &[&str]) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(program);
    command.args(arguments);
    command
}

fn started(arguments: &[&str], error: io::Error) -> Failure {
    Failure::Disk(error, format!("cargo {}", arguments.join(" ")))
}

fn has_nextest() -> bool {
    let mut command = cargo(&["nextest", "--version"]);
    let command = command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Runs a command and shows each line of its output while it runs.
fn tee(mut command: Command, mut line: impl FnMut(&str)) -> io::Result<ExitStatus> {
    let (reader, writer) = io::pipe()?;
    let mut child = command.stdout(writer.try_clone()?).stderr(writer).spawn()?;
    // The command holds the pipe's other end; reading would never see the end of it.
    drop(command);
    for bytes in BufReader::new(reader).split(b'\n') {
        let bytes = bytes?;
        let text = String::from_utf8_lossy(&bytes);
        println!("{text}");
        line(&text);
    }
    child.wait()
}

/// What git says of the tree; `None` outside a repository.
fn changed_files(root: &Path) -> Option<String> {
    // A CI often checks out as another user than it runs as, which git refuses unless told.
    let output = Command::new("git")
        .args(["-c", "safe.directory=*", "status", "--porcelain"])
        .current_dir(root)
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    output.status.success().then_some(text)
}

/// Whether the checks themselves have left the tree as it was.
fn unchanged(before: &Option<String>, root: &Path) -> bool {
    let after = changed_files(root);
    if *before != after {
        println!(
            "the checks have changed files:\n{}",
            after.unwrap_or_default()
        );
        return false;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_and_reads_both_outputs_of_a_command() {
        let mut lines = Vec::new();
        let status = tee(cargo(&["no-such-command-at-all"]), |line| {
            lines.push(line.to_owned());
        });
        assert!(!status.unwrap().success());
        assert!(
            lines
                .iter()
                .any(|line| line.contains("no-such-command-at-all"))
        );
    }
}
