//! Programs that tests need and that a fresh machine may lack: where they are, and tests that are skipped
//! without them. `.ci/run` installs all of them.

#![allow(missing_docs)]

use std::env;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folder of Node packages that `.ci/run` installs.
pub fn node_modules() -> PathBuf {
    folder().join("node/node_modules")
}

/// A program of a package of Node.
pub fn node(program: &str) -> Command {
    Command::new(node_modules().join(".bin").join(program))
}

/// A run of a Postman collection, with values of its variables.
pub fn newman(collection: &Path, variables: &[(&str, &str)]) -> Command {
    let mut command = node("newman");
    command.arg("run").arg(collection);
    for (name, value) in variables {
        command.args(["--env-var", &format!("{name}={value}")]);
    }
    command
}

/// A program of Python's environment, or Python itself.
pub fn python(program: &str) -> Command {
    let programs = folder().join("python/bin");
    let mut command = Command::new(programs.join(program));
    // Programs there call each other by name.
    let path = env::var_os("PATH").unwrap_or_default();
    let path = std::iter::once(programs).chain(env::split_paths(&path));
    if let Ok(path) = env::join_paths(path) {
        command.env("PATH", path);
    }
    command
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tools")
}

/// Whether the test can be run here; otherwise it is [skipped](skip). `programs` are commands, `packages` are
/// `node:` or `python:` with a package or program.
///
/// # Panics
/// In CI, where nothing may be missing.
#[track_caller]
pub fn present(programs: &[&str], packages: &[&str]) -> bool {
    let programs = programs.iter().filter(|name| !starts(name));
    let packages = packages.iter().filter(|name| !is_installed(name));
    let missing: Vec<_> = programs.chain(packages).copied().collect();
    if !missing.is_empty() {
        skip(&missing.join(", no "));
    }
    missing.is_empty()
}

/// Reports that the running test is skipped: on standard error, and in the file that `SKIPPED_TESTS` names, in
/// which the caller of all tests counts them.
///
/// # Panics
/// In CI, where nothing may be missing, and where that file cannot be written.
#[track_caller]
pub fn skip(missing: &str) {
    let test = std::thread::current().name().unwrap_or("?").to_owned();
    let said = format!("SKIPPED {test}: there is no {missing}");
    assert!(may_skip(), "{said}");
    eprintln!("{said}");
    if let Some(path) = env::var_os("SKIPPED_TESTS") {
        let file = OpenOptions::new().create(true).append(true).open(path);
        let noted = file.and_then(|mut file| writeln!(file, "{said}"));
        assert!(noted.is_ok(), "the skipped test cannot be noted: {noted:?}");
    }
}

/// Whether a skipped check passes: everywhere but in CI, which sets `CI`.
pub fn may_skip() -> bool {
    env::var_os("CI").is_none_or(|ci| ci.is_empty())
}

fn is_installed(package: &str) -> bool {
    match package.split_once(':') {
        Some(("node", name)) => {
            let modules = node_modules();
            modules.join(name).exists() || modules.join(".bin").join(name).exists()
        }
        Some(("python", name)) => folder().join("python/bin").join(name).exists() || imports(name),
        _ => false,
    }
}

fn imports(module: &str) -> bool {
    let import = format!("import {module}");
    succeeds(python("python").args(["-c", &import]))
}

fn starts(program: &str) -> bool {
    // nginx takes short options alone.
    ["--version", "-v"]
        .iter()
        .any(|flag| succeeds(Command::new(program).arg(flag)))
}

fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}
