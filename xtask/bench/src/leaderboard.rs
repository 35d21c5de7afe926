//! `cargo xtask bench leaderboard`: the time of a page of a leaderboard, compared with the same page
//! with a thousandth of the donations.
//!
//! Tests of the stores check that both read the same number of rows, by plans and steps; for
//! PostgreSQL, the rows read are printed here too.

mod boards;

use super::record::Bench;
use super::server_programs::{Common, Programs};
use super::table::{Table, median, spread};
use boards::{Boards, Files, Maker, Shared};
use serde::Deserialize;
use std::{fs, io};

/// How much longer the median page may take.
const TARGET: f64 = 1.5;

/// How many times as many donations there are.
const TIMES: usize = 1000;

const MEANING: &str = "\
Wall-clock time of the database query for a page of 50 entries, including threads and connections, without HTTP. Both \
databases are filled by `donation-catalog import` and verified; PostgreSQL has its default configuration and is \
vacuumed once. Calls alternate between them. Tests check the query plans (a covering index, no sort). Each token has \
one entry: all donations go through its active config. *Rows* are index and table rows read per page, from \
PostgreSQL's statistics (median of the rounds).";

/// The arguments of `bench leaderboard`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Measurements of the pages; the median ratio counts
    #[arg(long, default_value_t = 7)]
    rounds: usize,
    /// Requests per page and round, alternating between both databases
    #[arg(long, default_value_t = 1000)]
    calls: usize,
    /// Donations in the smaller database
    #[arg(long, default_value_t = 2000)]
    donations: usize,
    /// Tokens on the leaderboard, besides the demo's
    #[arg(long, default_value_t = 2000)]
    tokens: usize,
    #[command(flatten)]
    common: Common,
}

/// The measurement of a page: p50 and p99 in microseconds.
#[derive(Deserialize)]
struct Page {
    name: String,
    length: usize,
    few: [f64; 2],
    many: [f64; 2],
}

/// Measures; whether the target is met.
///
/// # Errors
/// When the programs cannot be built or run.
pub(crate) fn run(arguments: &Arguments) -> io::Result<bool> {
    let work = workspace::target().join("bench/leaderboard");
    fs::create_dir_all(&work)?;
    let maker = Maker {
        programs: Programs::get(&arguments.common)?,
        work,
        donations: [arguments.donations, arguments.donations * TIMES],
        tokens: arguments.tokens,
    };
    maker.write()?;
    let mut table = Table::new(&[
        "page",
        "entries",
        "p50 µs",
        &format!("p50 × {TIMES}"),
        "ratio",
        "spread",
        "p99 µs",
        &format!("p99 × {TIMES}"),
        "rows",
        &format!("rows × {TIMES}"),
    ]);
    let mut met = true;
    let mut measure = |boards: &dyn Boards| -> io::Result<()> {
        let rounds = Rounds::take(boards, &maker.programs, arguments)?;
        met &= rounds.tell(&boards.name(), &mut table);
        Ok(())
    };
    measure(&Files::make(&maker)?)?;
    measure(&Shared::make(&maker)?)?;
    let verdict = if met { "met" } else { "missed" };
    let [few, many] = maker.donations;
    let target =
        format!("target: at most {TARGET} with {many} donations instead of {few}: {verdict}");
    let bench = Bench::Leaderboard;
    let common = &arguments.common;
    common.tell(bench, &[&table], &target, MEANING)?;
    Ok(met)
}

/// The measurements of a store.
#[derive(Default)]
struct Rounds {
    pages: Vec<Vec<Page>>,
    /// How many rows a page has read, where that is known.
    rows: Vec<[f64; 2]>,
}

impl Rounds {
    fn take(boards: &dyn Boards, programs: &Programs, arguments: &Arguments) -> io::Result<Rounds> {
        let [few, many] = boards.locations();
        let calls = arguments.calls.to_string();
        let mut rounds = Rounds::default();
        for round in 0..arguments.rounds.max(1) {
            eprintln!("{:>12} {} of {}", "Round", round + 1, boards.name());
            let before = boards.rows_read()?;
            let said = programs.inside(&["leaderboard", &few, &many, &calls])?;
            let pages: Vec<Page> = serde_json::from_str(&said)?;
            if let (Some(before), Some(after)) = (before, boards.rows_read()?) {
                let asked = (arguments.calls * pages.len()) as f64;
                let read = |at: fn([u64; 2]) -> u64| (at(after) - at(before)) as f64 / asked;
                rounds
                    .rows
                    .push([read(|[few, _]| few), read(|[_, many]| many)]);
            }
            rounds.pages.push(pages);
        }
        Ok(rounds)
    }

    /// Adds a row for each page; whether the target is met.
    fn tell(&self, store: &str, table: &mut Table) -> bool {
        let mut met = true;
        for at in 0..self.pages.first().map_or(0, Vec::len) {
            let pages: Vec<&Page> = self
                .pages
                .iter()
                .filter_map(|pages| pages.get(at))
                .collect();
            let Some(page) = pages.first() else { break };
            let of = |figure: fn(&Page) -> f64| -> Vec<f64> {
                pages.iter().map(|page| figure(page)).collect()
            };
            let micros = |figure| format!("{:.0}", median(&of(figure)));
            let ratios = of(|page| page.many[0] / page.few[0]);
            met &= median(&ratios) <= TARGET;
            table.row(vec![
                format!("{store}, {}", page.name),
                page.length.to_string(),
                micros(|page| page.few[0]),
                micros(|page| page.many[0]),
                format!("{:.2}", median(&ratios)),
                spread(&ratios),
                micros(|page| page.few[1]),
                micros(|page| page.many[1]),
                self.rows(|[few, _]| few),
                self.rows(|[_, many]| many),
            ]);
        }
        met
    }

    fn rows(&self, of: fn([f64; 2]) -> f64) -> String {
        let figures: Vec<f64> = self.rows.iter().map(|rows| of(*rows)).collect();
        match figures.is_empty() {
            true => "-".to_owned(),
            false => format!("{:.1}", median(&figures)),
        }
    }
}
