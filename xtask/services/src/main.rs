//! `cargo xtask services`: real services, called by clients that are generated from their own documents.
//!
//! Each folder beside `src/` with a `service.sh` is a service. The script installs it, starts it and prints its document;
//! `openapi-crate.toml` has the settings of its client; `calls.rs` is a program of typical calls. The crates are built in
//! target/services, with one target folder.

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

/// Calls real services with clients generated from their own documents, and reports failed calls.
///
/// Services that are not installed are skipped. Documents, crates, logs and the outcome of each call are stored in
/// target/services. Exit status: 0 if the clients do as well as the documents allow, 1 if one does not, 2 if a
/// service could not be started or a client could not be built.
#[derive(clap::Parser)]
#[command(bin_name = "cargo xtask services")]
struct Arguments {
    /// The services to call [default: all]
    names: Vec<String>,
    /// Install the services first, from package registries
    #[arg(long)]
    install: bool,
    /// The folder where services are installed, outside the repository
    #[arg(
        long,
        env = "SERVICES",
        value_name = "FOLDER",
        default_value = "../services"
    )]
    installed: PathBuf,
    /// Generate only the crate of this settings file; used to log the generator's messages
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

/// Calls the services, and returns whether their clients meet the target.
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
    if rows.iter().all(Row::is_skipped) {
        return Err(io::Error::other("no service is installed"));
    }
    let meets_target = rows.iter().all(Row::meets_target);
    match rows.into_iter().find_map(Row::into_error) {
        Some(error) => Err(error),
        None => Ok(meets_target),
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
