//! `cargo xtask bench import`: the speed of importing donations, which are checked, counted and
//! durable, compared with the database's own bulk insert of the same rows.

mod postgres;
mod sqlite;

use super::cost::Cost;
use super::record::Bench;
use super::server_programs::{Common, Programs};
use super::table::{Table, median, spread};
use std::process::Command;
use std::time::Instant;
use std::{fs, io};

/// Which part of the bulk insert's speed the import must have.
const TARGET: f64 = 0.3;

const MEANING: &str = "\
`donation-catalog import` of NDJSON, compared with inserting the same rows into the same two tables with the same \
indexes, foreign keys and durability: for SQLite with a prepared INSERT (WAL, synchronous=FULL, 2,000 rows per \
transaction, final checkpoint); for PostgreSQL in its default configuration with one binary COPY per table. The \
import additionally parses and validates each line, deduplicates donations, and updates all rollups in resumable \
transactions of 2,000 donations; `verify` finds no difference afterwards. CPU time and memory are those of the \
importer, without PostgreSQL.";

/// The arguments of `bench import`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Rounds, alternating; the median ratio counts
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Number of donations
    #[arg(long, default_value_t = 200_000)]
    donations: usize,
    /// Run on only one database
    #[arg(long)]
    only: Option<Only>,
    #[command(flatten)]
    common: Common,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Only {
    Sqlite,
    Postgres,
}

/// Measures; whether the target is met.
///
/// # Errors
/// When the programs cannot be built or run.
pub(crate) fn run(arguments: &Arguments) -> io::Result<bool> {
    let work = workspace::target().join("bench/import");
    fs::create_dir_all(&work)?;
    let file = |name| work.join(name).display().to_string();
    let inputs = Inputs {
        programs: Programs::get(&arguments.common)?,
        catalogue: file("catalogue.ndjson"),
        donations: file("donations.ndjson"),
    };
    inputs.write(arguments.donations)?;
    let mut table = Table::new(&[
        "store",
        "donations",
        "import, rows/s",
        "bulk insert, rows/s",
        "ratio",
        "spread",
        "import, CPU µs/row",
        "most memory",
    ]);
    let mut met = true;
    let mut measure = |site: &dyn Site| -> io::Result<()> {
        let turns = Turns::take(site, arguments.rounds.max(1))?;
        met &= median(&turns.ratios) >= TARGET;
        table.row(turns.row(site.name(), arguments.donations));
        Ok(())
    };
    if arguments.only != Some(Only::Postgres) {
        measure(&sqlite::Sqlite::prepare(&inputs, &work)?)?;
    }
    if arguments.only != Some(Only::Sqlite) {
        measure(&postgres::Databases::prepare(&inputs)?)?;
    }
    let verdict = if met { "met" } else { "missed" };
    let target = format!("target: at least {TARGET}: {verdict}");
    let bench = Bench::Import;
    arguments.common.tell(bench, &[&table], &target, MEANING)?;
    Ok(met)
}

/// The programs and the imported files.
struct Inputs {
    programs: Programs,
    catalogue: String,
    donations: String,
}

impl Inputs {
    fn write(&self, donations: usize) -> io::Result<()> {
        let count = donations.to_string();
        let into = ["donations", &count, "0", &self.catalogue, &self.donations];
        self.programs.inside(&into).map(|_| ())
    }

    fn import_catalogue(&self, database: &str) -> io::Result<()> {
        let import = self.server(&["import", &self.catalogue, "--database", database]);
        import.map(|_| ())
    }

    /// Imports the donations and measures the import.
    fn import(&self, database: &str) -> io::Result<Import> {
        let start = Instant::now();
        let cost = self.server(&["import", &self.donations, "--database", database])?;
        let seconds = start.elapsed().as_secs_f64();
        Ok(Import { seconds, cost })
    }

    /// Whether the statistics are equal to the sums of the donations.
    fn verify(&self, database: &str) -> io::Result<()> {
        self.server(&["verify", "--database", database]).map(|_| ())
    }

    fn server(&self, arguments: &[&str]) -> io::Result<Cost> {
        let cost = Cost::of(Command::new(&self.programs.server).args(arguments))?;
        match cost.success {
            true => Ok(cost),
            false => Err(io::Error::other(format!("{arguments:?} has failed"))),
        }
    }
}

/// A store with the catalogue, where the two take turns with the donations.
trait Site {
    fn name(&self) -> String;

    /// Imports them into a database that has none.
    fn import(&self) -> io::Result<Import>;

    /// How many seconds the bulk insert takes into a database that has none.
    fn bulk(&self) -> io::Result<f64>;

    /// Whether the last import has counted the donations that it has recorded.
    fn verify(&self) -> io::Result<()>;
}

/// The measurement of an import.
struct Import {
    seconds: f64,
    cost: Cost,
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
    fn take(site: &dyn Site, rounds: usize) -> io::Result<Turns> {
        let mut turns = Turns::default();
        for round in 0..rounds {
            eprintln!("{:>12} {} of {}", "Round", round + 1, site.name());
            let (import, bulk) = if round % 2 == 0 {
                let import = site.import()?;
                (import, site.bulk()?)
            } else {
                let bulk = site.bulk()?;
                (site.import()?, bulk)
            };
            turns.push(import, bulk);
        }
        site.verify()?;
        Ok(turns)
    }

    fn push(&mut self, import: Import, bulk: f64) {
        self.ratios.push(bulk / import.seconds);
        self.import.push(import.seconds);
        self.bulk.push(bulk);
        self.cpu.push(import.cost.cpu.as_secs_f64());
        self.memory = self.memory.max(import.cost.memory);
    }

    fn row(&self, store: String, donations: usize) -> Vec<String> {
        let count = donations as f64;
        vec![
            store,
            donations.to_string(),
            format!("{:.0}", count / median(&self.import)),
            format!("{:.0}", count / median(&self.bulk)),
            format!("{:.2}", median(&self.ratios)),
            spread(&self.ratios),
            format!("{:.1}", median(&self.cpu) / count * 1e6),
            format!("{:.0} MiB", self.memory as f64 / f64::from(1 << 20)),
        ]
    }
}
