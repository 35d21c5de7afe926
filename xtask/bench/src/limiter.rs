//! `cargo xtask bench limiter`: the cost of a check of the limiter.

use super::record::Bench;
use super::server_programs::{Common, Programs};
use super::table::{Table, median, spread};
use serde::Deserialize;
use std::io;

/// How many nanoseconds a check may take, however many keys there are.
const TARGET: f64 = 1000.0;

const MEANING: &str = "\
CPU time of one check of the in-memory rate limiter: find the project's window, drop expired requests, and allow or \
reject. Keys are random, so with 100,000 keys most windows are not in a CPU cache. *Server requests* has the cost of \
a whole request.";

/// The arguments of `bench limiter`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Measurements of each case; the median counts
    #[arg(long, default_value_t = 11)]
    rounds: usize,
    #[command(flatten)]
    common: Common,
}

/// The measurement of a case.
#[derive(Deserialize)]
struct Case {
    name: String,
    /// For a check, round by round.
    nanoseconds: Vec<f64>,
    /// Which part of the checks admits.
    admitted: f64,
    /// For a key.
    bytes: f64,
}

/// Measures; whether the target is met.
///
/// # Errors
/// When the program cannot be built or run.
pub(crate) fn run(arguments: &Arguments) -> io::Result<bool> {
    let programs = Programs::get(&arguments.common)?;
    let said = programs.inside(&["limiter", &arguments.rounds.max(1).to_string()])?;
    let cases: Vec<Case> = serde_json::from_str(&said)?;
    let mut table = Table::new(&["checks", "ns", "spread", "admitted", "bytes per key"]);
    let mut met = true;
    for case in cases {
        let nanoseconds = median(&case.nanoseconds);
        met &= nanoseconds <= TARGET;
        table.row(vec![
            case.name,
            format!("{nanoseconds:.0}"),
            spread(&case.nanoseconds),
            format!("{:.0} %", case.admitted * 100.0),
            format!("{:.0}", case.bytes),
        ]);
    }
    let verdict = if met { "met" } else { "missed" };
    let target = format!("target: at most {TARGET} ns: {verdict}");
    let bench = Bench::Limiter;
    let common = &arguments.common;
    common.tell(bench, &[&table], &target, MEANING)?;
    Ok(met)
}
