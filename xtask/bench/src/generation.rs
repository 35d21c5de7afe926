//! `cargo xtask bench gen`: the cost of generation, and of checking the generated code, compared with
//! other generators of Rust servers.

mod crates;
mod figures;
mod operations;
mod programs;
mod recorded;
mod table;
mod targets;

use super::record::{Bench, record};
use figures::Row;
use programs::{Program, Tool};
use std::path::{Path, PathBuf};
use std::{fs, io};
use tempfile::TempDir;
use workspace::Entry;

/// The arguments of `bench gen`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder of OpenAPI documents [default: codegen/tests/real]
    folder: Option<PathBuf>,
    /// Only documents whose file name contains one of these
    #[arg(long, value_name = "PART")]
    only: Vec<String>,
    /// Runs of each generator; the lowest cost counts
    #[arg(long, value_name = "N", default_value_t = 5)]
    rounds: u32,
    /// Checks of each output, after its dependencies; 0 to skip them
    #[arg(long, value_name = "N", default_value_t = 2)]
    check_rounds: u32,
    /// Also write the table to this file, as Markdown
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

/// Measures every document of a folder; whether the target is met.
///
/// # Errors
/// When the folder cannot be read, or a generator cannot be built, installed or started.
pub(crate) fn run(arguments: &Arguments) -> io::Result<bool> {
    let folder = arguments.folder.clone();
    let folder = folder.unwrap_or_else(|| workspace::root().join("codegen/tests/real"));
    let work = workspace::target().join("bench");
    let documents = workspace::documents(&folder, &arguments.only)?;
    let mut programs = Vec::new();
    for tool in Tool::ALL {
        programs.push(Program::find(tool, &work)?);
    }
    let bench = Measuring {
        work: work.join("gen"),
        programs,
        arguments,
    };
    let rows = documents.iter().map(|entry| {
        let size = fs::metadata(&entry.path)?.len();
        Ok(Row::of(&entry.name, size))
    });
    let mut rows = rows.collect::<io::Result<Vec<Row>>>()?;
    bench.generate(&documents, &mut rows)?;
    if arguments.check_rounds > 0 {
        bench.clear()?;
        for (document, row) in documents.iter().zip(&mut rows) {
            bench.check(document, row)?;
            eprintln!("{:>12} {}", "Checked", row.document);
        }
        bench.clear()?;
    }
    let misses = targets::misses(&rows);
    print!("{}", table::text(&rows, &misses));
    if let Some(file) = &arguments.markdown {
        record(
            file,
            Bench::Generation,
            &said(arguments),
            &table::markdown(&rows, &misses),
        )?;
    }
    Ok(misses.is_empty())
}

/// A folder for one output after the other: in memory, where the system has a place for files there. The
/// file system of a disk takes the longer to make a file the more have been deleted in the minutes before,
/// which may cost more than all that a generator does with a small document.
///
/// # Errors
/// When no folder can be made.
fn scratch(work: &Path) -> io::Result<TempDir> {
    let in_memory = tempfile::tempdir_in("/dev/shm");
    in_memory.or_else(|_| {
        fs::create_dir_all(work)?;
        tempfile::tempdir_in(work)
    })
}

/// The command as others can repeat it.
fn said(arguments: &Arguments) -> String {
    let only = arguments.only.iter().map(|part| format!(" --only {part}"));
    let (rounds, checks) = (arguments.rounds, arguments.check_rounds);
    let only: String = only.collect();
    format!("cargo xtask bench gen FOLDER{only} --rounds {rounds} --check-rounds {checks}")
}

/// The parts of a measurement that are the same for all documents.
struct Measuring<'a> {
    work: PathBuf,
    programs: Vec<Program>,
    arguments: &'a Arguments,
}

impl Measuring<'_> {
    /// Runs the generators in turns. Each round covers all documents, and checks run after the last
    /// round, so that a busy period of the machine, as when it writes the compilers' output to disk,
    /// affects some rounds of each document and not all rounds of a few.
    fn generate(&self, documents: &[Entry], rows: &mut [Row]) -> io::Result<()> {
        let scratch = scratch(&self.work)?;
        let rounds = self.arguments.rounds.max(1);
        for round in 1..=rounds {
            for (Entry { path, .. }, row) in documents.iter().zip(&mut *rows) {
                for program in &self.programs {
                    let folder = scratch.path().join(program.tool.name());
                    let cost = crates::generate(program, path, &folder)?;
                    row.of_mut(program.tool).generated(cost);
                    fs::remove_dir_all(folder)?;
                }
            }
            eprintln!("{:>12} round {round} of {rounds}", "Generated");
        }
        scratch.close()
    }

    /// Checks the outputs of a document: first their dependencies, then each in its turn.
    fn check(&self, Entry { path, .. }: &Entry, row: &mut Row) -> io::Result<()> {
        let outputs = self.outputs().join(&row.document);
        for program in &self.programs {
            let (tool, folder) = (program.tool, outputs.join(program.tool.name()));
            if row.of_mut(tool).generates() {
                crates::generate(program, path, &folder)?;
                crates::complete(tool, &folder)?;
                row.of_mut(tool).compiles = crates::check(&folder, &self.target())?.success;
            }
        }
        for _ in 0..self.arguments.check_rounds {
            for Program { tool, .. } in &self.programs {
                if row.of_mut(*tool).compiles {
                    let cost = crates::check(&outputs.join(tool.name()), &self.target())?;
                    row.of_mut(*tool).checked(cost);
                }
            }
        }
        Ok(())
    }

    /// Where the outputs are that are checked.
    fn outputs(&self) -> PathBuf {
        self.work.join("outputs")
    }

    fn clear(&self) -> io::Result<()> {
        match fs::remove_dir_all(self.outputs()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn target(&self) -> PathBuf {
        self.work.join("target")
    }
}
