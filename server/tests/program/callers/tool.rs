//! Programs that tests need and that a fresh machine may lack.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where `.ci/run` puts packages of other languages.
pub(super) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/tools")
}

/// Whether the test can be run here: `programs` are commands, `packages` are of Node.
///
/// Otherwise says what is missing: on standard error, and in the file that `SKIPPED_TESTS` names,
/// from which the caller of all tests counts.
///
/// # Panics
/// In CI, where nothing may be missing.
#[track_caller]
pub(super) fn present(programs: &[&str], packages: &[&str]) -> bool {
    let programs = programs.iter().filter(|name| !starts(name));
    let packages = packages
        .iter()
        .filter(|name| !folder().join("node/node_modules").join(name).exists());
    let missing: Vec<_> = programs.chain(packages).copied().collect();
    if missing.is_empty() {
        return true;
    }
    let test = std::thread::current().name().unwrap_or("?").to_owned();
    let said = format!("SKIPPED {test}: there is no {}", missing.join(", no "));
    assert!(std::env::var_os("CI").is_none(), "{said}");
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

fn starts(program: &str) -> bool {
    let mut command = Command::new(program);
    command
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
