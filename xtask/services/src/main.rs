//! `cargo xtask services`: real services, called by clients that are generated from their own documents.
//!
//! A folder beside `src/` is a service: `service.sh` installs it, starts it and prints its document,
//! `openapi-crate.toml` has the settings of its client, `calls.rs` is a program of typical calls. The crates are
//! members of one workspace below target/services, so that their dependencies are built once.

mod client;
mod service;
mod table;

use clap::Parser as _;
use fs_err as fs;
use service::{Service, Started};
use std::io;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use table::Row;

/// Starts real services on the loopback, calls them by clients generated from their own documents, and reports each
/// call that does not work.
///
/// Services that are not installed are skipped; --install installs them by package name. Documents, crates and the
/// outcome of each call stay below target/services. Exit status: 0 when every call of the services works, 1 when
/// one does not, 2 when a service, its client or its program could not be tried.
#[derive(clap::Parser)]
#[command(bin_name = "cargo xtask services")]
struct Arguments {
    /// The services [default: all]
    names: Vec<String>,
    /// Install the services first
    #[arg(long)]
    install: bool,
    /// The folder that services are installed in
    #[arg(long, env = "SERVICES", value_name = "FOLDER", default_value = "../services")]
    installed: PathBuf,
    /// Only generate the crate of this settings file: used to keep the generator's messages in a file
    #[arg(long, hide = true, value_name = "FILE")]
    generate_only: Option<PathBuf>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    workspace::exit_code(match &arguments.generate_only {
        Some(settings) => client::generate(settings),
        None => run(&arguments),
    })
}

/// Whether each call works.
fn run(arguments: &Arguments) -> io::Result<bool> {
    let installed = workspace::root().join(&arguments.installed);
    let services = service::find(&arguments.names, &installed)?;
    let mut rows = Vec::new();
    for service in &services {
        if arguments.install {
            service.install()?;
        }
        let row = call(service).unwrap_or_else(|error| Row::untried(&service.name, error));
        eprint!("{}", table::failures(&row));
        rows.push(row);
    }
    print!("{}", table::table(&rows));
    let is_fine = rows.iter().all(Row::is_fine);
    match rows.into_iter().find_map(Row::into_error) {
        Some(error) => Err(error),
        None => Ok(is_fine),
    }
}

/// Starts a service, generates and builds its client, and runs the program of its calls.
fn call(service: &Service) -> io::Result<Row> {
    let name = &service.name;
    eprintln!("{:>12} {name}", "Starting");
    let running = match service.start()? {
        Started::Running(running) => running,
        Started::NotInstalled => return Ok(Row::skipped(name)),
    };
    let program = client::build(service, &running.document)?;
    eprintln!("{:>12} {name}", "Calling");
    let output = Command::new(program)
        .arg(&running.base)
        .stderr(std::process::Stdio::inherit())
        .output()?;
    fs::write(client::folder(name).join("outcomes.jsonl"), &output.stdout)?;
    Row::read(name, &output)
}
