//! `cargo xtask bench soak`: some minutes of everything that a service meets, at once: reads, writes,
//! refusals, hang-ups, slow readers, reloads, imports, and a PostgreSQL that restarts.
//!
//! Two deployments bear the same load at the same time: one machine with a SQLite file, and two replicas
//! that share a PostgreSQL and a Redis. The load is moderate: this looks for answers that the contract
//! does not know and for memory and descriptors that are lost, not for the most that a server bears.

mod answer;
mod caller;
mod callers;
mod contract;
mod deployment;
mod held;
mod memory;
mod operator;
mod outcome;
mod redis;
mod rude_callers;

use super::record::Bench;
use super::server_programs::{Common, Programs};
use contract::Contract;
use deployment::Deployment;
use held::{DESCRIPTORS, Held, SLOPE};
use operator::Lines;
use outcome::Outcome;
use std::time::{Duration, Instant};
use std::{fs, io, thread};
use workspace::Server;

/// How long the load is put on before descriptors are counted: connections to databases are opened
/// when they are needed, and kept.
const FIRST: Duration = Duration::from_secs(15);

/// How long a server has to close idle connections: longer than `--head-timeout`.
const REST: Duration = Duration::from_secs(15);

const MEANING: &str = "\
Each deployment is under this load for ten minutes: six readers of all resources (30 ms pause, every fourth round \
conditional); two writers that create, replay, read and delete configs; a caller without a key that ignores 429; five \
dropped connections per second and server; a slow reader per server; a SIGHUP with a changed limit every five \
seconds; an import of 1,000 donations every two seconds; and, for the replicas, a restart of PostgreSQL every 45 s. \
Both deployments share one machine, so p99 includes waiting for a CPU. During a restart of PostgreSQL, 503 is a \
documented response; times include it. Failures are undocumented statuses, codes or properties, 500, missing \
responses, and created configs that are not found. Memory is resident memory, its slope a least-squares fit after the \
first quarter of the time. Descriptors are counted at rest, before and after. `verify` finds no difference at the \
end.";

/// The arguments of `bench soak`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Duration in minutes
    #[arg(long, default_value_t = 10)]
    minutes: u64,
    #[command(flatten)]
    common: Common,
}

/// Puts the load on both deployments; returns whether the targets are met.
///
/// # Errors
/// When a deployment cannot be made, or something that is done to it fails.
pub(crate) fn run(arguments: &Arguments) -> io::Result<bool> {
    let work = workspace::target().join("bench/soak");
    fs::create_dir_all(&work)?;
    let programs = Programs::get(&arguments.common)?;
    let contract = Contract::read()?;
    let time = Duration::from_secs(arguments.minutes.max(1) * 60);
    let lines = Lines::write(&programs, &work, time)?;
    let deployments = [
        Deployment::one_machine(&programs, &work)?,
        Deployment::replicas(&programs, &work)?,
    ];
    let soak = Soak {
        programs: &programs,
        contract: &contract,
        lines: &lines,
    };
    eprintln!("{:>12} {} s", "Warm-up", FIRST.as_secs());
    soak.bear(&deployments, FIRST)?;
    let before = descriptors(&deployments)?;
    eprintln!("{:>12} {} minutes", "Load", time.as_secs() / 60);
    let outcomes = soak.bear(&deployments, time)?;
    let after = descriptors(&deployments)?;
    let (mut is_met, mut servers) = (true, Vec::new());
    let counts = before.iter().zip(&after);
    for ((deployment, outcome), (before, after)) in deployments.iter().zip(&outcomes).zip(counts) {
        let verify = ["verify", "--database", &deployment.database];
        programs.say("donation-catalog", &verify)?;
        is_met &= outcome.is_without_failures(deployment.name);
        servers.extend(Held::by(deployment, &outcome.memory, before, after)?);
    }
    is_met &= servers.iter().all(Held::is_steady);
    let named = deployments.iter().map(|it| it.name).zip(&outcomes);
    let named: Vec<(&str, &Outcome)> = named.collect();
    let (waits, counts) = (outcome::waits(&named), outcome::counts(&named));
    let tables = [&waits, &counts, &held::table(&servers)];
    let verdict = if is_met { "met" } else { "missed" };
    let target = format!(
        "target: no failure, memory that grows by at most {SLOPE} MiB a minute, at most {DESCRIPTORS} more descriptors: {verdict}"
    );
    arguments
        .common
        .tell(Bench::Soak, &tables, &target, MEANING)?;
    Ok(is_met)
}

/// The descriptors of each server of each deployment, once idle connections are closed.
fn descriptors(deployments: &[Deployment]) -> io::Result<Vec<Vec<usize>>> {
    thread::sleep(REST);
    let count = |deployment: &Deployment| {
        let servers = deployment.servers.iter();
        servers.map(Server::descriptors).collect()
    };
    deployments.iter().map(count).collect()
}

/// All that the load is made of.
struct Soak<'a> {
    programs: &'a Programs,
    contract: &'a Contract,
    lines: &'a Lines,
}

impl Soak<'_> {
    /// Puts the load on all deployments at once.
    fn bear(&self, deployments: &[Deployment], time: Duration) -> io::Result<Vec<Outcome>> {
        let end = Instant::now() + time;
        thread::scope(|scope| {
            let bear = |to| scope.spawn(move || self.bear_one(to, end));
            let bearing: Vec<_> = deployments.iter().map(bear).collect();
            bearing.into_iter().map(joined).collect()
        })
    }

    fn bear_one(&self, to: &Deployment, end: Instant) -> io::Result<Outcome> {
        thread::scope(|scope| {
            let read = || scope.spawn(|| callers::read(to, self.contract, end));
            let readers: Vec<_> = (0..6).map(|_| read()).collect();
            let write = || scope.spawn(|| callers::write(to, self.contract, end));
            let writers: Vec<_> = (0..2).map(|_| write()).collect();
            let flood = scope.spawn(|| callers::flood(to, self.contract, end));
            let hang_ups = scope.spawn(|| rude_callers::hang_up(to, end));
            let slow_readers = scope.spawn(|| rude_callers::read_slowly(to, end));
            let reloads = scope.spawn(|| operator::reload(to, end));
            let imports = scope.spawn(|| operator::import(to, self.programs, self.lines, end));
            let restarts = scope.spawn(|| operator::restart_postgres(to, end));
            let memory = scope.spawn(|| memory::watch(to, end));
            let mut outcome = Outcome::default();
            for reader in readers {
                outcome.reads.add(joined(reader)?);
            }
            for writer in writers {
                outcome.writes.add(joined(writer)?);
            }
            outcome.flood = joined(flood)?;
            outcome.slow_readers = joined(slow_readers)?;
            outcome.hang_ups = joined(hang_ups)?;
            outcome.reloads = joined(reloads)?;
            outcome.imports = joined(imports)?;
            outcome.restarts = joined(restarts)?;
            outcome.memory = joined(memory)?;
            Ok(outcome)
        })
    }
}

/// The result of a thread.
fn joined<T>(thread: thread::ScopedJoinHandle<'_, io::Result<T>>) -> io::Result<T> {
    let panicked = |_| io::Error::other("a thread has panicked");
    thread.join().map_err(panicked)?
}

/// Acts again and again until `end`, with a pause after each time.
fn repeat(
    end: Instant,
    pause: Duration,
    mut act: impl FnMut(usize) -> io::Result<()>,
) -> io::Result<()> {
    let mut turn = 0;
    while Instant::now() < end {
        act(turn)?;
        turn += 1;
        thread::sleep(pause.min(end.saturating_duration_since(Instant::now())));
    }
    Ok(())
}
