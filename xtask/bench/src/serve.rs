//! `cargo xtask bench serve`: the cost of a request to the server, compared with bare hyper that
//! answers with the same bytes; and the server's idle memory, start time and size on disk.
//!
//! The server enforces its limits: many customers of the highest tier take turns, so that the load
//! stays within them. Its log goes to a pipe, as under a supervisor.

mod requests;
mod rest;

use super::load::Load;
use super::record::Bench;
use super::server_programs::{self, Common, Programs};
use super::table::{Table, median, spread};
use requests::Workload;
use rest::Rest;
use std::{fs, io};

/// How many customers take turns; each may make 1000 requests in any minute.
const CUSTOMERS: usize = 1500;

/// How much more than bare hyper an answer may cost.
const TARGET: f64 = 1.5;

const MEANING: &str = "\
CPU time (user and system) per request, compared with a bare hyper server that sends byte-identical responses, with \
the same runtime and allocator. Every request has a key and is counted; 1,500 Enterprise projects take turns, so none \
reaches its limit. Default settings: the access log goes to a pipe; *without log* is the ratio with `--log \
info,access=off`. Memory after the load includes all rate windows.";

/// The arguments of `bench serve`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Rounds of the servers, alternating; the median ratio counts
    #[arg(long, default_value_t = 15)]
    rounds: usize,
    /// Requests per round
    #[arg(long, default_value_t = 20_000)]
    requests: usize,
    #[command(flatten)]
    common: Common,
}

/// Measures; returns whether the target is met.
///
/// # Errors
/// When the servers cannot be built or run, or their responses differ.
pub(crate) fn run(arguments: &Arguments) -> io::Result<bool> {
    let programs = Programs::get(&arguments.common)?;
    let work = workspace::target().join("bench/serve");
    fs::create_dir_all(&work)?;
    let database = work.join("catalogue.db");
    let keys = programs.customers(&database, CUSTOMERS)?;
    // A database is one server's, and so are the windows that are kept beside it. It is copied while no
    // server has it open, and without the log of an earlier copy, which would corrupt it.
    let copy = work.join("copy.db");
    server_programs::remove(&copy)?;
    fs::copy(&database, &copy)?;
    let rest = Rest::measure(&programs, &database)?;
    let server = programs.serve(&database, &[])?;
    let silent = programs.serve(&copy, &["--log", "info,access=off"])?;
    let mut table = Table::new(&[
        "request",
        "bytes",
        "hyper µs",
        "server µs",
        "ratio",
        "spread",
        "without log",
    ]);
    let mut met = true;
    for workload in requests::all(&server)? {
        let answer = workload.answer(&server, keys.first())?;
        let bare = programs.bare(&work.join("answer"), &answer)?;
        requests::compare(&answer, &workload.answer(&bare, keys.first())?)?;
        let load = Load {
            requests: workload.requests(&keys),
            count: arguments.requests,
            status: workload.status.to_string(),
        };
        let turn = |server| load.put_on(server).map(|turn| turn.cpu);
        let mut turns = Turns::default();
        for round in 0..arguments.rounds.max(1) {
            eprintln!("{:>12} {} {}", "Round", round + 1, workload.name);
            // The order alternates, because each program leaves the machine in another state for the
            // next.
            let (one, other, third) = if round % 2 == 0 {
                (turn(&bare)?, turn(&server)?, turn(&silent)?)
            } else {
                let third = turn(&silent)?;
                let other = turn(&server)?;
                (turn(&bare)?, other, third)
            };
            turns.push(one, other, third);
        }
        met &= median(&turns.ratios) <= TARGET;
        table.row(turns.row(&workload, answer.len()));
    }
    let loaded = (server.memory()?, server.peak()?);
    let tables = [&table, &rest.table(loaded)];
    let target = verdict(arguments.rounds, met);
    let bench = Bench::Serving;
    arguments.common.tell(bench, &tables, &target, MEANING)?;
    Ok(met)
}

fn verdict(rounds: usize, met: bool) -> String {
    let verdict = if met { "met" } else { "missed" };
    format!("target: median ratio at most {TARGET} in {rounds} rounds: {verdict}")
}

/// The cost of a request in each turn, in microseconds of processor time.
#[derive(Default)]
struct Turns {
    bare: Vec<f64>,
    server: Vec<f64>,
    ratios: Vec<f64>,
    silent: Vec<f64>,
}

impl Turns {
    fn push(&mut self, bare: f64, server: f64, silent: f64) {
        self.ratios.push(server / bare);
        self.silent.push(silent / bare);
        self.bare.push(bare);
        self.server.push(server);
    }

    fn row(&self, workload: &Workload, bytes: usize) -> Vec<String> {
        vec![
            workload.name.to_owned(),
            bytes.to_string(),
            format!("{:.2}", median(&self.bare)),
            format!("{:.2}", median(&self.server)),
            format!("{:.2}", median(&self.ratios)),
            spread(&self.ratios),
            format!("{:.2}", median(&self.silent)),
        ]
    }
}
