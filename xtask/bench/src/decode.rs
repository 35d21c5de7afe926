//! `cargo xtask bench decode`: the cost of decoding a body with every check, compared with plain serde
//! without checks, and its growth with the length of hostile bodies.

use super::record::{Bench, record};
use super::table::{Table, median, spread};
use serde::Deserialize;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use workspace::{Profile, Program};

/// How much more than plain serde a valid body may cost.
const TARGET: f64 = 1.2;

/// The lengths that hostile bodies have, in bytes: the second is four times the first.
const LENGTHS: [usize; 2] = [250_000, 1_000_000];

/// The maximum ratio of the costs of the longer and the shorter body. The longer one has four times the
/// length, so quadratic growth would make it sixteen times as costly.
const GROWTH: f64 = 8.0;

/// How much memory a hostile body may take, in multiples of its length. Most of it is the value that
/// violations are looked for in.
const MEMORY: f64 = 80.0;

const EXPLANATION: &str = "\
CPU time per body: with plain serde, which checks nothing, and with every check. The two take turns; *ratio* \
is the median over the rounds, and *spread* the middle half.";

pub(crate) const PROGRAM: Program = Program {
    name: "decode",
    folders: &["xtask/bench/decode"],
    contract: "xtask/bench/decode/contract.yaml",
    dependencies: "",
};

/// The arguments of `bench decode`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Rounds of the two decoders, alternating; the median ratio counts
    #[arg(long, default_value_t = 101)]
    rounds: usize,
    /// Also write the tables to this file, as Markdown
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

/// The measurement of a valid body: nanoseconds by plain serde and with every check.
#[derive(Deserialize)]
struct Valid {
    name: String,
    bytes: usize,
    turns: Vec<[f64; 2]>,
}

/// The measurement of a hostile body.
#[derive(Deserialize)]
struct Hostile {
    outcome: String,
    bytes: usize,
    /// In nanoseconds.
    cpu: f64,
    /// In bytes.
    memory: f64,
}

/// Measures; whether the target is met.
///
/// # Errors
/// When the program cannot be built or run.
pub(crate) fn run(arguments: &Arguments) -> io::Result<bool> {
    let program = PROGRAM.build(Profile::Release)?.join("decode");
    let (valid, fast) = valid(&program, arguments.rounds.max(1))?;
    let (hostile, bounded) = hostile(&program)?;
    println!("{}", valid.render(false));
    print!("{}", hostile.render(false));
    let target = format!(
        "target: valid at most {TARGET}: {}; four times the hostile bytes at most {GROWTH} times the work, \
         {MEMORY} bytes of memory for each: {}",
        verdict(fast),
        verdict(bounded)
    );
    println!("{target}");
    if let Some(file) = &arguments.markdown {
        let command = format!("cargo xtask bench decode --rounds {}", arguments.rounds);
        let (valid, hostile) = (valid.render(true), hostile.render(true));
        let text = format!("{EXPLANATION}\n\n{valid}\n{hostile}\n{target}\n");
        record(file, Bench::Bodies, &command, &text)?;
    }
    Ok(fast && bounded)
}

fn verdict(met: bool) -> &'static str {
    if met { "met" } else { "missed" }
}

fn valid(program: &Path, rounds: usize) -> io::Result<(Table, bool)> {
    let bodies: Vec<Valid> = say(program, &["valid", &rounds.to_string()])?;
    let mut table = Table::new(&[
        "valid body",
        "bytes",
        "serde µs",
        "checked µs",
        "ratio",
        "spread",
    ]);
    let mut met = true;
    for body in bodies {
        let way =
            |way: fn(&[f64; 2]) -> f64| median(&body.turns.iter().map(way).collect::<Vec<_>>());
        let ratios: Vec<f64> = body
            .turns
            .iter()
            .map(|[plain, checked]| checked / plain)
            .collect();
        let ratio = median(&ratios);
        met &= ratio <= TARGET;
        table.row(vec![
            body.name,
            body.bytes.to_string(),
            format!("{:.2}", way(|[plain, _]| plain / 1e3)),
            format!("{:.2}", way(|[_, checked]| checked / 1e3)),
            format!("{ratio:.2}"),
            spread(&ratios),
        ]);
    }
    Ok((table, met))
}

fn hostile(program: &Path) -> io::Result<(Table, bool)> {
    let cases: Vec<String> = say(program, &["cases"])?;
    let head = [
        "hostile body",
        "ms",
        "4 × as long, ms",
        "growth",
        "bytes per byte",
        "outcome",
    ];
    let mut table = Table::new(&head);
    let mut met = true;
    for case in cases {
        let ask = |length: usize| say::<Hostile>(program, &["hostile", &case, &length.to_string()]);
        let [short, long] = LENGTHS.map(ask);
        let (short, long) = (short?, long?);
        // Costs below the resolution of the scheduler's clock count as equal.
        let growth = long.cpu / short.cpu.max(4e6);
        let memory = long.memory / long.bytes as f64;
        met &= growth <= GROWTH && memory <= MEMORY;
        table.row(vec![
            case,
            format!("{:.0}", short.cpu / 1e6),
            format!("{:.0}", long.cpu / 1e6),
            format!("{growth:.1}"),
            format!("{memory:.0}"),
            long.outcome,
        ]);
    }
    Ok((table, met))
}

/// Runs the program and parses its output.
fn say<T: for<'de> Deserialize<'de>>(program: &Path, arguments: &[&str]) -> io::Result<T> {
    let output = Command::new(program).args(arguments).output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(io::Error::other(format!("{arguments:?}: {said}")));
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}
