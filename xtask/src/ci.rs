//! `cargo xtask ci`: the checks of a change, the same for a developer and for the CI.
//!
//! Steps and tests (`#[ignore]`) that take minutes, and rarely fail where the others pass, run with `--all` only.
//!
//! All checks run even after one has failed, so that one run reports every failure. The end of the output has
//! the time of each check and the slowest tests; the last line counts the tests, skipped ones included.

mod packages;
mod run;
mod test_output;

use openapi_crate::{Context, Failure, diff, generate, has_tag, lint};
use packages::Packages;
use run::Run;
use std::path::Path;

/// The arguments of `ci`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Run every check, including those that take minutes: before a release, and where CONTRIBUTING.md says so
    #[arg(long)]
    all: bool,
    /// Run only the checks that a change in server/ can fail
    #[arg(long, conflicts_with = "codegen")]
    server: bool,
    /// Run only the checks that a change in codegen/ or xtask/ can fail
    #[arg(long)]
    codegen: bool,
}

/// Runs the checks; whether all of them passed.
///
/// # Errors
/// When a command cannot be started.
pub(crate) fn run(root: &Path, arguments: &Arguments) -> Result<bool, Failure> {
    let packages = match (arguments.server, arguments.codegen) {
        (true, _) => Packages::Server,
        (_, true) => Packages::Generator,
        _ => Packages::All,
    };
    let mut run = Run::start(root, packages, arguments.all)?;
    let context = crate::context(root, "cargo xtask gen".into());
    let import_lines = crate::import_lines(root, context.fix.clone());
    run.check("gen --check", |_| {
        Ok(generate::check(&context)? & generate::check(&import_lines)?)
    })?;
    run.check("lint", |_| lint::run(&lint::Arguments::default(), &context))?;
    run.check("diff", |run| breaks_nothing_released(run.root, &context))?;
    run.check("rustfmt", |run| run.cargo(&["fmt", "--all", "--check"]))?;
    run.check("clippy", |run| run.clippy())?;
    if !arguments.codegen {
        run.check("api alone", |run| run.api_alone())?;
    }
    if arguments.all || !arguments.server {
        run.check("rustdoc", |run| run.rustdoc())?;
    }
    run.tests()?;
    if arguments.all {
        run.check("machete", |run| run.unused_dependencies())?;
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
        run.check("fuzz", |run| run.package("fuzz", &[]))?;
        if !arguments.codegen {
            // A release is made of the program that the tests have compiled, installed and run.
            let program = workspace::target().join("debug/donation-catalog");
            let program = program.to_string_lossy();
            run.check("dist", |run| {
                run.package("dist", &["--trial", "--program", &program])
            })?;
        }
    }
    run.check("clean tree", |run| Ok(run.is_tree_unchanged()))?;
    Ok(run.finish())
}

/// The tag of the first release: before it, breaking changes are printed and pass.
const FIRST_RELEASE: &str = "v1.0.0";

/// Whether the contract is compatible with the one where this branch left main, or was never released.
/// Without such a commit, as in a shallow clone or at the first commit, there is nothing to compare
/// with.
///
/// # Errors
/// When the contract cannot be read.
fn breaks_nothing_released(root: &Path, context: &Context) -> Result<bool, Failure> {
    match diff::run(&diff::Arguments::default(), context) {
        Err(Failure::Base(reason)) => {
            println!("nothing to compare with: {reason}");
            Ok(true)
        }
        outcome => Ok(outcome? || !has_tag(root, FIRST_RELEASE)),
    }
}
