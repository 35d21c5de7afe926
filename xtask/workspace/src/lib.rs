//! The parts that the maintainer's commands share: the workspace's root, folders of documents,
//! programs around a generated crate, and servers that are run and measured.

#![allow(missing_docs)]

mod folder;
mod program;
mod server;

pub use folder::{Entry, documents};
pub use program::{Profile, Program, put};
pub use server::Server;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, io};

/// The root of the workspace: the nearest folder above the running package that holds `spec/`.
///
/// Cargo tells a program at run time which package it runs, so a moved checkout works.
pub fn root() -> PathBuf {
    let built_here = env!("CARGO_MANIFEST_DIR");
    let package =
        env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| built_here.into(), PathBuf::from);
    let mut above = package.ancestors().skip(1);
    let root = above.find(|folder| folder.join("spec").is_dir());
    root.unwrap_or(Path::new(".")).to_owned()
}

/// The folder that cargo builds this workspace in.
pub fn target() -> PathBuf {
    let set = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    set.unwrap_or_else(|| root().join("target"))
}

/// The workspace's runtime, which all crates that are generated and compiled here share.
pub fn runtime() -> codegen::Runtime {
    codegen::Runtime::Path(root().join("codegen/runtime").display().to_string())
}

/// The exit status of a measurement: 0 when its target is met, 1 when it is not, 2 when it could not be
/// made, whose reason goes to standard error.
pub fn exit_code(is_bar_met: io::Result<bool>) -> ExitCode {
    match is_bar_met {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
