//! `cargo xtask bench gen`: the cost of generation, and of checking what is generated, beside the
//! other generators of Rust servers.

mod bar;
mod crates;
mod figures;
mod operations;
mod programs;
mod recorded;
mod table;

use super::record::{Bench, record};
use crate::corpus::Entry;
use figures::Row;
use programs::{Program, Tool};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// What `bench gen` takes.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder of OpenAPI documents [default: ../shared/specs]
    folder: Option<PathBuf>,
    /// Only the documents whose file name contains one of these
    #[arg(long, value_name = "PART")]
    only: Vec<String>,
    /// How often each generator takes its turn; its least cost counts
    #[arg(long, value_name = "N", default_value_t = 5)]
    rounds: u32,
    /// How often each output is checked, once what it depends on has been; 0 to check nothing
    #[arg(long, value_name = "N", default_value_t = 2)]
    check_rounds: u32,
    /// Write the table into this file too, as Markdown
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

/// Measures every document of a folder; whether the bar is met.
///
/// # Errors
/// When the folder cannot be read, or a generator cannot be built, installed or started.
pub(crate) fn run(root: &Path, work: &Path, arguments: &Arguments) -> io::Result<bool> {
    let folder = arguments.folder.clone();
    let folder = folder.unwrap_or_else(|| root.join("../shared/specs"));
    let documents = crate::corpus::documents(&folder, &arguments.only)?;
    let mut programs = Vec::new();
    for tool in Tool::ALL {
        programs.push(Program::find(tool, root, work)?);
    }
    let bench = Measuring {
        root,
        work: work.join("gen"),
        programs,
        arguments,
    };
    bench.clear()?;
    let mut rows: Vec<Row> = documents.iter().map(|entry| Row::of(&entry.name)).collect();
    bench.generate(&documents, &mut rows)?;
    for row in rows.iter_mut().filter(|_| arguments.check_rounds > 0) {
        bench.check(row)?;
        eprintln!("{:>12} {}", "Checked", row.document);
    }
    bench.clear()?;
    let misses = bar::misses(&rows);
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

/// The command as others can repeat it.
fn said(arguments: &Arguments) -> String {
    let only = arguments.only.iter().map(|part| format!(" --only {part}"));
    let (rounds, checks) = (arguments.rounds, arguments.check_rounds);
    let only: String = only.collect();
    format!("cargo xtask bench gen FOLDER{only} --rounds {rounds} --check-rounds {checks}")
}

/// What stays the same from document to document.
struct Measuring<'a> {
    root: &'a Path,
    work: PathBuf,
    programs: Vec<Program>,
    arguments: &'a Arguments,
}

impl Measuring<'_> {
    fn rounds(&self) -> u32 {
        self.arguments.rounds.max(1)
    }

    /// Lets the generators take turns. Each round is through all documents, and checks come only when
    /// there is no round left: a machine that is busy for a while, as it is when it puts what compilers
    /// write on its disk, then adds to some rounds of each document and not to all of a few.
    fn generate(&self, documents: &[Entry], rows: &mut [Row]) -> io::Result<()> {
        for round in 1..=self.rounds() {
            for (Entry { path, .. }, row) in documents.iter().zip(&mut *rows) {
                for program in &self.programs {
                    let folder = self.output(row, program.tool, round);
                    let cost = crates::generate(program, path, &folder)?;
                    row.of_mut(program.tool).generated(cost);
                }
            }
            eprintln!("{:>12} round {round} of {}", "Generated", self.rounds());
        }
        Ok(())
    }

    /// Checks the outputs of a document: first what they depend on, then each in its turn.
    fn check(&self, row: &mut Row) -> io::Result<()> {
        for Program { tool, .. } in &self.programs {
            if row.of_mut(*tool).generates() {
                let folder = self.output(row, *tool, self.rounds());
                crates::complete(*tool, self.root, &folder)?;
                row.of_mut(*tool).compiles = crates::check(&folder, &self.target())?.success;
            }
        }
        for _ in 0..self.arguments.check_rounds {
            for Program { tool, .. } in &self.programs {
                if row.of_mut(*tool).compiles {
                    let folder = self.output(row, *tool, self.rounds());
                    let cost = crates::check(&folder, &self.target())?;
                    row.of_mut(*tool).checked(cost);
                }
            }
        }
        Ok(())
    }

    /// Where a generator puts what it makes of a document.
    fn output(&self, row: &Row, tool: Tool, round: u32) -> PathBuf {
        let folder = self.outputs().join(&row.document);
        folder.join(format!("{}-{round}", tool.name()))
    }

    /// Where the outputs are, each round's by itself: nothing is deleted while generators take turns,
    /// since a file system may be slow to give out again what has just become free.
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
