//! Commands that are programs of their own, so that `gen` builds without them.

use std::env;
use std::ffi::OsString;
use std::process::{Command, ExitCode};

/// Builds and runs the program of a package of this workspace; its exit status.
pub(crate) fn run(package: &str, arguments: &[OsString]) -> ExitCode {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["run", "--quiet", "--package", package, "--manifest-path"]);
    command.arg(workspace::root().join("Cargo.toml"));
    match command.arg("--").args(arguments).status() {
        Ok(status) => {
            let code = status.code().and_then(|code| u8::try_from(code).ok());
            ExitCode::from(code.unwrap_or(2))
        }
        Err(error) => {
            eprintln!("error: cargo cannot be run: {error}");
            ExitCode::from(2)
        }
    }
}
