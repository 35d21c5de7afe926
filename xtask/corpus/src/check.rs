//! Compiles generated crates as one workspace, and reads the compiler's messages about each.

use codegen::FileTree;
use fs_err as fs;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{self, BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use wait4::Wait4 as _;
use workspace::put;

/// The compiler's messages about a crate.
#[derive(Debug, Default)]
pub(crate) struct Check {
    pub(crate) errors: usize,
    pub(crate) warnings: usize,
    /// The first message, shortened for a table.
    pub(crate) first: Option<String>,
    /// The processor time of the run that it was part of.
    pub(crate) time: Duration,
    /// Whether cargo has said that the crate is done.
    finished: bool,
}

impl Check {
    /// Whether the crate compiles without a warning.
    pub(crate) fn is_clean(&self) -> bool {
        self.compiles() && self.warnings == 0
    }

    pub(crate) fn compiles(&self) -> bool {
        self.finished && self.errors == 0
    }

    /// Adds the messages of another tool about the same crate. The time stays the compiler's own.
    pub(crate) fn add(&mut self, other: Check) {
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.first = self.first.take().or(other.first);
    }

    pub(crate) fn warn(&mut self, said: &str) {
        self.warnings += 1;
        self.first.get_or_insert_with(|| said.to_owned());
    }
}

/// Writes a crate as a member of the workspace around it. Unchanged files are not written, so that they
/// are not compiled again.
pub(crate) fn write(folder: &Path, files: &FileTree) -> io::Result<()> {
    for (path, text) in files.iter() {
        let file = folder.join(path);
        match path {
            "Cargo.toml" => put(&file, text.replace("\n[workspace]\n", "\n"))?,
            _ => put(&file, text)?,
        }
    }
    Ok(())
}

/// Writes the manifest of the workspace.
pub(crate) fn write_workspace(folder: &Path, members: &[String]) -> io::Result<()> {
    let members: Vec<String> = members
        .iter()
        .map(|member| format!("\"crates/{member}\""))
        .collect();
    let text = format!(
        "[workspace]\nresolver = \"3\"\nmembers = [{}]\n\n[profile.dev]\ndebug = false\n\
         incremental = false\n",
        members.join(", ")
    );
    let manifest = folder.join("Cargo.toml");
    fs::write(&manifest, text)
}

/// Checks a crate of the workspace, with `cargo check` or another command that does as much.
pub(crate) fn check(folder: &Path, command: &str, name: &str) -> io::Result<Check> {
    let mut checks = cargo(folder, &[command, "--lib"], &[name.to_owned()])?;
    Ok(checks.remove(name).unwrap_or_default())
}

/// Runs cargo for some packages of the workspace, and returns its messages about each.
pub(crate) fn cargo(
    folder: &Path,
    arguments: &[&str],
    names: &[String],
) -> io::Result<BTreeMap<String, Check>> {
    let mut command = Command::new("cargo");
    command
        .args(arguments)
        .args(["--keep-going", "--message-format=json", "--quiet"])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .stdout(Stdio::piped());
    for name in names {
        command.args(["--package", name]);
    }
    let mut child = command.spawn()?;
    let mut checks: BTreeMap<String, Check> = names
        .iter()
        .map(|name| (name.clone(), Check::default()))
        .collect();
    let mut shown: BTreeMap<String, String> = BTreeMap::new();
    for line in BufReader::new(child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?).lines() {
        let Ok(message) = serde_json::from_str::<Value>(&line?) else {
            continue;
        };
        let target = message.pointer("/target/name").and_then(Value::as_str);
        let name = target.unwrap_or_default().replace('_', "-");
        if let Some(check) = checks.get_mut(&name) {
            read(&message, check, shown.entry(name).or_default());
        }
    }
    let usage = child.wait4()?.rusage;
    for check in checks.values_mut() {
        check.time = usage.utime + usage.stime;
    }
    for name in checks.keys() {
        let log = format!("{}.log", arguments.first().unwrap_or(&"cargo"));
        let suffixes = [super::selftest::SUFFIX, super::payloads::SUFFIX];
        let mut members = suffixes
            .iter()
            .filter_map(|suffix| name.strip_suffix(suffix));
        let member = members.next().unwrap_or(name);
        let log = folder.join("crates").join(member).join(log);
        match shown.get(name).filter(|text| !text.is_empty()) {
            Some(text) => fs::write(&log, text)?,
            None if log.exists() => fs::remove_file(&log)?,
            None => {}
        }
    }
    Ok(checks)
}

/// Whether rustfmt leaves a crate unchanged.
pub(crate) fn is_formatted(folder: &Path, name: &str) -> io::Result<bool> {
    let mut command = Command::new("cargo");
    command.args(["fmt", "--check", "--package", name]);
    let run = command.current_dir(folder).stdout(Stdio::null());
    Ok(run.status()?.success())
}

/// Counts one message of cargo, and keeps it as people read it.
fn read(message: &Value, check: &mut Check, shown: &mut String) {
    let text = |pointer| message.pointer(pointer).and_then(Value::as_str);
    match text("/reason") {
        Some("compiler-artifact") => check.finished = true,
        Some("compiler-message") => {
            // The compiler's own summary points at no code.
            let spans = message.pointer("/message/spans").and_then(Value::as_array);
            if spans.is_none_or(Vec::is_empty) {
                return;
            }
            let said = text("/message/message").unwrap_or_default();
            match text("/message/level") {
                Some("warning") => check.warn(said),
                _ => {
                    check.errors += 1;
                    check.first.get_or_insert_with(|| said.to_owned());
                }
            }
            shown.push_str(text("/message/rendered").unwrap_or_default());
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn counts_messages_that_point_at_code() {
        let mut check = Check::default();
        let message = |level: &str, spans: Value| {
            json!({
                "reason": "compiler-message",
                "message": { "level": level, "message": level, "rendered": "x\n", "spans": spans },
            })
        };
        let mut shown = String::new();
        for message in [
            message("warning", json!([{}])),
            message("error", json!([{}])),
            message("error", json!([])),
        ] {
            read(&message, &mut check, &mut shown);
        }
        assert_eq!((check.errors, check.warnings), (1, 1));
        assert_eq!(check.first.as_deref(), Some("warning"));
        assert!(!check.compiles());
        assert_eq!(shown, "x\nx\n");
    }
}
