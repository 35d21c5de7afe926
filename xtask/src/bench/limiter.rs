//! `cargo xtask bench limiter`: what it costs to ask the limiter whether a request may go on.

use super::server_programs::{Build, Programs};
use super::table::{Table, median, spread};
use serde::Deserialize;
use std::io;
use std::path::Path;

/// How many nanoseconds a check may take, however many keys there are.
const BAR: f64 = 200.0;

/// What `bench limiter` takes.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How often each case is measured; the median counts
    #[arg(long, default_value_t = 11)]
    rounds: usize,
    /// Write the table as Markdown
    #[arg(long)]
    markdown: bool,
    #[command(flatten)]
    build: Build,
}

/// What the program says of a case.
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

/// Measures; whether the bar is met.
///
/// # Errors
/// When the program cannot be built or run.
pub(crate) fn run(root: &Path, arguments: &Arguments) -> io::Result<bool> {
    let programs = Programs::get(root, &arguments.build)?;
    let said = programs.inside(&["limiter", &arguments.rounds.max(1).to_string()])?;
    let cases: Vec<Case> = serde_json::from_str(&said)?;
    let mut table = Table::new(&["checks", "ns", "spread", "admitted", "bytes per key"]);
    let mut met = true;
    for case in cases {
        let nanoseconds = median(&case.nanoseconds);
        met &= nanoseconds <= BAR;
        table.row(vec![
            case.name,
            format!("{nanoseconds:.0}"),
            spread(&case.nanoseconds),
            format!("{:.0} %", case.admitted * 100.0),
            format!("{:.0}", case.bytes),
        ]);
    }
    print!("{}", table.render(arguments.markdown));
    let verdict = if met { "met" } else { "missed" };
    println!("bar: at most {BAR} ns: {verdict}");
    Ok(met)
}
