//! `cargo xtask ci`: every check that a change must pass, the same for a developer and for the CI.
//!
//! All checks run even after one has failed, so that one run reports every failure. The last line
//! counts the tests, skipped ones included.

mod run;
mod test_counts;

use crate::generate::{self, Failure};
use crate::{diff, lint};
use run::Run;
use std::path::Path;

/// The arguments of `ci`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only the checks that a change below server/ can fail
    #[arg(long, conflicts_with = "codegen")]
    server: bool,
    /// Only the checks that a change below codegen/ or xtask/ can fail
    #[arg(long)]
    codegen: bool,
}

/// The packages that are written against the contract; the others make or measure them.
const SERVER: [&str; 3] = ["generated", "server", "server-bench"];

impl Arguments {
    /// The packages that are checked, as cargo's arguments.
    fn packages(&self) -> Vec<String> {
        let server = SERVER.iter();
        match (self.server, self.codegen) {
            (true, _) => server.map(|name| format!("--package={name}")).collect(),
            (_, true) => {
                let excluded = server.map(|name| format!("--exclude={name}"));
                ["--workspace".to_owned()]
                    .into_iter()
                    .chain(excluded)
                    .collect()
            }
            _ => vec!["--workspace".to_owned()],
        }
    }
}

/// Runs the checks; whether all of them passed.
///
/// # Errors
/// When a command cannot be started.
pub(crate) fn run(root: &Path, arguments: &Arguments) -> Result<bool, Failure> {
    let mut run = Run::start(root, arguments.packages())?;
    run.check("gen --check", |run| generate::check(run.root))?;
    run.check("lint", |run| lint::check(run.root))?;
    run.check("diff", |run| diff::check(run.root))?;
    run.check("rustfmt", |run| run.cargo(&["fmt", "--all", "--check"]))?;
    run.check("clippy", |run| {
        run.cargo_for_packages(&["clippy", "--all-targets"], &["--", "-D", "warnings"])
    })?;
    run.check("rustdoc", |run| {
        run.cargo_for_packages(&["doc", "--no-deps"], &[])
    })?;
    if !arguments.server {
        run.check("outputs", |run| {
            run.corpus(&["codegen/tests/golden", "--at-once", "--lints"])
        })?;
        run.check("contract", |run| {
            run.corpus(&["spec", "--at-once", "--only", "openapi"])
        })?;
        run.check("real", |run| {
            run.corpus(&["codegen/tests/real", "--at-once"])
        })?;
    }
    run.tests()?;
    run.check("fuzz", |run| run.package("fuzz", &[]))?;
    if !arguments.codegen {
        // A release is made, installed and run.
        run.check("dist", |run| run.package("dist", &["--trial"]))?;
    }
    run.check("clean tree", |run| Ok(run.is_tree_unchanged()))?;
    Ok(run.finish())
}
