//! `cargo xtask bench import`: how fast donations are imported, checked, counted and durable, beside
//! SQLite's own bulk insert of the same rows.

use super::cost::Cost;
use super::server_programs::{Build, Programs, remove};
use super::table::{Table, median, spread};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;
use std::{fs, io};

/// Which part of the bulk insert's speed the import must have.
const BAR: f64 = 0.3;

/// How many rows the bulk insert puts into a transaction: as many as the import does.
const BATCH: usize = 2000;

/// What `bench import` takes.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How often the two take turns; the median of the ratios counts
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// How many donations are imported
    #[arg(long, default_value_t = 200_000)]
    donations: usize,
    /// Write the table as Markdown
    #[arg(long)]
    markdown: bool,
    #[command(flatten)]
    build: Build,
}

/// Measures; whether the bar is met.
///
/// # Errors
/// When the programs cannot be built or run.
pub(crate) fn run(root: &Path, work: &Path, arguments: &Arguments) -> io::Result<bool> {
    let programs = Programs::get(root, &arguments.build)?;
    let work = work.join("import");
    fs::create_dir_all(&work)?;
    let bench = Bench {
        programs,
        catalogue: text(&work.join("catalogue.ndjson")),
        donations: text(&work.join("donations.ndjson")),
        base: text(&work.join("base.db")),
        imported: text(&work.join("imported.db")),
        bulk: text(&work.join("bulk.db")),
    };
    bench.prepare(arguments.donations)?;
    let mut turns = Turns::default();
    for round in 0..arguments.rounds.max(1) {
        eprintln!("{:>12} {}", "Round", round + 1);
        let (import, bulk) = if round % 2 == 0 {
            let import = bench.import()?;
            (import, bench.bulk()?)
        } else {
            let bulk = bench.bulk()?;
            (bench.import()?, bulk)
        };
        turns.push(import, bulk);
    }
    bench.verify()?;
    print!(
        "{}",
        turns.table(arguments.donations).render(arguments.markdown)
    );
    let ratio = median(&turns.ratios);
    let verdict = if ratio >= BAR { "met" } else { "missed" };
    println!("bar: at least {BAR}: {verdict}");
    Ok(ratio >= BAR)
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

/// The programs and the files that stay the same from round to round.
struct Bench {
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

impl Bench {
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
        let mut command = Command::new(&self.programs.server);
        command.args(arguments).stdout(Stdio::null());
        let cost = Cost::of(command.stderr(Stdio::null()))?;
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
