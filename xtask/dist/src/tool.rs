//! The programs that a release needs, and how they are run.

use std::io;
use std::process::{Command, Stdio};

/// A program, and where it comes from.
struct Tool {
    name: &'static str,
    from: &'static str,
}

const fn tool(name: &'static str, from: &'static str) -> Tool {
    Tool { name, from }
}

/// The programs that make a release.
const TO_BUILD: &[Tool] = &[
    tool("apt-get", "Debian's package apt"),
    tool("buildah", "Debian's package buildah"),
    tool("cargo-cyclonedx", "cargo install --locked cargo-cyclonedx"),
    tool("cargo-deb", "cargo install --locked cargo-deb"),
    tool("dpkg-deb", "Debian's package dpkg"),
];

/// The programs that try one, besides.
const TO_TRY: &[Tool] = &[
    tool("mmdebstrap", "Debian's package mmdebstrap"),
    tool("ssh-keygen", "Debian's package openssh-client"),
    tool("systemd-analyze", "Debian's package systemd"),
    tool("unshare", "Debian's package util-linux"),
];

/// Checks that everything is there that makes a release and, if it is to be tried, tries it.
///
/// # Errors
/// When a program is missing, which the error says the source of; and when only root could try.
pub(crate) fn require(is_tried: bool) -> io::Result<()> {
    let tried = if is_tried { TO_TRY } else { &[] };
    let missing = TO_BUILD
        .iter()
        .chain(tried)
        .filter(|tool| !is_there(tool.name));
    let mut missing: Vec<String> = missing
        .map(|tool| format!("{} is missing: it comes with {}", tool.name, tool.from))
        .collect();
    if is_tried && !rustix::process::geteuid().is_root() {
        missing.push("only root can install a package".to_owned());
    }
    match missing.is_empty() {
        true => Ok(()),
        false => Err(io::Error::other(missing.join("\n       "))),
    }
}

fn is_there(name: &str) -> bool {
    let mut command = Command::new("which");
    let command = command.arg(name).stdout(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Runs a command.
///
/// # Errors
/// When it cannot be started or fails.
pub(crate) fn run(command: &mut Command) -> io::Result<()> {
    let shown = shown(command);
    let status = command.status();
    let status = status.map_err(|error| io::Error::other(format!("{shown}: {error}")))?;
    match status.success() {
        true => Ok(()),
        false => Err(io::Error::other(format!("{shown}: {status}"))),
    }
}

/// Runs a command; its standard output.
///
/// # Errors
/// When it cannot be started or fails, or prints no UTF-8.
pub(crate) fn output(command: &mut Command) -> io::Result<String> {
    let shown = shown(command);
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| io::Error::other(format!("{shown}: {error}")))?;
    if !output.status.success() {
        return Err(io::Error::other(format!("{shown}: {}", output.status)));
    }
    String::from_utf8(output.stdout).map_err(io::Error::other)
}

/// The program and its arguments, as an error names them.
fn shown(command: &Command) -> String {
    let words = [command.get_program()]
        .into_iter()
        .chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}
