//! `cargo xtask conformance`: tests generated types with the JSON Schema Test Suite.
//!
//! Every group of the suite becomes a component and an operation that takes it as its body. All groups
//! are generated into a few crates that are compiled once; each crate's service is then sent every
//! instance, and 204 means valid. So the test sees the same verdicts as a client.

mod contract;
mod documents;
mod driver;
mod suite;
mod table;

use clap::Parser as _;
use codegen::Enforcer;
use contract::Batch;
use fs_err as fs;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use suite::Suite;

/// Runs the JSON Schema Test Suite (draft 2020-12) through compiled generated types.
///
/// Exit status: 0 if the target is met, 1 if it is not, 2 if the suite could not be run.
#[derive(clap::Parser)]
#[command(bin_name = "cargo xtask conformance")]
struct Arguments {
    /// The suite's folder, with `tests` and `remotes`
    folder: PathBuf,
    /// A folder of OpenAPI documents whose schemas are counted, not run
    #[arg(long, value_name = "DIR")]
    specs: Option<PathBuf>,
    /// Only files whose name contains one of these; the target is then not checked
    #[arg(long, value_name = "PART")]
    only: Vec<String>,
    /// List every test with a wrong result, and every group that is not enforced natively
    #[arg(long)]
    list: bool,
}

fn main() -> ExitCode {
    workspace::exit_code(run(&Arguments::parse()))
}

/// The outcome of a group.
pub(crate) struct Outcome {
    /// Whether each instance was found valid; `None` if no type could be generated.
    verdicts: Vec<Option<bool>>,
    /// The enforcer that decides on an instance; `None` if no type could be generated.
    by: Option<Enforcer>,
    /// The reason why there is no type.
    refusal: Option<String>,
}

/// Generates, compiles and runs the suite; whether the target is met.
///
/// # Errors
/// When the suite cannot be read, a crate cannot be written, or cargo cannot be run.
fn run(arguments: &Arguments) -> io::Result<bool> {
    let suite = Suite::read(&arguments.folder, &arguments.only)?;
    let work = workspace::target().join("conformance");
    let (batches, mut outcomes) = contract::batches(&suite);
    for batch in &batches {
        let crate_folder = work.join(&batch.name);
        driver::write(&crate_folder, batch)?;
        let statuses = driver::run(&crate_folder, &work.join("target"))?;
        settle(&suite, batch, &statuses, &mut outcomes);
    }
    let partial = !arguments.only.is_empty();
    let report = table::Report::of(&suite, &outcomes);
    print!("{}", report.render(arguments.list));
    let Some(folder) = &arguments.specs else {
        return Ok(partial || report.meets_the_bar());
    };
    let counted = documents::count(folder)?;
    print!("{}", counted.render(arguments.list));
    Ok(partial || (report.meets_the_bar() && counted.meets_the_bar()))
}

/// Assigns a crate's responses, one per instance in the order of the requests, to their groups.
fn settle(suite: &Suite, batch: &Batch, statuses: &[u16], outcomes: &mut BTreeMap<usize, Outcome>) {
    let mut statuses = statuses.iter();
    for index in &batch.groups {
        let tests = suite
            .groups
            .get(*index)
            .map_or(0, |group| group.tests.len());
        if let Some(outcome) = outcomes.get_mut(index) {
            outcome.verdicts = statuses.by_ref().take(tests).map(verdict).collect();
        }
    }
}

/// 204 is valid and 400 is not; anything else is a defect of the generated service.
fn verdict(status: &u16) -> Option<bool> {
    match status {
        204 => Some(true),
        400 => Some(false),
        _ => None,
    }
}

/// A file's JSON.
fn json<T: serde::de::DeserializeOwned>(path: &Path) -> io::Result<T> {
    let text = fs::read(path)?;
    let wrong = |error| io::Error::other(format!("{}: {error}", path.display()));
    serde_json::from_slice(&text).map_err(wrong)
}

/// A name for the component and the operation of a group.
fn name(index: usize) -> String {
    format!("Case{index:04}")
}
