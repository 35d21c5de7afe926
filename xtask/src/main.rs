//! The maintainer's commands: `gen` keeps `generated/` equal to the contract, `lint` keeps the
//! contract good, `explain` says what is wrong with it at length, `diff` tells what a change of it
//! means to its clients, `ci` checks everything, `corpus` tries the generator on other people's
//! documents, `bench` measures it beside other people's generators, `probe` asks a generated server
//! about every constraint of a contract.
//!
//! This crate alone touches the disk on the generator's behalf; `codegen` is a pure function, and
//! neither depends on `generated`, so that broken code there never stops the command that mends it.
//! (Only its manifest must be whole for cargo to start; `git checkout generated/Cargo.toml` mends it.)

mod bench;
mod ci;
mod conformance;
mod corpus;
mod diff;
mod documents;
mod explain;
mod generate;
mod git;
mod lint;
mod place;
mod probe;
mod program;
mod report;
mod sync;
mod tally;
mod terminal;
mod watch;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// Generation makes millions of small things, and soon lets go of them: with this allocator it takes
/// three quarters of the time that it takes with the system's. Its second major version takes as long as
/// the third on large documents, with a quarter less memory, and starts sooner.
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
    /// Generates code from a contract: by default generated/ from spec/openapi.yaml.
    ///
    /// Exit status: 0 when the output is as the contract wants it, 1 when --check finds it is not,
    /// 2 when the document is invalid or a file cannot be read or written.
    Gen(generate::Arguments),
    /// Checks a contract by rules that generation does not need; by default spec/openapi.yaml.
    ///
    /// Exit status: 0 when nothing is found, 1 when an error or a warning is, 2 when the file cannot
    /// be read.
    Lint(lint::Arguments),
    /// Says what a diagnostic's code means, why it matters and how to mend it.
    Explain(explain::Arguments),
    /// Shows what a contract breaks and adds, judged by what clients may send and expect.
    ///
    /// Exit status: 0 when nothing breaks or `info.version` has a new major, 1 when something
    /// breaks without one, 2 when a document cannot be found or read.
    Diff(diff::Arguments),
    /// Measures the generator and its output beside others.
    ///
    /// Exit status: 0 when the bar is met, 1 when it is not, 2 when something could not be measured.
    Bench(bench::Arguments),
    /// Runs every check that a change must pass: gen --check, lint, diff, rustfmt, clippy, documentation, tests.
    Ci,
    /// Runs the JSON Schema Test Suite (draft 2020-12) through compiled generated types.
    ///
    /// Exit status: 0 when the bar is met, 1 when it is not, 2 when the suite could not be run.
    Conformance(conformance::Arguments),
    /// Generates and compiles every OpenAPI document of a folder, and tells how it went.
    ///
    /// The crates and what the compiler says of each stay under target/corpus/crates. Exit status:
    /// 0 when the bar is met, 1 when it is not.
    Corpus(corpus::Arguments),
    /// Asks a generated server about every constraint of a contract, in every place of a request.
    ///
    /// Exit status: 0 when every answer is right, 1 when one is not, 2 when the server cannot be run.
    Probe(probe::Arguments),
}

fn main() -> ExitCode {
    let root = workspace_root();
    let outcome = match Arguments::parse().command {
        Command::Gen(arguments) => generate::run(&root, &arguments),
        Command::Lint(arguments) => lint::run(&root, &arguments),
        Command::Explain(arguments) => Ok(explain::run(&arguments)),
        Command::Diff(arguments) => diff::run(&root, &arguments),
        Command::Bench(arguments) => bench::run(&root, &arguments)
            .map_err(|error| generate::Failure::Disk(error, "bench".into())),
        Command::Ci => ci::run(&root),
        Command::Conformance(arguments) => conformance::run(&root, &arguments)
            .map_err(|error| generate::Failure::Disk(error, "conformance".into())),
        Command::Corpus(arguments) => corpus::run(&root, &arguments)
            .map_err(|error| generate::Failure::Disk(error, "corpus".into())),
        Command::Probe(arguments) => probe::run(&root, &arguments)
            .map_err(|error| generate::Failure::Disk(error, "probe".into())),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::from(2)
        }
    }
}

/// The folder above this crate: cargo says at run time where the crate is, so a moved checkout works.
fn workspace_root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR");
    let here = here.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let mut root = PathBuf::from(here);
    root.pop();
    root
}
