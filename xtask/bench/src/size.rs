//! `cargo xtask bench size`: a server whose database has grown: start, memory, the cost of a change in each of two
//! servers, and the time of requests.

mod dataset;

use super::load;
use super::partners::Database;
use super::record::Bench;
use super::server_programs::{Common, Programs};
use super::table::{Table, quantile};
use dataset::Dataset;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use std::{fs, io, thread};
use workspace::Server;

/// How long the processor time of an idle server is measured, to subtract it from that of a change.
const IDLE: Duration = Duration::from_secs(4);

/// The number of requests of each kind.
const REQUESTS: usize = 200;

const MEANING: &str = "\
A year of donations, half of them to the largest project. A tenth of its donations use a launchpad token with its own \
config, the rest one of twenty tokens. Two servers share the database. *Start* is until readiness. *Change* is the \
CPU time of each server to pick up one imported row, minus idle CPU time. Requests are sent one after the other on \
one connection, with a key of the largest project, each kind with different parameters. `verify` finds no difference \
at the end.";

/// The arguments of `bench size`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[arg(long, default_value_t = 50_000)]
    charities: usize,
    #[arg(long, default_value_t = 1_000_000)]
    tokens: usize,
    #[arg(long, default_value_t = 10_000_000)]
    donations: usize,
    /// Also run on PostgreSQL
    #[arg(long)]
    postgres: bool,
    #[command(flatten)]
    common: Common,
}

/// Measures; whether the targets are met.
///
/// # Errors
/// When the programs cannot be built or run.
pub(crate) fn run(arguments: &Arguments) -> io::Result<bool> {
    let work = workspace::target().join("bench/size");
    fs::create_dir_all(&work)?;
    let programs = Programs::get(&arguments.common)?;
    let dataset = Dataset {
        charities: arguments.charities,
        tokens: arguments.tokens,
        donations: arguments.donations,
    };
    let files = dataset.write(&work)?;
    let mut figures = Table::new(&["figure", "SQLite", "PostgreSQL"]);
    let mut requests = Table::new(&[
        "request",
        "SQLite p50 ms",
        "p99",
        "PostgreSQL p50 ms",
        "p99",
    ]);
    let sqlite = measure(
        &programs,
        &work,
        &Database::sqlite(&work)?,
        &dataset,
        &files,
    )?;
    let postgres = match arguments.postgres {
        true => {
            let database = Database::postgres(&programs)?;
            Some(measure(&programs, &work, &database, &dataset, &files)?)
        }
        false => None,
    };
    let other = |text: Option<&String>| text.cloned().unwrap_or_default();
    for (place, (name, value)) in sqlite.figures.iter().enumerate() {
        let value_there = postgres.as_ref().and_then(|it| it.figures.get(place));
        let cells = vec![
            (*name).to_owned(),
            value.clone(),
            other(value_there.map(|it| &it.1)),
        ];
        figures.row(cells);
    }
    for (place, (name, [p50, p99])) in sqlite.requests.iter().enumerate() {
        let there = postgres.as_ref().and_then(|it| it.requests.get(place));
        let figure = |which: usize| {
            there
                .and_then(|it| it.1.get(which))
                .map(|it| format!("{it:.1}"))
        };
        requests.row(vec![
            (*name).to_owned(),
            format!("{p50:.1}"),
            format!("{p99:.1}"),
            figure(0).unwrap_or_default(),
            figure(1).unwrap_or_default(),
        ]);
    }
    let met = sqlite.is_met() && postgres.as_ref().is_none_or(Measured::is_met);
    let verdict = if met { "met" } else { "missed" };
    let target = format!(
        "{} charities, {} tokens, {} donations\n\ntargets: start 3 s, memory 300 MiB, change 20 ms, p99 100 ms: {verdict}",
        dataset.charities, dataset.tokens, dataset.donations
    );
    let common = &arguments.common;
    common.tell(Bench::Size, &[&figures, &requests], &target, MEANING)?;
    Ok(met)
}

struct Measured {
    figures: Vec<(&'static str, String)>,
    requests: Vec<(&'static str, [f64; 2])>,
    start: Duration,
    memory: u64,
    changes: Vec<Duration>,
}

impl Measured {
    fn is_met(&self) -> bool {
        self.start <= Duration::from_secs(3)
            && self.memory <= 300 << 20
            && self
                .changes
                .iter()
                .all(|it| *it <= Duration::from_millis(20))
            && self.requests.iter().all(|(_, [_, p99])| *p99 <= 100.0)
    }
}

fn measure(
    programs: &Programs,
    work: &Path,
    database: &Database,
    dataset: &Dataset,
    files: &[PathBuf; 2],
) -> io::Result<Measured> {
    let name = database.name()?;
    let location = database.location();
    let import = |file: &Path| -> io::Result<Duration> {
        let began = Instant::now();
        let file = file.display().to_string();
        programs.say(
            "donation-catalog",
            &["import", &file, "--database", &location],
        )?;
        Ok(began.elapsed())
    };
    eprintln!("{:>12} {name}", "Import");
    let [catalog, donations] = files;
    import(catalog)?;
    let imported = import(donations)?;
    let issued = [
        "key",
        "issue",
        "--project",
        dataset::LARGEST,
        "--database",
        &location,
    ];
    let key = programs.say("donation-catalog", &issued)?;
    let key = key.lines().last().unwrap_or_default().trim().to_owned();

    eprintln!("{:>12} {name}", "Start");
    let began = Instant::now();
    let servers = [serve(programs, &location)?, serve(programs, &location)?];
    let start = began.elapsed() / 2;
    let at_start = memory(&servers)?;
    let mut changes = Vec::new();
    for (path, line) in dataset.changes() {
        let file = work.join("change.ndjson");
        fs::write(&file, line)?;
        changes.push(change(&servers, &path, || import(&file).map(drop))?);
    }
    eprintln!("{:>12} {name}", "Requests");
    let [server, _] = &servers;
    let mut requests = Vec::new();
    for (kind, paths) in dataset.requests() {
        let mut times = Vec::new();
        let mut stream = TcpStream::connect(("127.0.0.1", server.port))?;
        stream.set_nodelay(true)?;
        for path in paths.iter().cycle().take(REQUESTS) {
            times.push(ask(&mut stream, path, &key)?.as_secs_f64() * 1e3);
        }
        requests.push((kind, [quantile(&times, 50), quantile(&times, 99)]));
    }
    let afterwards = memory(&servers)?;
    drop(servers);
    eprintln!("{:>12} {name}", "Backup");
    let began = Instant::now();
    let size = database.size()?;
    database.back_up(programs, &work.join("backup"))?;
    let backup = began.elapsed();
    eprintln!("{:>12} {name}", "Verify");
    let began = Instant::now();
    programs.say("donation-catalog", &["verify", "--database", &location])?;
    let verified = began.elapsed();
    let mebibytes = |bytes: u64| format!("{:.0} MiB", bytes as f64 / f64::from(1 << 20));
    let slowest = changes.iter().max().copied().unwrap_or_default();
    Ok(Measured {
        figures: vec![
            (
                "donations imported",
                format!("{:.0}/s", dataset.donations as f64 / imported.as_secs_f64()),
            ),
            ("start", format!("{:.2} s", start.as_secs_f64())),
            ("memory at start", mebibytes(at_start)),
            ("memory after requests", mebibytes(afterwards)),
            (
                "CPU time of a change, per server",
                format!("{:.1} ms", slowest.as_secs_f64() * 1e3),
            ),
            ("database", mebibytes(size)),
            ("backup", format!("{:.0} s", backup.as_secs_f64())),
            ("verify", format!("{:.0} s", verified.as_secs_f64())),
        ],
        requests,
        start,
        memory: afterwards,
        changes,
    })
}

fn serve(programs: &Programs, location: &str) -> io::Result<Server> {
    let server = programs.serve(location, &["--lift-limits", "--log", "warn"])?;
    while !server.is_ready()? {
        thread::sleep(Duration::from_millis(5));
    }
    Ok(server)
}

/// The memory of the larger server.
fn memory(servers: &[Server; 2]) -> io::Result<u64> {
    let [one, other] = servers;
    Ok(one.memory()?.max(other.memory()?))
}

/// The processor time that a change costs the busier server until both respond with it at a path.
fn change(
    servers: &[Server; 2],
    path: &str,
    make: impl FnOnce() -> io::Result<()>,
) -> io::Result<Duration> {
    let spent = || -> io::Result<Vec<Duration>> { servers.iter().map(Server::cpu).collect() };
    let difference = |one: Vec<Duration>, two: Vec<Duration>| -> Vec<Duration> {
        let pairs = two.into_iter().zip(one);
        pairs.map(|(two, one)| two.saturating_sub(one)).collect()
    };
    let before = spent()?;
    thread::sleep(IDLE);
    let idle = difference(before, spent()?);
    let (before, began) = (spent()?, Instant::now());
    make()?;
    for server in servers {
        let mut stream = TcpStream::connect(("127.0.0.1", server.port))?;
        while ask(&mut stream, path, "").is_err() {
            stream = TcpStream::connect(("127.0.0.1", server.port))?;
            thread::sleep(Duration::from_millis(100));
        }
    }
    thread::sleep(IDLE.saturating_sub(began.elapsed()));
    let busy = difference(before, spent()?);
    Ok(difference(idle, busy).into_iter().max().unwrap_or_default())
}

/// The time of a request that is responded to with 200.
fn ask(stream: &mut TcpStream, path: &str, key: &str) -> io::Result<Duration> {
    let key = match key {
        "" => String::new(),
        key => format!("service-api-key: {key}\r\n"),
    };
    let request = format!("GET /api/v1{path} HTTP/1.1\r\nhost: localhost\r\n{key}\r\n");
    let began = Instant::now();
    let mut answer = Vec::new();
    load::exchange(stream, request.as_bytes(), "HTTP/1.1 200", &mut answer)?;
    Ok(began.elapsed())
}

impl Database {
    /// Copies the database to a file.
    fn back_up(&self, programs: &Programs, file: &Path) -> io::Result<()> {
        let target = file.display().to_string();
        match self {
            Database::Sqlite(path) => {
                let path = path.display().to_string();
                let arguments = ["backup", &target, "--force", "--database", &path];
                programs.say("donation-catalog", &arguments).map(drop)
            }
            Database::Postgres(_) => {
                let mut dump = Command::new("pg_dump");
                dump.args(["--format=custom", "--file", &target, &self.location()]);
                match dump.status()?.success() {
                    true => Ok(()),
                    false => Err(io::Error::other("pg_dump has failed")),
                }
            }
        }
    }
}
