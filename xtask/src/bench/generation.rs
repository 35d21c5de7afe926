//! `cargo xtask bench gen`: the cost of generation, and of checking what is generated.

use super::cost::Cost;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{fs, io};

/// What `bench gen` takes.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder of OpenAPI documents [default: ../shared/specs]
    folder: Option<PathBuf>,
    /// Only the documents whose file name contains one of these
    #[arg(long, value_name = "PART")]
    only: Vec<String>,
    /// How often each thing is measured; the least counts
    #[arg(long, default_value_t = 5)]
    rounds: usize,
}

/// Measures every document of a folder; whether the bar is met.
///
/// # Errors
/// When the folder cannot be read, or a generator cannot be built or run.
pub(crate) fn run(root: &Path, work: &Path, arguments: &Arguments) -> io::Result<bool> {
    let folder = arguments.folder.clone();
    let folder = folder.unwrap_or_else(|| root.join("../shared/specs"));
    let own = build(root)?;
    for path in crate::corpus::files(&folder, &arguments.only)? {
        let mut least: Option<Cost> = None;
        for _ in 0..arguments.rounds.max(1) {
            let out = work.join("gen/own");
            if out.exists() {
                fs::remove_dir_all(&out)?;
            }
            let mut command = Command::new(&own);
            command
                .arg("gen")
                .arg("--spec")
                .arg(&path)
                .arg("--out")
                .arg(&out);
            let cost = Cost::of(command.stderr(Stdio::null()))?;
            least = Some(least.map_or(cost, |least| least.least(cost)));
        }
        if let Some(cost) = least {
            println!(
                "{:<52} {:>8.3} s {:>6} MB",
                path.file_name().unwrap_or_default().to_string_lossy(),
                cost.cpu.as_secs_f64(),
                cost.memory / 1_000_000
            );
        }
    }
    Ok(true)
}

/// Builds this program as it is released; where it is then.
fn build(root: &Path) -> io::Result<PathBuf> {
    let mut command = Command::new("cargo");
    command.args(["build", "--release", "--quiet", "--package", "xtask"]);
    if !command.current_dir(root).status()?.success() {
        return Err(io::Error::other(
            "cargo build --release --package xtask fails",
        ));
    }
    let target = std::env::var_os("CARGO_TARGET_DIR");
    let target = target.map_or_else(|| root.join("target"), PathBuf::from);
    Ok(target.join("release/xtask"))
}
