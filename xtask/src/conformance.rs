//! `cargo xtask conformance`: how exactly generated types are their schemas.
//!
//! Every group of the JSON Schema Test Suite becomes a component and an operation that takes it as
//! its body. All groups are generated into a few crates that are compiled once; each crate's service
//! is then sent every instance, and 204 means valid. What is asked is thus what a client would see.

mod contract;
mod documents;
mod driver;
mod suite;
mod table;
mod waivers;

use crate::place::at;
use codegen::Enforcer;
use contract::Batch;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs, io};
use suite::Suite;

/// What `conformance` takes.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder of the suite, with `tests` and `remotes` [default: ../shared/json-schema-suite]
    folder: Option<PathBuf>,
    /// OpenAPI documents whose schemas are counted, not run [default: ../shared/specs, if present]
    #[arg(long, value_name = "DIR")]
    specs: Option<PathBuf>,
    /// Only the files whose name contains one of these; the bar is then not asked for
    #[arg(long, value_name = "PART")]
    only: Vec<String>,
    /// List every test whose verdict is wrong, and every group that is not enforced natively
    #[arg(long)]
    list: bool,
}

/// What became of a group.
pub(crate) struct Outcome {
    /// Whether each instance was found valid; nothing where no type could be generated.
    verdicts: Vec<Option<bool>>,
    /// What decides on an instance; nothing where no type could be generated.
    by: Option<Enforcer>,
    /// Why there is no type.
    refusal: Option<String>,
}

/// Generates, compiles and runs the suite; whether the bar is met.
///
/// # Errors
/// When the suite cannot be read, a crate cannot be written, or cargo cannot be run.
pub(crate) fn run(root: &Path, arguments: &Arguments) -> io::Result<bool> {
    let folder = arguments.folder.clone();
    let folder = folder.unwrap_or_else(|| root.join("../shared/json-schema-suite"));
    let suite = Suite::read(&folder, &arguments.only)?;
    let work = target(root).join("conformance");
    let (batches, mut outcomes) = contract::batches(&suite);
    for batch in &batches {
        let crate_folder = work.join(&batch.name);
        driver::write(root, &crate_folder, batch)?;
        let statuses = driver::run(&crate_folder, &work.join("target"))?;
        settle(&suite, batch, &statuses, &mut outcomes);
    }
    let partial = !arguments.only.is_empty();
    let report = table::Report::of(&suite, &outcomes);
    print!("{}", report.render(arguments.list));
    if partial && arguments.specs.is_none() {
        return Ok(true);
    }
    let default = root.join("../shared/specs");
    let folder = arguments
        .specs
        .clone()
        .or_else(|| default.exists().then_some(default));
    let counted = match folder {
        Some(folder) => documents::count(&folder)?,
        None => return Ok(report.meets_the_bar()),
    };
    print!("{}", counted.render(arguments.list));
    Ok(partial || (report.meets_the_bar() && counted.meets_the_bar()))
}

/// Reads a crate's answers, one per instance in the order in which they were sent.
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

/// Where cargo builds this workspace.
fn target(root: &Path) -> PathBuf {
    let set = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    set.unwrap_or_else(|| root.join("target"))
}

/// A file's JSON.
fn json<T: serde::de::DeserializeOwned>(path: &Path) -> io::Result<T> {
    let text = fs::read(path).map_err(at(path))?;
    serde_json::from_slice(&text)
        .map_err(io::Error::from)
        .map_err(at(path))
}

/// A name for the component and the operation of a group.
fn name(index: usize) -> String {
    format!("Case{index:04}")
}
