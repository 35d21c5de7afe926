//! `cargo xtask bench profile`: a profile of the server under load. `bench serve` and `cargo xtask dist` compile
//! the server by it, which saves an eighth of the cost of a request.

use super::load::Load;
use super::serve::requests::{self, Workload};
use super::server_programs::Programs;
use std::path::PathBuf;
use std::{fs, io};
use workspace::Server;

/// How many customers take turns, and how many requests of a kind are sent: none comes near a limit.
const CUSTOMERS: usize = 500;
const REQUESTS: usize = 20_000;

/// What is read beside the requests that `serve` measures, and the statuses of the answers.
const OTHERS: [(&str, u16); 7] = [
    ("/api/v1/campaigns", 200),
    ("/api/v1/chains", 200),
    ("/api/v1/tokens", 200),
    ("/api/v1/charities?q=water&limit=50", 200),
    ("/api/v1/configs", 200),
    ("/api/v1/charities/nobody", 404),
    ("/api/v1/nothing", 404),
];

/// The arguments of `bench profile`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Copy the profile to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Records a profile, and prints where it is.
///
/// # Errors
/// When it cannot be recorded or written.
pub(super) fn run(arguments: &Arguments) -> io::Result<bool> {
    let mut profile = record()?;
    if let Some(out) = &arguments.out {
        fs::copy(profile, out)?;
        profile = out.clone();
    }
    println!("{}", profile.display());
    Ok(true)
}

/// Records a profile; its file, which has another name each time: cargo compiles again when a flag changes, and
/// not when a file does that a flag names.
///
/// # Errors
/// When the server does not compile, does not answer as it should, or its profile cannot be merged.
pub(super) fn record() -> io::Result<PathBuf> {
    workspace::profile::merger()?;
    let folder = workspace::target().join("profile");
    let raw = folder.join("raw");
    let programs = Programs::recording(&raw)?;
    let database = folder.join("catalogue.db");
    let keys = programs.customers(&database, CUSTOMERS)?;
    // Only the server's profile counts, and that of this run.
    fs::remove_dir_all(&raw)?;
    let server = programs.serve(&database, &[])?;
    put_load(&server, &keys)?;
    server.stop()?;
    let profile = folder.join(format!("{}.profdata", jiff::Timestamp::now().as_second()));
    workspace::profile::merge(&raw, &profile)?;
    Ok(profile)
}

/// Sends each kind of request.
fn put_load(server: &Server, keys: &[String]) -> io::Result<()> {
    let others = OTHERS.map(|(path, status)| Workload::of(path, status));
    for workload in requests::all(server)?.into_iter().chain(others) {
        eprintln!("{:>12} {}", "Recording", workload.name);
        let load = Load {
            requests: workload.requests(keys),
            count: REQUESTS,
            status: workload.status.to_string(),
        };
        load.put_on(server)?;
    }
    Ok(())
}
