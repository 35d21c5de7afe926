//! Programs that tests need and that a fresh machine may lack.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folder of Node packages that `.ci/run` installs.
pub(super) fn node_modules() -> PathBuf {
    folder().join("node/node_modules")
}

/// A program of a package of Node.
pub(super) fn node(program: &str) -> Command {
    Command::new(node_modules().join(".bin").join(program))
}

/// A program of Python's environment, or Python itself.
pub(super) fn python(program: &str) -> Command {
    let programs = folder().join("python/bin");
    let mut command = Command::new(programs.join(program));
    // Programs there call each other by name.
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::split_paths(&path);
    let path = std::env::join_paths(std::iter::once(programs).chain(path)).unwrap();
    command.env("PATH", path);
    command
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/tools")
}

/// Whether the test can be run here. `programs` are commands, or packages: `node:` with a package or
/// program, or `python:` with a package or program.
///
/// If one is missing, reports it on standard error and in the file that `SKIPPED_TESTS` names, from
/// which the caller of all tests counts.
///
/// # Panics
/// In CI, where nothing may be missing.
#[track_caller]
pub(crate) fn present(programs: &[&str], packages: &[&str]) -> bool {
    let programs = programs.iter().filter(|name| !starts(name));
    let packages = packages.iter().filter(|name| !is_installed(name));
    let missing: Vec<_> = programs.chain(packages).copied().collect();
    if missing.is_empty() {
        return true;
    }
    let test = std::thread::current().name().unwrap_or("?").to_owned();
    let said = format!("SKIPPED {test}: there is no {}", missing.join(", no "));
    assert!(
        std::env::var_os("CI").is_none_or(|ci| ci.is_empty()),
        "{said}"
    );
    eprintln!("{said}");
    if let Some(path) = std::env::var_os("SKIPPED_TESTS") {
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .unwrap();
        writeln!(file, "{said}").unwrap();
    }
    false
}

fn is_installed(package: &str) -> bool {
    match package.split_once(':') {
        Some(("node", name)) => {
            let modules = node_modules();
            modules.join(name).exists() || modules.join(".bin").join(name).exists()
        }
        Some(("python", name)) => {
            let programs = folder().join("python/bin");
            programs.join(name).exists() || imports(&programs, name)
        }
        _ => panic!("{package} is of no known language"),
    }
}

fn imports(programs: &Path, module: &str) -> bool {
    let mut command = Command::new(programs.join("python"));
    command.args(["-c", &format!("import {module}")]);
    succeeds(&mut command)
}

fn starts(program: &str) -> bool {
    succeeds(Command::new(program).arg("--version"))
}

fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}
