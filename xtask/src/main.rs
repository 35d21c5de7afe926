//! The maintainer's commands: `gen` generates `generated/` from the contract and `server/import-lines/` from the
//! import schemas, `lint` checks the contract's style, `explain` explains a diagnostic, `diff` reports the
//! effects of contract changes on clients, `ci` runs the checks of a change. Measurements (`bench`, `conformance`,
//! `corpus`, `fuzz`, `probe`, `services`) and releases (`dist`) are separate programs, which this one runs.
//!
//! The commands of the generator are those of `openapi-crate`, with the settings of this workspace's contract.
//! Neither depends on `generated`, so that broken generated code never stops the command that repairs it.
//! (Only its manifest must be valid for cargo to start: `git checkout generated/Cargo.toml`.)

mod ci;
mod measure;
mod op;
mod supply;

use clap::{Parser, Subcommand};
use openapi_crate::{Context, Failure, SETTINGS_FILE, diff, explain, generate, lint};
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

/// Generation makes millions of small, short-lived allocations: with this allocator it takes three
/// quarters of the time that it takes with the system's. Its second major version is as fast as the
/// third on large documents, with a quarter less memory, and starts faster.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Parser)]
#[command(bin_name = "cargo xtask", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Generates code from a contract: by default generated/ from spec/openapi.yaml, and server/import-lines/ from
    /// server/import-schemas/openapi.yaml.
    ///
    /// Exit status: 0 if the output is up to date, 1 if --check finds that it is not, 2 if the document is
    /// invalid or a file cannot be read or written.
    Gen(Box<generate::Arguments>),
    /// Checks the style of a contract, by default spec/openapi.yaml.
    ///
    /// Exit status: 0 if nothing is found, 1 if there are errors or warnings, 2 if the file cannot be read.
    Lint(lint::Arguments),
    /// Explains a diagnostic by its code: what it means, why it matters and how to fix it.
    Explain(explain::Arguments),
    /// Shows a contract's breaking changes and additions.
    ///
    /// Exit status: 0 if nothing breaks or `info.version` has a new major version, 1 if something breaks
    /// without one, 2 if a document cannot be found or read.
    Diff(diff::Arguments),
    /// Lists the parts of an operation, and which are missing: examples, handler, database cases, scenario,
    /// guide.
    ///
    /// Exit status: 0 if nothing is missing, 1 if something is, 2 if a file cannot be read.
    Op(op::Arguments),
    /// Runs the checks of a change: gen --check, lint, diff, rustfmt, clippy, documentation, tests; with --all,
    /// every check.
    Ci(ci::Arguments),
    /// Checks the dependencies (licenses, sources, advisories, unused ones), the oldest supported compiler, and
    /// whether the generator's crates can be published.
    ///
    /// Requires cargo-deny and cargo-machete. Exit status: 0 if nothing is found, 1 otherwise.
    Supply,
    /// Benchmarks the generator, its output and the server against others.
    #[command(disable_help_flag = true)]
    Bench(Passed),
    /// Runs the JSON Schema Test Suite through generated types.
    #[command(disable_help_flag = true)]
    Conformance(Passed),
    /// Generates, compiles and calls code for every OpenAPI document in a folder, and decodes payloads.
    #[command(disable_help_flag = true)]
    Corpus(Passed),
    /// Builds a release: program, Debian package, image, SBOM and checksums.
    #[command(disable_help_flag = true)]
    Dist(Passed),
    /// Fuzzes the server and the generator for inputs that cause panics, hangs or wrong output.
    #[command(disable_help_flag = true)]
    Fuzz(Passed),
    /// Tests a generated server against every constraint of a contract.
    #[command(disable_help_flag = true)]
    Probe(Passed),
    /// Calls real services with clients generated from their own documents.
    #[command(disable_help_flag = true)]
    Services(Passed),
}

/// Arguments passed on to another program.
#[derive(clap::Args)]
struct Passed {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

fn main() -> ExitCode {
    let root = workspace::root();
    let context = context(&root, openapi_crate::fix("cargo xtask"));
    openapi_crate::exit_code(match Arguments::parse().command {
        Command::Gen(arguments) => generate(&root, &arguments, &context),
        Command::Lint(arguments) => lint::run(&arguments, &context),
        Command::Explain(arguments) => Ok(explain::run(&arguments)),
        Command::Diff(arguments) => diff::run(&arguments, &context),
        Command::Op(arguments) => op::run(&root, &arguments),
        Command::Ci(arguments) => ci::run(&root, &arguments),
        Command::Supply => supply::run(&root),
        Command::Bench(passed) => return measure::run("bench", &passed.arguments),
        Command::Conformance(passed) => return measure::run("conformance", &passed.arguments),
        Command::Corpus(passed) => return measure::run("corpus", &passed.arguments),
        Command::Dist(passed) => return measure::run("dist", &passed.arguments),
        Command::Fuzz(passed) => return measure::run("fuzz", &passed.arguments),
        Command::Probe(passed) => return measure::run("probe", &passed.arguments),
        Command::Services(passed) => return measure::run("services", &passed.arguments),
    })
}

/// Runs `gen` for the contract, and for the lines of an import unless the user has named a document or settings.
/// `--watch` follows the contract alone.
fn generate(
    root: &Path,
    arguments: &generate::Arguments,
    context: &Context,
) -> Result<bool, Failure> {
    let contract_is_fresh = generate::run(arguments, context)?;
    if !arguments.uses_context() {
        return Ok(contract_is_fresh);
    }
    let lines_are_fresh = generate::run(arguments, &import_lines(root, context.fix.clone()))?;
    Ok(contract_is_fresh && lines_are_fresh)
}

/// The context of the document that describes the lines of an import.
fn import_lines(root: &Path, fix: String) -> Context {
    Context {
        settings: Some(root.join("server/import-schemas").join(SETTINGS_FILE)),
        fix,
    }
}

/// The context of this workspace's contract; `fix` is the command that updates its crate.
fn context(root: &Path, fix: String) -> Context {
    Context {
        settings: Some(root.join("spec").join(SETTINGS_FILE)),
        fix,
    }
}
