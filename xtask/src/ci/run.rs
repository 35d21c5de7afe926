//! A run of checks: announces and times each of them, and reports all results at the end.

use super::packages::{self, Packages};
use super::test_output::{TestCounts, TestTime, TestTimes};
use crate::supply;
use openapi_crate::Failure;
use std::ffi::OsString;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::Instant;

/// The checks done so far.
pub(super) struct Run<'a> {
    pub(super) root: &'a Path,
    packages: Packages,
    /// Whether tests with `#[ignore]` run, and all packages are documented.
    all: bool,
    done: Vec<Check>,
    tests: TestCounts,
    times: TestTimes,
    /// The file in which skipped tests report themselves, one per line.
    skipped: PathBuf,
    /// The output of `git status` before the first check.
    before: Option<String>,
}

/// The exit status of `dist` and `fuzz` where a program is missing that they need.
const TOOL_MISSING: i32 = 3;

/// One check and its result.
struct Check {
    title: &'static str,
    passed: bool,
    seconds: f64,
}

impl<'a> Run<'a> {
    /// A run without checks so far.
    ///
    /// # Errors
    /// When the file for skipped tests cannot be written.
    pub(super) fn start(root: &'a Path, packages: Packages, all: bool) -> Result<Run<'a>, Failure> {
        Ok(Run {
            root,
            packages,
            all,
            done: Vec::new(),
            tests: TestCounts::default(),
            times: TestTimes::default(),
            skipped: skipped_tests(root)?,
            before: changed_files(root),
        })
    }

    /// Announces a check, runs it, and notes its result.
    ///
    /// # Errors
    /// When a command cannot be started.
    pub(super) fn check(
        &mut self,
        title: &'static str,
        body: impl FnOnce(&mut Self) -> Result<bool, Failure>,
    ) -> Result<(), Failure> {
        say("Check", title);
        let start = Instant::now();
        let passed = match body(self) {
            // A contract that cannot be read fails its check only.
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

    /// Runs cargo; whether it succeeds.
    ///
    /// # Errors
    /// When it cannot be started.
    pub(super) fn cargo(&self, arguments: &[&str]) -> Result<bool, Failure> {
        let mut command = cargo(arguments);
        command.env("RUSTDOCFLAGS", "-D warnings");
        let status = command.current_dir(self.root).status();
        status
            .map(|status| status.success())
            .map_err(|error| not_started(arguments, error))
    }

    /// Lints the packages that are checked; a warning fails.
    ///
    /// # Errors
    /// When cargo cannot be started.
    pub(super) fn clippy(&self) -> Result<bool, Failure> {
        let packages = self.packages.arguments();
        let last = ["--", "-D", "warnings"];
        self.cargo_with_packages(&["clippy", "--all-targets"], &packages, &last)
    }

    /// Lints and tests the server without the console, and checks that it does not depend on the libraries of the
    /// console.
    ///
    /// # Errors
    /// When cargo cannot be started.
    pub(super) fn api_alone(&self) -> Result<bool, Failure> {
        const OF_CONSOLE: [&str; 4] = ["server-console", "lettre", "openidconnect", "webauthn-rs"];
        let api_alone = ["--locked", "--package=server", "--no-default-features"];
        let tree = [&["tree", "--edges=normal", "--prefix=none"], &api_alone[..]].concat();
        let output = cargo(&tree).current_dir(self.root).output();
        let output = output.map_err(|error| not_started(&tree, error))?;
        let tree = String::from_utf8_lossy(&output.stdout);
        let names: Vec<_> = tree.lines().filter_map(|it| it.split(' ').next()).collect();
        let unwanted: Vec<_> = OF_CONSOLE.iter().filter(|it| names.contains(it)).collect();
        if !unwanted.is_empty() {
            println!("The server without the console depends on {unwanted:?}");
        }
        let clippy = ["clippy", "--lib", "--bins"];
        let clippy = [&clippy, &api_alone[..], &["--", "-D", "warnings"]].concat();
        let test = ["test", "--lib"];
        let test = [&test, &api_alone[..]].concat();
        Ok(unwanted.is_empty()
            && names.contains(&"features")
            && self.cargo(&clippy)?
            && self.cargo(&test)?)
    }

    /// Builds the documentation of the published packages, or of all that are checked; a warning fails.
    ///
    /// # Errors
    /// When cargo cannot be started.
    pub(super) fn rustdoc(&self) -> Result<bool, Failure> {
        let packages: Vec<String> = if self.all {
            self.packages.arguments()
        } else {
            let published = packages::published(self.root, cargo(&[]))?;
            let flags = published.iter().map(|name| format!("--package={name}"));
            flags.collect()
        };
        self.cargo_with_packages(&["doc", "--no-deps"], &packages, &[])
    }

    fn cargo_with_packages(
        &self,
        first: &[&str],
        packages: &[String],
        last: &[&str],
    ) -> Result<bool, Failure> {
        let packages: Vec<&str> = packages.iter().map(String::as_str).collect();
        self.cargo(&[first, &["--locked"], &packages, last].concat())
    }

    /// Generates, compiles and calls the documents of a folder.
    ///
    /// # Errors
    /// When the command cannot be started.
    pub(super) fn corpus(&self, arguments: &[&str]) -> Result<bool, Failure> {
        let command = ["run", "--quiet", "--locked", "--package", "corpus", "--"];
        self.cargo(&[&command, arguments].concat())
    }

    /// Runs the tests, with nextest if it is installed.
    ///
    /// # Errors
    /// When the runner cannot be started.
    pub(super) fn tests(&mut self) -> Result<(), Failure> {
        // Tests wait as well: one with a demo computes for 1.2 s of 2.1 s.
        let threads = thread::available_parallelism().map_or(1, NonZero::get) + 1;
        let threads = format!("--test-threads={threads}");
        let (runner, ignored): (&[&str], &[&str]) = if has("nextest") {
            (&["nextest", "run", &threads], &["--run-ignored=all"])
        } else {
            (&["test", "--all-targets"], &["--", "--include-ignored"])
        };
        let runner = [runner, &["--no-fail-fast"]].concat();
        let ignored = if self.all { ignored } else { &[] };
        self.check("tests", |run| run.count_tests(&runner, ignored))?;
        self.check("doctests", |run| run.count_tests(&["test", "--doc"], &[]))
    }

    /// Runs the program of a package of this workspace. Without the programs that it needs itself it is
    /// skipped, which in CI is a failure.
    ///
    /// # Errors
    /// When cargo cannot be started.
    pub(super) fn package(&self, package: &str, arguments: &[&str]) -> Result<bool, Failure> {
        let command = ["run", "--quiet", "--locked", "--package", package, "--"];
        let command = [&command, arguments].concat();
        let status = cargo(&command).current_dir(self.root).status();
        let status = status.map_err(|error| not_started(&command, error))?;
        if status.code() != Some(TOOL_MISSING) {
            return Ok(status.success());
        }
        skip(
            &self.skipped,
            &format!("{package}: a required program is not installed"),
        )
    }

    /// Looks for dependencies that nothing uses. Without `cargo-machete` it is skipped, which in CI is a failure.
    ///
    /// # Errors
    /// When cargo cannot be started.
    pub(super) fn unused_dependencies(&self) -> Result<bool, Failure> {
        match has("machete") {
            true => supply::unused_dependencies(self.root),
            false => skip(&self.skipped, "machete: cargo-machete is not installed"),
        }
    }

    fn count_tests(&mut self, runner: &[&str], last: &[&str]) -> Result<bool, Failure> {
        let mut command = cargo(runner);
        command.arg("--locked").args(self.packages.arguments());
        command.args(last);
        command.current_dir(self.root);
        command.env("SKIPPED_TESTS", &self.skipped);
        if self.all {
            command.env("EVERY_LAYOUT", "1");
        }
        let status = tee(command, |line| {
            if let Some(found) = TestCounts::read(line) {
                self.tests += found;
            }
            if let Some(time) = TestTime::read(line) {
                self.times.note(time);
            }
        });
        status
            .map(|status| status.success())
            .map_err(|error| not_started(runner, error))
    }

    /// Whether the checks have left the tree unchanged; prints the changed files.
    pub(super) fn is_tree_unchanged(&self) -> bool {
        let after = changed_files(self.root);
        if after == self.before {
            return true;
        }
        println!(
            "the checks have changed the tree:\n{}",
            after.unwrap_or_default()
        );
        false
    }

    /// Prints the result of each check, the slowest tests, and last the count of tests; returns whether all
    /// passed.
    pub(super) fn finish(self) -> bool {
        println!();
        for check in &self.done {
            let about = format!("{:<12} {:>6.1} s", check.title, check.seconds);
            say(if check.passed { "ok" } else { "FAILED" }, &about);
        }
        print!("{}", self.times);
        // A test that could not run passes for its runner; here it must not pass unnoticed.
        let skipped = fs::read_to_string(&self.skipped).unwrap_or_default();
        for line in skipped.lines() {
            println!("{line}");
        }
        println!("{}, {} skipped", self.tests, skipped.lines().count());
        if !self.all {
            println!(
                "`cargo xtask ci --all` also runs the ignored tests, fuzzing, the document corpora and a trial \
                 installation of the release."
            );
        }
        self.done.iter().all(|check| check.passed)
    }
}

fn say(title: &str, about: &str) {
    let mut text = String::new();
    openapi_crate::line(&mut text, title, about);
    print!("{text}");
}

/// Creates an empty file in the target folder.
fn skipped_tests(root: &Path) -> Result<PathBuf, Failure> {
    let folder = root.join("target");
    let path = folder.join("skipped-tests.txt");
    let made = fs::create_dir_all(&folder).and_then(|()| fs::write(&path, ""));
    made.map_err(|error| Failure::Disk(error, path.display().to_string()))?;
    Ok(path)
}

/// Notes a check that is skipped, as tests do; whether it passes nevertheless.
fn skip(list: &Path, reason: &str) -> Result<bool, Failure> {
    let line = format!("SKIPPED {reason}\n");
    let file = fs::OpenOptions::new().append(true).open(list);
    let noted = file.and_then(|mut file| file.write_all(line.as_bytes()));
    noted.map_err(|error| Failure::Disk(error, list.display().to_string()))?;
    Ok(installed::may_skip())
}

/// The cargo that runs this command.
fn cargo(arguments: &[&str]) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(program);
    command.args(arguments);
    command
}

fn not_started(arguments: &[&str], error: io::Error) -> Failure {
    Failure::Disk(error, format!("cargo {}", arguments.join(" ")))
}

/// Whether cargo has a command that is installed on its own.
fn has(command: &str) -> bool {
    let mut command = cargo(&[command, "--version"]);
    supply::forget_cargo_run(&mut command);
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

/// The output of `git status`; `None` outside a repository.
fn changed_files(root: &Path) -> Option<String> {
    // A CI often checks out as another user than it runs as, which git refuses by default.
    let output = Command::new("git")
        .args(["-c", "safe.directory=*", "status", "--porcelain"])
        .current_dir(root)
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    output.status.success().then_some(text)
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
