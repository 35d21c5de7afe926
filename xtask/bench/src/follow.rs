//! `cargo xtask bench follow`: lines that an indexer pipes into `import --follow`: how many are recorded in a second,
//! and how long it takes until the API answers with a donation, and until a webhook receives it.

use super::partners::{Database, Partners, Waits, follow};
use super::record::Bench;
use super::server_programs::{Common, Programs};
use super::table::{Table, quantile};
use jiff::Timestamp;
use serde_json::Value;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use std::{fs, io, thread};

/// How many projects there are, each with a config and a webhook.
const PARTNERS: usize = 10;

/// How long a donation may take to be in answers and on its way, in milliseconds.
const TARGET: f64 = 1000.0;

/// The pause between two looks at the API.
const LOOK: Duration = Duration::from_millis(5);

const MEANING: &str = "\
Donations for ten configs are piped into `import --follow` while a server on the same database sends webhooks and \
handles requests. First, the maximum throughput until the last line is recorded; then latencies at a steady rate: \
from writing a line until `GET /configs/{configId}/donations` returns it (polled every 5 ms), and until the webhook \
receives it over TLS. Lines are batched for up to 200 ms.";

/// The arguments of `bench follow`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Lines in the initial burst
    #[arg(long, default_value_t = 100_000)]
    lines: u64,
    /// Lines per second after it
    #[arg(long, default_value_t = 500)]
    rate: u32,
    /// Duration in seconds
    #[arg(long, default_value_t = 30)]
    seconds: u64,
    /// Also run on PostgreSQL
    #[arg(long)]
    postgres: bool,
    #[command(flatten)]
    common: Common,
}

/// Measures; whether the target is met.
///
/// # Errors
/// When the programs cannot be built or run.
pub(crate) fn run(arguments: &Arguments) -> io::Result<bool> {
    let work = workspace::target().join("bench/follow");
    fs::create_dir_all(&work)?;
    let programs = Programs::get(&arguments.common)?;
    let mut table = Table::new(&[
        "database",
        "lines/s",
        "steady lines/s",
        "to an answer, p50 ms",
        "p99 ms",
        "to a webhook, p50 ms",
        "p99 ms",
    ]);
    let mut is_met = true;
    let mut measure = |database: Database| -> io::Result<()> {
        let name = database.name()?;
        eprintln!("{:>12} {name}", "Lines");
        let measured = measure(&programs, &work, database, arguments)?;
        is_met &= measured.is_in_time();
        table.row(measured.row(name, arguments.rate));
        Ok(())
    };
    measure(Database::sqlite(&work)?)?;
    if arguments.postgres {
        measure(Database::postgres(&programs)?)?;
    }
    let verdict = if is_met { "met" } else { "missed" };
    let target = format!("target: p99 at most {TARGET} ms: {verdict}");
    arguments
        .common
        .tell(Bench::Follow, &[&table], &target, MEANING)?;
    Ok(is_met)
}

struct Measured {
    /// Lines in a second, as many as can be.
    rate: f64,
    /// Milliseconds until the API answered with each donation.
    to_answer: Vec<f64>,
    to_webhook: Waits,
}

fn measure(
    programs: &Programs,
    work: &Path,
    database: Database,
    arguments: &Arguments,
) -> io::Result<Measured> {
    let partners = Partners::start(programs, work.to_owned(), database, (PARTNERS, 0))?;
    let (mut donations, location) = (partners.donations()?, partners.database.location());
    let seconds = follow(programs, &location, &mut donations, arguments.lines, None)?;
    require(partners.wait_for(arguments.lines)?, arguments.lines)?;
    partners.waits()?;

    let more = u64::from(arguments.rate) * arguments.seconds;
    let is_over = AtomicBool::new(false);
    let to_answer = thread::scope(|scope| {
        let looking = scope.spawn(|| look(&partners, &is_over));
        let rate = Some(arguments.rate);
        let followed = follow(programs, &location, &mut donations, more, rate);
        is_over.store(true, Relaxed);
        let panicked = |_| io::Error::other("a thread has panicked");
        let looked = looking.join().map_err(panicked)?;
        followed.and(looked)
    })?;
    let all = arguments.lines + more;
    require(partners.wait_for(all)?, all)?;
    let [_, to_webhook] = partners.waits()?;
    Ok(Measured {
        rate: arguments.lines as f64 / seconds,
        to_answer,
        to_webhook,
    })
}

/// Fails unless all have come.
fn require(came: u64, all: u64) -> io::Result<()> {
    match came == all {
        true => Ok(()),
        false => Err(io::Error::other(format!("{came} of {all} events came"))),
    }
}

/// Asks for the donations of the first config again and again; how many milliseconds old each new one was.
fn look(partners: &Partners<'_>, is_over: &AtomicBool) -> io::Result<Vec<f64>> {
    let path = format!("{}/donations?limit=100", partners.config(0));
    let mut latest = Timestamp::now();
    let mut waits = Vec::new();
    while !is_over.load(Relaxed) {
        let page = partners.ask("GET", &path, 0, None)?;
        let (now, seen) = (Timestamp::now(), latest);
        let donations = page.pointer("/response").and_then(Value::as_array);
        for donation in donations.into_iter().flatten() {
            let made = donation.pointer("/donatedAt").and_then(Value::as_str);
            let made: Timestamp = made.unwrap_or_default().parse().map_err(io::Error::other)?;
            if made > seen {
                waits.push(now.duration_since(made).as_secs_f64() * 1e3);
                latest = latest.max(made);
            }
        }
        thread::sleep(LOOK);
    }
    Ok(waits)
}

impl Measured {
    fn is_in_time(&self) -> bool {
        quantile(&self.to_answer, 99) <= TARGET && self.to_webhook.p99 as f64 <= TARGET
    }

    fn row(&self, database: String, rate: u32) -> Vec<String> {
        vec![
            database,
            format!("{:.0}", self.rate),
            rate.to_string(),
            format!("{:.0}", quantile(&self.to_answer, 50)),
            format!("{:.0}", quantile(&self.to_answer, 99)),
            self.to_webhook.p50.to_string(),
            self.to_webhook.p99.to_string(),
        ]
    }
}
