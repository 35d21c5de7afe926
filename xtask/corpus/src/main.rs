//! `cargo xtask corpus`: runs the generator over a folder of real documents.
//!
//! Every document is generated. Then all crates are compiled as members of one workspace, so that their
//! dependencies are built once, and tested: each documented example is decoded and encoded by its type,
//! each operation is called by the generated client and answered by the generated service. The table
//! shows each document's outcome, its last line whether the target is met: every document generates,
//! nothing panics, every crate compiles without a warning, nearly all operations are generated, and all
//! generated examples and operations are right.

mod check;
mod document;
mod selftest;
mod table;

use clap::Parser as _;
use document::{Document, Outcome};
use fs_err as fs;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use workspace::{Entry, target};

/// Crates with more lines than this are compiled one at a time, after all others.
const GIANT: usize = 150_000;

/// Generates and compiles every OpenAPI document of a folder, and reports the results.
///
/// The crates and the compiler's messages about each stay under target/corpus/crates. Exit status: 0
/// when the target is met, 1 when it is not, 2 when something could not be tried.
#[derive(clap::Parser)]
#[command(bin_name = "cargo xtask corpus")]
struct Arguments {
    /// The folder of OpenAPI documents [default: codegen/tests/real]
    folder: Option<PathBuf>,
    /// Only the documents whose file name contains one of these
    #[arg(long, value_name = "PART")]
    only: Vec<String>,
    /// Generate only; compile nothing
    #[arg(long)]
    no_check: bool,
    /// Compile, but try no examples and call no operations
    #[arg(long)]
    no_calls: bool,
    /// Hold every crate against clippy, rustdoc and rustfmt, too, as they come
    #[arg(long, conflicts_with = "no_check")]
    lints: bool,
    /// Check all crates in one run, without the time of each
    #[arg(long, conflicts_with = "no_check")]
    at_once: bool,
    /// Generate one document only: used to measure memory
    #[arg(long, hide = true, value_name = "FILE")]
    generate_only: Option<PathBuf>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    workspace::exit_code(match arguments.generate_only {
        Some(path) => generate(path),
        None => run(&arguments),
    })
}

/// Generates a document; whether there is a crate of it.
fn generate(path: PathBuf) -> io::Result<bool> {
    let name = path.display().to_string();
    let document = Document::generate(&Entry { name, path }, "document".into())?;
    Ok(document.is_there())
}

/// Generates and compiles every document of a folder; whether the target is met.
///
/// # Errors
/// When the folder cannot be read, the crates cannot be written, or cargo cannot be run.
fn run(arguments: &Arguments) -> io::Result<bool> {
    let folder = arguments.folder.clone();
    let folder = folder.unwrap_or_else(|| workspace::root().join("codegen/tests/real"));
    let work = target().join("corpus");
    let entries = workspace::documents(&folder, &arguments.only)?;
    // A process begins with its parent's memory, so memory is measured while the parent has hardly any.
    let measured = entries.iter().map(|entry| document::memory(&entry.path));
    let measured: io::Result<Vec<u64>> = measured.collect();
    let mut documents = Vec::new();
    let names = document::crate_names(&entries);
    for ((entry, memory), name) in entries.iter().zip(measured?).zip(names) {
        let document = Document {
            memory,
            ..Document::generate(entry, name)?
        };
        eprintln!("{}", table::progress(&document));
        documents.push(document);
    }
    if !arguments.no_check {
        write(&work, &documents)?;
        // Clippy reports everything that the compiler does, and more.
        let command = if arguments.lints { "clippy" } else { "check" };
        if arguments.at_once {
            check_at_once(&work, command, &mut documents)?;
        } else {
            check(&work, command, &mut documents)?;
        }
        if arguments.lints {
            lint(&work, &mut documents)?;
        }
        if !arguments.no_calls {
            call(&work, &mut documents)?;
        }
    }
    print!("{}", table::table(&documents));
    Ok(table::meets_target(
        &documents,
        !arguments.no_check,
        !arguments.no_calls,
    ))
}

/// Writes the crates that were generated, and their selftests, as one workspace.
fn write(work: &Path, documents: &[Document]) -> io::Result<()> {
    let crates = work.join("crates");
    let mut members = Vec::new();
    for document in documents {
        if let Outcome::Generated(output, selftest) = &document.outcome {
            let folder = crates.join(&document.name);
            check::write(&folder, &output.files)?;
            check::write(&folder.join("selftest"), &selftest.files)?;
            members.extend([document.name.clone(), format!("{}/selftest", document.name)]);
        }
    }
    check::write_workspace(work, &members)?;
    // The versions that this workspace builds with are there and known to work together.
    fs::copy(
        workspace::root().join("Cargo.lock"),
        work.join("Cargo.lock"),
    )?;
    Ok(())
}

/// Checks each crate by itself, to measure its time.
fn check(work: &Path, command: &str, documents: &mut [Document]) -> io::Result<()> {
    for document in documents.iter_mut().filter(|document| document.is_there()) {
        let check = check::check(work, command, &document.name)?;
        document.check = Some(check);
        eprintln!("{}", table::checked(document));
    }
    Ok(())
}

/// Checks all crates in one run, as many at a time as there are cores.
fn check_at_once(work: &Path, command: &str, documents: &mut [Document]) -> io::Result<()> {
    let generated = documents.iter_mut().filter(|document| document.is_there());
    let mut generated: Vec<&mut Document> = generated.collect();
    let names: Vec<String> = generated.iter().map(|it| it.name.clone()).collect();
    if names.is_empty() {
        return Ok(());
    }
    eprintln!("{:>12} {}", "Checking", names.join(" "));
    let mut checks = check::cargo(work, &[command, "--lib"], &names)?;
    for document in &mut generated {
        let mut check = checks.remove(&document.name).unwrap_or_default();
        check.time = Duration::ZERO;
        document.check = Some(check);
    }
    Ok(())
}

/// Adds the messages of rustdoc and rustfmt about the crates that compile.
fn lint(work: &Path, documents: &mut [Document]) -> io::Result<()> {
    let compiled = documents.iter_mut().filter_map(|document| {
        let check = document.check.as_mut().filter(|check| check.compiles());
        check.map(|check| (document.name.clone(), check))
    });
    let mut compiled: BTreeMap<String, &mut check::Check> = compiled.collect();
    let names: Vec<String> = compiled.keys().cloned().collect();
    if names.is_empty() {
        return Ok(());
    }
    eprintln!("{:>12} {}", "Linting", names.join(" "));
    for (name, found) in check::cargo(work, &["doc", "--lib", "--no-deps"], &names)? {
        if let Some(check) = compiled.get_mut(&name) {
            check.add(found);
        }
    }
    for (name, check) in &mut compiled {
        if !check::is_formatted(work, name)? {
            check.warn("rustfmt would print it otherwise");
        }
    }
    Ok(())
}

/// Compiles and runs the selftests: the many small ones are compiled in one run, then the giants.
fn call(work: &Path, documents: &mut [Document]) -> io::Result<()> {
    let compiles = |document: &&mut Document| {
        let check = document.check.as_ref();
        check.is_some_and(check::Check::compiles)
    };
    let (giants, others): (Vec<_>, Vec<_>) = documents
        .iter_mut()
        .filter(compiles)
        .partition(|document| document.lines > GIANT);
    let mut runs: Vec<Vec<&mut Document>> = vec![others];
    runs.extend(giants.into_iter().map(|giant| vec![giant]));
    for mut run in runs.into_iter().filter(|run| !run.is_empty()) {
        let names: Vec<&str> = run.iter().map(|document| document.name.as_str()).collect();
        eprintln!("{:>12} {}", "Building", names.join(" "));
        let built = selftest::build(work, &names)?;
        for (document, (name, built)) in run.iter_mut().zip(built) {
            if let Outcome::Generated(_, selftest) = &document.outcome {
                document.tested = Some(selftest::run(work, &name, selftest, &built)?);
                eprintln!("{}", table::called(document));
            }
        }
    }
    Ok(())
}
