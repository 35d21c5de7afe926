//! `cargo xtask bench import`: how fast donations are imported, checked, counted and durable, beside
//! SQLite's own bulk insert of the same rows.

use super::cost::Cost;
use super::record::Bench;
use super::server_programs::{Common, Programs, remove};
use super::table::{Table, median, spread};
use std::path::Path;
use std::process::Command;
use std::time::Instant;
use std::{fs, io};

/// Which part of the bulk insert's speed the import must have.
const BAR: f64 = 0.3;

/// How many rows the bulk insert puts into a transaction: as many as the import does.
const BATCH: usize = 2000;

const MEANING: &str = "\
`server import` of NDJSON in the order of time, from its start to its end, beside a prepared INSERT of the \
same rows from memory into the same table with the same indexes and foreign keys: WAL, synchronous=FULL, \
2000 rows to a transaction, and the same checkpoint at the end. The import besides reads and \
checks each line, looks for the donation, and keeps the statistics, the ranks and what campaigns raise; \
`server verify` finds no drift after the last round.";

/// What `bench import` takes.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How often the two take turns; the median of the ratios counts
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// How many donations are imported
    #[arg(long, default_value_t = 200_000)]
    donations: usize,
    #[command(flatten)]
    common: Common,
}

/// Measures; whether the bar is met.
///
/// # Errors
/// When the programs cannot be built or run.
pub(crate) fn run(root: &Path, work: &Path, arguments: &Arguments) -> io::Result<bool> {
    let programs = Programs::get(root, &arguments.common)?;
    let work = work.join("import");
    fs::create_dir_all(&work)?;
    let files = Files {
        programs,
        catalogue: text(&work.join("catalogue.ndjson")),
        donations: text(&work.join("donations.ndjson")),
        base: text(&work.join("base.db")),
        imported: text(&work.join("imported.db")),
        bulk: text(&work.join("bulk.db")),
    };
    files.prepare(arguments.donations)?;
    let mut turns = Turns::default();
    for round in 0..arguments.rounds.max(1) {
        eprintln!("{:>12} {}", "Round", round + 1);
        let (import, bulk) = if round % 2 == 0 {
            let import = files.import()?;
            (import, files.bulk()?)
        } else {
            let bulk = files.bulk()?;
            (files.import()?, bulk)
        };
        turns.push(import, bulk);
    }
    files.verify()?;
    let ratio = median(&turns.ratios);
    let verdict = if ratio >= BAR { "met" } else { "missed" };
    let bar = format!("bar: at least {BAR}: {verdict}");
    let bench = (Bench::Import, "cargo xtask bench import");
    let table = turns.table(arguments.donations);
    arguments.common.tell(bench, &[&table], &bar, MEANING)?;
    Ok(ratio >= BAR)
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

/// The programs and the files that stay the same from round to round.
struct Files {
    programs: Programs,
    catalogue: String,
    donations: String,
    /// The database with the catalogue and no donations.
    base: String,
    imported: String,
    bulk: String,
}

/// What importing has taken.
struct Import {
    seconds: f64,
    cost: Cost,
}

impl Files {
    /// Writes what is imported, and imports it once: the bulk insert takes its rows from there.
    fn prepare(&self, donations: usize) -> io::Result<()> {
        let count = donations.to_string();
        let into = ["donations", &count, "0", &self.catalogue, &self.donations];
        self.programs.inside(&into)?;
        remove(self.base.as_ref())?;
        self.server(&["import", &self.catalogue, "--database", &self.base])?;
        self.import().map(|_| ())
    }

    fn import(&self) -> io::Result<Import> {
        self.begin(&self.imported)?;
        let start = Instant::now();
        let cost = self.server(&["import", &self.donations, "--database", &self.imported])?;
        let seconds = start.elapsed().as_secs_f64();
        Ok(Import { seconds, cost })
    }

    /// How many seconds the bulk insert takes.
    fn bulk(&self) -> io::Result<f64> {
        self.begin(&self.bulk)?;
        let arguments = [&*self.imported, &self.bulk, &BATCH.to_string()];
        let said = self.programs.say("bulk", &arguments)?;
        said.trim().parse().map_err(io::Error::other)
    }

    /// Whether the statistics are what the donations add up to.
    fn verify(&self) -> io::Result<()> {
        self.server(&["verify", "--database", &self.imported])?;
        Ok(())
    }

    fn begin(&self, database: &str) -> io::Result<()> {
        remove(database.as_ref())?;
        fs::copy(&self.base, database)?;
        Ok(())
    }

    fn server(&self, arguments: &[&str]) -> io::Result<Cost> {
        let cost = Cost::of(Command::new(&self.programs.server).args(arguments))?;
        match cost.success {
            true => Ok(cost),
            false => Err(io::Error::other(format!("{arguments:?} has failed"))),
        }
    }
}

#[derive(Default)]
struct Turns {
    import: Vec<f64>,
    bulk: Vec<f64>,
    ratios: Vec<f64>,
    cpu: Vec<f64>,
    memory: u64,
}

impl Turns {
    fn push(&mut self, import: Import, bulk: f64) {
        self.ratios.push(bulk / import.seconds);
        self.import.push(import.seconds);
        self.bulk.push(bulk);
        self.cpu.push(import.cost.cpu.as_secs_f64());
        self.memory = self.memory.max(import.cost.memory);
    }

    fn table(&self, donations: usize) -> Table {
        let mut table = Table::new(&[
            "donations",
            "import, rows/s",
            "bulk insert, rows/s",
            "ratio",
            "spread",
            "import, CPU µs/row",
            "most memory",
        ]);
        let count = donations as f64;
        table.row(vec![
            donations.to_string(),
            format!("{:.0}", count / median(&self.import)),
            format!("{:.0}", count / median(&self.bulk)),
            format!("{:.2}", median(&self.ratios)),
            spread(&self.ratios),
            format!("{:.1}", median(&self.cpu) / count * 1e6),
            format!("{:.0} MiB", self.memory as f64 / f64::from(1 << 20)),
        ]);
        table
    }
}
