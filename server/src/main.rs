//! The program: reads the command line and does what it says.

use std::error::Error;
use std::process::ExitCode;

use clap::Parser;
use server::cli::Cli;

#[tokio::main]
async fn main() -> ExitCode {
    match Cli::parse().run().await {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            let mut cause = error.source();
            while let Some(error) = cause {
                eprintln!("  because {error}");
                cause = Error::source(error);
            }
            ExitCode::FAILURE
        }
    }
}
