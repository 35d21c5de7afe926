//! The program: reads the command line and does what it says.

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use server::cli::Cli;

/// A request makes some thirty small things that are soon let go of, which this allocator does with
/// less work than the system's, for more memory at rest.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> ExitCode {
    let done = Cli::parse().run().await;
    server::http::flush_log();
    match done {
        Ok(code) => code,
        Err(error) => {
            // Nobody is left to be told when standard error cannot be written either.
            let _ = write!(io::stderr(), "{}", report(&*error));
            ExitCode::FAILURE
        }
    }
}

/// The error and, line by line, what caused it. A cause that says the same again is left out.
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
