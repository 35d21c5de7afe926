//! The generators as programs: where each is, and how it comes there.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A generator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tool {
    /// The one of this repository.
    Own,
    Oas3Gen,
    OpenapiToRust,
}

impl Tool {
    /// Ours, then the peers.
    pub(super) const ALL: [Tool; 3] = [Tool::Own, Tool::Oas3Gen, Tool::OpenapiToRust];

    /// How it is called, as a program and in tables.
    pub(super) fn name(self) -> &'static str {
        match self {
            Tool::Own => "codegen",
            Tool::Oas3Gen => "oas3-gen",
            Tool::OpenapiToRust => "openapi-to-rust",
        }
    }

    /// The version that is measured; `None` for the workspace's own generator.
    pub(super) fn version(self) -> Option<&'static str> {
        match self {
            Tool::Own => None,
            Tool::Oas3Gen => Some("0.29.0"),
            Tool::OpenapiToRust => Some("0.23.0"),
        }
    }
}

/// A generator that can be run.
pub(super) struct Program {
    pub(super) tool: Tool,
    /// Its file, or its name where it is found by that.
    pub(super) path: PathBuf,
}

impl Program {
    /// Finds or builds a generator: ours is built with the release profile, others are installed below
    /// `work` unless they are on the search path.
    ///
    /// # Errors
    /// When cargo cannot be run, or fails.
    pub(super) fn find(tool: Tool, work: &Path) -> io::Result<Program> {
        let path = match tool.version() {
            None => build()?,
            Some(version) => peer(tool.name(), version, &work.join("peers"))?,
        };
        Ok(Program { tool, path })
    }
}

/// Builds `xtask` for release.
fn build() -> io::Result<PathBuf> {
    let mut command = Command::new("cargo");
    command.args(["build", "--release", "--quiet", "--package", "xtask"]);
    succeed(command.current_dir(workspace::root()))?;
    Ok(workspace::target().join("release/xtask"))
}

fn peer(name: &str, version: &str, folder: &Path) -> io::Result<PathBuf> {
    let installed = folder.join("bin").join(name);
    for found in [installed.clone(), name.into()] {
        if is_version(&found, version) {
            return Ok(found);
        }
    }
    let mut command = Command::new("cargo");
    command.args(["install", "--locked", "--version", version, name]);
    command.arg("--root").arg(folder);
    // Only the program of the build is used.
    succeed(command.env_remove("CARGO_TARGET_DIR"))?;
    Ok(installed)
}

fn is_version(program: &Path, version: &str) -> bool {
    let mut command = Command::new(program);
    let said = command.arg("--version").stderr(Stdio::null()).output();
    said.is_ok_and(|said| {
        let text = String::from_utf8_lossy(&said.stdout);
        text.split_whitespace().any(|word| word == version)
    })
}

fn succeed(command: &mut Command) -> io::Result<()> {
    if command.status()?.success() {
        Ok(())
    } else {
        Err(io::Error::other(format!("{command:?} fails")))
    }
}
