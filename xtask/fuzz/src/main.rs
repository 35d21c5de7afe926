//! `cargo xtask fuzz`: libFuzzer searches for inputs that make a part of the server or of the generator
//! panic, hang, or answer wrongly.
//!
//! Each file below `targets/src/bin/` is a target. For runs of minutes, our own code is compiled with the coverage
//! counters that guide libFuzzer, which a stable compiler can add; runs of seconds, as in CI, try the kept inputs
//! and variants of them, guided by the targets' code alone. `corpus/` keeps the inputs that a run begins with: a few
//! written by hand, and those of long runs that reach further (`--keep`).

mod build;
mod run;

use clap::Parser;
use run::{Runner, Summary};
use std::io;
use std::process::ExitCode;
use std::time::Duration;

/// Fuzzes the server and the generator for inputs that cause panics, hangs or wrong output.
///
/// Requires a C++ compiler. The end of the report names the file with the input that was found; run the
/// target's program with it to reproduce the failure.
///
/// Exit status: 0 if nothing is found, 1 if something is, 2 if a target cannot be built or run, 3 if there is
/// no C++ compiler.
#[derive(Parser)]
#[command(bin_name = "cargo xtask fuzz")]
struct Arguments {
    /// Run only this target
    #[arg(long, value_name = "NAME")]
    target: Option<String>,
    /// Seconds per target
    #[arg(
        long,
        value_name = "N",
        default_value_t = 5,
        conflicts_with = "minutes"
    )]
    seconds: u64,
    /// Minutes per target
    #[arg(long, value_name = "N")]
    minutes: Option<u64>,
    /// Add new inputs that increase coverage to the corpus
    #[arg(long)]
    keep: bool,
}

impl Arguments {
    fn time(&self) -> Duration {
        let seconds = self.minutes.map_or(self.seconds, |minutes| minutes * 60);
        Duration::from_secs(seconds)
    }
}

fn main() -> ExitCode {
    if let Some(mut compiler) = build::compiler(std::env::args_os().skip(1)) {
        let status = compiler.status().ok().and_then(|status| status.code());
        return ExitCode::from(status.map_or(1, |code| u8::try_from(code).unwrap_or(1)));
    }
    let arguments = Arguments::parse();
    if !build::has_compiler() {
        eprintln!("error: there is no C++ compiler");
        return ExitCode::from(3);
    }
    workspace::exit_code(fuzz(&arguments))
}

/// Runs the targets one after the other; whether nothing is found.
fn fuzz(arguments: &Arguments) -> io::Result<bool> {
    let wanted = |name: &str| arguments.target.as_deref().is_none_or(|only| only == name);
    let names: Vec<String> = build::targets()?
        .into_iter()
        .filter(|name| wanted(name))
        .collect();
    if names.is_empty() {
        return Err(io::Error::other(format!(
            "the targets are {}",
            build::targets()?.join(", ")
        )));
    }
    let runner = Runner {
        programs: build::build(&names, arguments.minutes.is_some())?,
        time: arguments.time(),
        keep: arguments.keep,
    };
    println!(
        "{:<12} {:>12} {:>10} {:>8}",
        "target", "inputs", "coverage", "corpus"
    );
    let mut inputs = 0;
    let mut is_clean = true;
    for name in names {
        let summary = runner.run(&name)?;
        let Summary {
            tried,
            coverage,
            corpus,
            ..
        } = &summary;
        println!("{name:<12} {tried:>12} {coverage:>10} {corpus:>8}");
        if let Some(finding) = &summary.finding {
            println!("{finding}");
            is_clean = false;
        }
        inputs += tried;
    }
    println!("{:<12} {inputs:>12}", "all");
    Ok(is_clean)
}
