//! `cargo xtask bench profile`: records a profile of the server under load, by which `bench serve` and
//! `cargo xtask dist` compile it (profile-guided optimization).
//!
//! A server on bare hyper answers the same requests for the profile, so that `bench serve` compares two programs
//! that are compiled alike.

use super::load::Load;
use super::serve::requests::{self, Workload};
use super::server_programs::Programs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};
use workspace::{Server, pgo};

/// How many customers take turns: none comes near a limit.
const CUSTOMERS: usize = 500;

/// How many requests of a kind are sent.
const REQUESTS: usize = 20_000;

/// How many donations are imported.
const DONATIONS: &str = "20000";

/// Reads beside those that `serve` measures, and the statuses of their answers.
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

/// Records a profile, and names its file.
///
/// # Errors
/// When it cannot be recorded or written.
pub(super) fn run(arguments: &Arguments) -> io::Result<bool> {
    let mut profile = record()?;
    if let Some(out) = &arguments.out {
        fs::copy(profile, out)?;
        profile = out.clone();
    }
    eprintln!("{:>12} {}", "Recorded", profile.display());
    Ok(true)
}

/// Records a profile, and returns its file. The file has a new name each time: cargo notices a changed flag, but
/// not a changed file that a flag names.
///
/// # Errors
/// When a program does not compile, the server does not answer as it should, or the profiles cannot be merged.
pub(super) fn record() -> io::Result<PathBuf> {
    pgo::merger()?;
    let folder = workspace::target().join("profile");
    let raw = folder.join("raw");
    let programs = Programs::recording(&raw)?;
    let work = folder.join("work");
    for folder in [&raw, &work] {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
    }
    fs::create_dir_all(&work)?;
    import(&programs, &work)?;
    serve(&programs, &work)?;
    let profile = work.join(format!("{}.profdata", jiff::Timestamp::now().as_second()));
    pgo::merge(&raw, &profile)?;
    Ok(profile)
}

/// Imports donations.
fn import(programs: &Programs, work: &Path) -> io::Result<()> {
    eprintln!("{:>12} an import", "Recording");
    let file = |name| work.join(name).display().to_string();
    let [catalogue, donations, database] =
        ["catalogue.ndjson", "donations.ndjson", "import.db"].map(file);
    programs.inside(&["donations", DONATIONS, "0", &catalogue, &donations])?;
    for lines in [&catalogue, &donations] {
        let mut import = Command::new(&programs.server);
        import.args(["import", lines, "--database", &database]);
        if !import.output()?.status.success() {
            return Err(io::Error::other(format!("{lines} is not imported")));
        }
    }
    Ok(())
}

/// Sends each kind of request to the server, and to bare hyper.
fn serve(programs: &Programs, work: &Path) -> io::Result<()> {
    let database = work.join("catalogue.db");
    let keys = programs.customers(&database, CUSTOMERS)?;
    let server = programs.serve(&database, &[])?;
    let others = OTHERS.map(|(path, status)| Workload::of(path, status));
    for workload in requests::all(&server)?.into_iter().chain(others) {
        eprintln!("{:>12} {}", "Recording", workload.name);
        let answer = workload.answer(&server, keys.first())?;
        let bare = programs.bare(&work.join("answer"), &answer)?;
        let load = Load {
            requests: workload.requests(&keys),
            count: REQUESTS,
            status: workload.status.to_string(),
        };
        let record = |server: &Server| load.put_on(server).map(|_| ());
        record(&server)?;
        record(&bare)?;
        bare.stop()?;
    }
    server.stop()
}
