//! The program `donation-catalog`: parses the command line and runs the command.

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use server::cli::{Cli, apply_env_file, printable_lines};

/// A request makes about twenty short-lived allocations. This allocator is faster at them than the
/// system's, and uses more memory when idle.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match apply_env_file(&cli) {
        Ok(()) => cli.run().await,
        Err(error) => Err(error.into()),
    };
    edge::http::flush_log();
    match done {
        Ok(code) => code,
        Err(error) => {
            // An error of standard error cannot be reported anywhere.
            let _ = write!(io::stderr(), "{}", printable_lines(&report(&*error)));
            ExitCode::FAILURE
        }
    }
}

/// The error and, line by line, its causes. A cause that repeats the message is left out.
fn report(error: &dyn Error) -> String {
    let mut told = error.to_string();
    let mut report = format!("error: {}\n", told.trim_end());
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        if text != told {
            report.push_str(&format!("  because {}\n", text.trim_end()));
        }
        told = text;
        cause = error.source();
    }
    report
}
