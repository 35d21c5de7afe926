//! `cargo xtask bench leaderboard`: how long a page of a leaderboard takes, beside the same page with
//! a thousandth of the donations.
//!
//! That both read the same rows is held by tests of the store, which look at the plan and count steps.

use super::record::Bench;
use super::server_programs::{Common, Programs, remove};
use super::table::{Table, median, spread};
use serde::Deserialize;
use std::path::Path;
use std::{fs, io};

/// How much longer the median page may take.
const BAR: f64 = 1.5;

/// How many times as many donations there are.
const TIMES: usize = 1000;

const MEANING: &str = "\
The question to the store for a page of 50 tokens, by the clock, threads and all, without HTTP; SQLite. The \
two databases take turns call by call. That both read the same rows is held by tests of the store: one \
looks at the plan, a covering index and no sort, the other counts SQLite's steps, which are equal.";

/// What `bench leaderboard` takes.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How often the pages are measured; the median of the ratios counts
    #[arg(long, default_value_t = 7)]
    rounds: usize,
    /// How often each page is asked for in a round, of both databases in turn
    #[arg(long, default_value_t = 2000)]
    calls: usize,
    /// How many donations the smaller database has
    #[arg(long, default_value_t = 1000)]
    donations: usize,
    /// How many tokens the leaderboard has, beside the demonstration's
    #[arg(long, default_value_t = 2000)]
    tokens: usize,
    #[command(flatten)]
    common: Common,
}

/// What the program says of a page: p50 and p99 in microseconds.
#[derive(Deserialize)]
struct Page {
    name: String,
    tokens: usize,
    few: [f64; 2],
    many: [f64; 2],
}

/// Measures; whether the bar is met.
///
/// # Errors
/// When the programs cannot be built or run.
pub(crate) fn run(root: &Path, work: &Path, arguments: &Arguments) -> io::Result<bool> {
    let programs = Programs::get(root, &arguments.common)?;
    let work = work.join("leaderboard");
    fs::create_dir_all(&work)?;
    let few = database(
        &programs,
        &work,
        "few",
        arguments.donations,
        arguments.tokens,
    )?;
    let count = arguments.donations * TIMES;
    let many = database(&programs, &work, "many", count, arguments.tokens)?;
    let calls = arguments.calls.to_string();
    let mut rounds = Vec::new();
    for round in 0..arguments.rounds.max(1) {
        eprintln!("{:>12} {}", "Round", round + 1);
        let said = programs.inside(&["leaderboard", &few, &many, &calls])?;
        rounds.push(serde_json::from_str::<Vec<Page>>(&said)?);
    }
    let head = [
        "page",
        "tokens",
        "p50 µs",
        &format!("p50 × {TIMES}"),
        "ratio",
        "spread",
        "p99 µs",
        &format!("p99 × {TIMES}"),
    ];
    let mut table = Table::new(&head);
    let mut met = true;
    for at in 0..rounds.first().map_or(0, Vec::len) {
        let pages: Vec<&Page> = rounds.iter().filter_map(|pages| pages.get(at)).collect();
        let of =
            |figure: fn(&Page) -> f64| pages.iter().map(|page| figure(page)).collect::<Vec<_>>();
        let ratios = of(|page| page.many[0] / page.few[0]);
        met &= median(&ratios) <= BAR;
        table.row(vec![
            pages
                .first()
                .map_or_else(String::new, |page| page.name.clone()),
            pages.first().map_or(0, |page| page.tokens).to_string(),
            format!("{:.0}", median(&of(|page| page.few[0]))),
            format!("{:.0}", median(&of(|page| page.many[0]))),
            format!("{:.2}", median(&ratios)),
            spread(&ratios),
            format!("{:.0}", median(&of(|page| page.few[1]))),
            format!("{:.0}", median(&of(|page| page.many[1]))),
        ]);
    }
    let verdict = if met { "met" } else { "missed" };
    let donations = arguments.donations;
    let bar =
        format!("bar: at most {BAR} with {count} donations instead of {donations}: {verdict}");
    let bench = (Bench::Leaderboard, "cargo xtask bench leaderboard");
    let common = &arguments.common;
    common.tell(bench, &[&table], &bar, MEANING)?;
    Ok(met)
}

/// Makes a database with so many donations to the tokens of one leaderboard; where it is.
fn database(
    programs: &Programs,
    work: &Path,
    name: &str,
    donations: usize,
    tokens: usize,
) -> io::Result<String> {
    let [catalogue, file, database] = ["catalogue.ndjson", "donations.ndjson", "db"]
        .map(|end| work.join(format!("{name}.{end}")).display().to_string());
    let (donations, tokens) = (donations.to_string(), tokens.to_string());
    programs.inside(&["donations", &donations, &tokens, &catalogue, &file])?;
    remove(database.as_ref())?;
    eprintln!("{:>12} {donations} donations", "Importing");
    programs.say(
        "server",
        &["import", &catalogue, &file, "--database", &database],
    )?;
    Ok(database)
}
