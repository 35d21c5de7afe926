//! `cargo xtask corpus`: runs the generator over a folder of real documents.
//!
//! Every document is generated. Then all crates are compiled as members of one workspace, so that their
//! dependencies are built once, and tested: each documented example is decoded and encoded by its type,
//! each operation is called by the generated client and answered by the generated service. Payloads in the
//! folder `NAME.payloads` beside a document, and examples that violate their schemas, are read by the types
//! of a generated client. The table shows each document's outcome. The target is met if every document
//! generates, nothing panics, every crate compiles without a warning, nearly all operations are generated,
//! all generated examples and operations are right, and a client reads every payload.

mod check;
mod document;
mod payloads;
mod selftest;
mod table;

use clap::Parser as _;
use document::{Document, Outcome};
use fs_err as fs;
use payloads::Payloads;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use workspace::{Entry, target};

/// Crates with more lines than this are compiled one at a time, after all others.
const GIANT: usize = 150_000;

/// Generates and compiles code for every OpenAPI document in a folder, and reports the results.
///
/// Crates and compiler messages are stored in target/corpus/crates. Exit status: 0 if the target is met, 1 if
/// it is not, 2 if something could not be run.
#[derive(clap::Parser)]
#[command(bin_name = "cargo xtask corpus")]
struct Arguments {
    /// The folder of OpenAPI documents [default: codegen/tests/real]
    folder: Option<PathBuf>,
    /// Only documents whose file name contains one of these
    #[arg(long, value_name = "PART")]
    only: Vec<String>,
    /// Generate without compiling
    #[arg(long)]
    no_check: bool,
    /// Compile without decoding examples or calling operations
    #[arg(long)]
    no_calls: bool,
    /// Also decode the payloads in this file: a JSON object by schema, x-resourceId or operation
    #[arg(long, value_name = "FILE", conflicts_with_all = ["no_check", "no_calls"])]
    payloads: Option<PathBuf>,
    /// Only decode payloads and invalid examples; compile only their types
    #[arg(long, conflicts_with_all = ["no_check", "no_calls", "lints", "at_once"])]
    only_payloads: bool,
    /// Also check every crate with clippy, rustdoc and rustfmt, with default settings
    #[arg(long, conflicts_with = "no_check")]
    lints: bool,
    /// Check all crates in one run, without timing each
    #[arg(long, conflicts_with = "no_check")]
    at_once: bool,
    /// Generate only this document; used to measure memory
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
        let mut document = Document {
            memory,
            ..Document::generate(entry, name)?
        };
        eprintln!("{}", table::progress(&document));
        if !arguments.no_check && !arguments.no_calls {
            let mut payloads = Payloads::beside(&entry.path)?;
            if let Some(file) = &arguments.payloads {
                payloads.add_file(file)?;
            }
            document.generate_reader(entry, payloads)?;
        }
        documents.push(document);
    }
    if !arguments.no_check {
        write(&work, &documents)?;
    }
    if !arguments.no_check && !arguments.only_payloads {
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
    if !arguments.no_check && !arguments.no_calls {
        receive(&work, &mut documents)?;
    }
    print!("{}", table::table(&documents));
    let checked = !arguments.no_check && !arguments.only_payloads;
    Ok(table::meets_target(
        &documents,
        checked,
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
        if let Some((_, reader)) = &document.payloads {
            let name = payloads::client(&document.name);
            let folder = crates.join(&name);
            check::write(&folder, &reader.subject)?;
            check::write(&folder.join("payloads"), &reader.files)?;
            members.extend([format!("{name}/payloads"), name]);
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
    for mut run in runs(documents.iter_mut().filter(compiles)) {
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

/// Compiles and runs the readers of payloads and invalid examples, by the same order.
fn receive(work: &Path, documents: &mut [Document]) -> io::Result<()> {
    let with_reader = documents.iter_mut().filter(|it| it.payloads.is_some());
    for mut run in runs(with_reader) {
        let names: Vec<String> = run.iter().map(|document| document.name.clone()).collect();
        eprintln!("{:>12} readers of {}", "Building", names.join(" "));
        let built = payloads::build(work, &names)?;
        for document in &mut run {
            let built = built.get(&document.name);
            if let (Some((payloads, reader)), Some(built)) = (&document.payloads, built) {
                let received = payloads::run(work, &document.name, reader, payloads, built)?;
                document.received = Some(received);
                eprintln!("{}", table::received(document));
            }
        }
    }
    Ok(())
}

/// Documents whose programs are compiled together: the many small ones, then each giant.
fn runs<'d>(documents: impl Iterator<Item = &'d mut Document>) -> Vec<Vec<&'d mut Document>> {
    let (giants, others): (Vec<_>, Vec<_>) = documents.partition(|it| it.lines > GIANT);
    let giants = giants.into_iter().map(|giant| vec![giant]);
    let runs = std::iter::once(others).chain(giants);
    runs.filter(|run| !run.is_empty()).collect()
}
