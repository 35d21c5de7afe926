//! `cargo xtask bench webhooks`: a million events to a hundred endpoints, of which five are dead, by a server that is
//! killed in between: how fast they arrive, how late, and whether each does.

use super::partners::{Database, Donations, Partners, Waits, follow};
use super::record::Bench;
use super::server_programs::{Common, Programs};
use super::table::Table;
use std::path::Path;
use std::time::Instant;
use std::{fs, io, thread};

/// The endpoints, and how many of them are dead.
const ENDPOINTS: (usize, usize) = (100, 5);

/// How many events may arrive twice when a server is killed: those under way, 200 to each of 32 endpoints.
const UNDER_WAY: u64 = 32 * 200;

/// Afterwards, how many events are recorded in a second, and for how many seconds.
const STEADY: (u32, u64) = (200, 30);

/// How long the slowest hundredth of those may be on their way, in milliseconds.
const TARGET: u64 = 1000;

const MEANING: &str = "\
Each endpoint is the webhook of a project with one config, over TLS on loopback. `import --follow` records donations \
for all configs at full speed while the server sends. When half of the events for the 95 live endpoints have been \
delivered, the server is killed with SIGKILL and restarted. Of the five dead endpoints, three refuse connections and \
two never respond. Deliveries that the killed server had not recorded are repeated after their leases expire, within \
a minute; the total time includes this. In the second phase, donations arrive more slowly, and the dead endpoints \
stay dead; latency is measured from recording (encoded in the event id) to the receiver. CPU time is that of the \
server until the kill. Deliveries and events are stored for 30 days.";

/// The arguments of `bench webhooks`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Number of events
    #[arg(long, default_value_t = 1_000_000)]
    events: u64,
    /// Also run on PostgreSQL
    #[arg(long)]
    postgres: bool,
    #[command(flatten)]
    common: Common,
}

/// Measures; whether the targets are met.
///
/// # Errors
/// When the programs cannot be built or run.
pub(crate) fn run(arguments: &Arguments) -> io::Result<bool> {
    let work = workspace::target().join("bench/webhooks");
    fs::create_dir_all(&work)?;
    let programs = Programs::get(&arguments.common)?;
    let mut all = vec![measure(
        &programs,
        &work,
        Database::sqlite(&work)?,
        arguments.events,
    )?];
    if arguments.postgres {
        let database = Database::postgres(&programs)?;
        all.push(measure(&programs, &work, database, arguments.events)?);
    }
    let met = all.iter().all(Figures::are_fit);
    let verdict = if met { "met" } else { "missed" };
    let target = format!(
        "target: nothing lost, at most {UNDER_WAY} repeated after the kill and none otherwise, \
         p99 at most {TARGET} ms: {verdict}"
    );
    let bench = Bench::Webhooks;
    arguments
        .common
        .tell(bench, &[&table(&all)], &target, MEANING)?;
    Ok(met)
}

/// The figures of one database.
#[derive(Default)]
struct Figures {
    database: String,
    events: u64,
    /// Of all, those to endpoints that are not dead.
    owed: u64,
    /// Events in a second.
    recorded: f64,
    /// Events in a second, until the kill.
    arrived: f64,
    /// Microseconds of processor time for each of those.
    cpu: f64,
    /// Seconds until all have arrived.
    seconds: f64,
    lost: u64,
    repeated: u64,
    /// Without a kill.
    repeated_later: u64,
    /// While they are recorded as fast as can be, and steadily.
    flood: Waits,
    steady: Waits,
    bytes: u64,
}

fn measure(
    programs: &Programs,
    work: &Path,
    database: Database,
    events: u64,
) -> io::Result<Figures> {
    let mut figures = Figures {
        database: database.name()?,
        events,
        owed: owed(events),
        ..Figures::default()
    };
    eprintln!("{:>12} {events} events on {}", "Load", figures.database);
    let mut partners = Partners::start(programs, work.to_owned(), database, ENDPOINTS)?;
    let mut donations = partners.donations()?;
    flood(programs, &mut partners, &mut donations, &mut figures)?;
    figures.bytes = partners.database.size()?;
    [figures.flood, _] = partners.waits()?;

    let (rate, seconds) = STEADY;
    let more = u64::from(rate) * seconds;
    eprintln!("{:>12} {more} events in {seconds} s", "Load");
    let location = partners.database.location();
    follow(programs, &location, &mut donations, more, Some(rate))?;
    let came = partners.wait_for(figures.owed + owed(more))?;
    figures.lost += figures.owed + owed(more) - came.min(figures.owed + owed(more));
    figures.repeated_later = partners.came("repeated")? - figures.repeated;
    [figures.steady, _] = partners.waits()?;
    Ok(figures)
}

/// Tells all events, and kills the server in between.
fn flood(
    programs: &Programs,
    partners: &mut Partners<'_>,
    donations: &mut Donations,
    figures: &mut Figures,
) -> io::Result<()> {
    let (location, events) = (partners.database.location(), figures.events);
    let start = Instant::now();
    thread::scope(|scope| {
        let feeding = scope.spawn(|| follow(programs, &location, donations, events, None));
        let half = partners.wait_for(figures.owed / 2)?;
        figures.arrived = half as f64 / start.elapsed().as_secs_f64();
        figures.cpu = partners.server.cpu()?.as_secs_f64() * 1e6 / half.max(1) as f64;
        partners.kill_and_restart()?;
        let panicked = |_| io::Error::other("a thread has panicked");
        figures.recorded = events as f64 / feeding.join().map_err(panicked)??;
        let came = partners.wait_for(figures.owed)?;
        figures.seconds = start.elapsed().as_secs_f64();
        figures.lost = figures.owed.saturating_sub(came);
        figures.repeated = partners.came("repeated")?;
        Ok(())
    })
}

/// Of so many events to the endpoints in turn, those to endpoints that are not dead.
fn owed(events: u64) -> u64 {
    let (all, dead) = (ENDPOINTS.0 as u64, ENDPOINTS.1 as u64);
    let rest = events % all;
    events / all * (all - dead) + rest.saturating_sub(dead)
}

impl Figures {
    fn are_fit(&self) -> bool {
        self.lost == 0
            && self.repeated <= UNDER_WAY
            && self.repeated_later == 0
            && self.steady.p99 <= TARGET
    }
}

fn table(all: &[Figures]) -> Table {
    let names = all.iter().map(|figures| figures.database.as_str());
    let mut table = Table::new(&[&["what"], &*names.collect::<Vec<_>>()].concat());
    let mut row = |what: String, figure: &dyn Fn(&Figures) -> String| {
        let figures = all.iter().map(figure);
        table.row([what].into_iter().chain(figures).collect());
    };
    let waits = |waits: Waits| format!("{} / {}", waits.p50, waits.p99);
    row("events".into(), &|it| it.events.to_string());
    row("recorded per second".into(), &|it| {
        format!("{:.0}", it.recorded)
    });
    row("delivered per second before the kill".into(), &|it| {
        format!("{:.0}", it.arrived)
    });
    row("CPU time per event, µs".into(), &|it| {
        format!("{:.0}", it.cpu)
    });
    row("time until all were delivered, s".into(), &|it| {
        format!("{:.0}", it.seconds)
    });
    row("lost".into(), &|it| it.lost.to_string());
    row("duplicates after the kill".into(), &|it| {
        it.repeated.to_string()
    });
    row("latency of all, p50 / p99, ms".into(), &|it| {
        waits(it.flood)
    });
    let steady = format!("latency at {} per second, p50 / p99, ms", STEADY.0);
    row(steady, &|it| waits(it.steady));
    row("duplicates, of those".into(), &|it| {
        it.repeated_later.to_string()
    });
    let mebibytes = |bytes: u64| bytes as f64 / f64::from(1 << 20);
    row("size of the database, MiB".into(), &|it| {
        format!("{:.0}", mebibytes(it.bytes))
    });
    row("bytes per event".into(), &|it| {
        (it.bytes / it.events.max(1)).to_string()
    });
    table
}

#[cfg(test)]
mod tests {
    use super::owed;

    #[test]
    fn counts_events_to_living_endpoints() {
        for (events, expected) in [
            (0, 0),
            (5, 0),
            (6, 1),
            (100, 95),
            (203, 190),
            (20_000, 19_000),
        ] {
            assert_eq!(owed(events), expected, "{events}");
        }
    }
}
