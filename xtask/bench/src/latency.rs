//! `cargo xtask bench latency`: how long the slowest pages of a leaderboard wait, at half of the rate
//! that the server can answer at, and at that rate.
//!
//! The server has a quota of one processor, as in a container, wherever the system lets the bench set
//! one. At the full rate its threads use the quota up before a period of 100 ms ends, and the kernel
//! stops all of them for the rest of it: the slowest hundredth waits some 50 ms then, whatever the
//! server does.

mod quota;

use super::load;
use super::record::Bench;
use super::server_programs::{Common, Programs};
use super::table::{Table, median, quantile};
use quota::Quota;
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{io, thread};
use workspace::Server;

/// How many times the median the slowest hundredth may wait, at half of the rate.
const TARGET: f64 = 10.0;

const CONNECTIONS: usize = 32;

/// The number of lines that the demo prints.
const LINES: usize = 10;

/// The key of the demo's project that owns the contract.
const KEY: &str = "sk_DemoEnterpriseTierKey000000000000Z8sn1";

const PATH: &str =
    "/api/v1/8453/contracts/0xcA7a106000000000000000000000000000DEcaDE/tokens/leaderboard";

const MEANING: &str = "\
*full*: 32 connections send requests back to back. *half*: half of that rate on a fixed schedule; latency counts from \
the scheduled time. SQLite, demo data. A CPU quota counts all threads: when it is used up, the kernel suspends the \
server until the next period.";

/// The arguments of `bench latency`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Measurements of each page; the median ratio counts
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Seconds per round
    #[arg(long, default_value_t = 3)]
    seconds: u64,
    #[command(flatten)]
    common: Common,
}

/// The answers of one round.
struct Round {
    /// In one second.
    rate: f64,
    /// Quantiles of the time until an answer is read, in milliseconds.
    p50: f64,
    p99: f64,
}

/// Measures; returns whether the target is met.
///
/// # Errors
/// When the server cannot be built or run, or a response has another status than 200.
pub(crate) fn run(arguments: &Arguments) -> io::Result<bool> {
    let programs = Programs::get(&arguments.common)?;
    let quota = Quota::of_one_processor();
    let mut command = match &quota {
        Some(quota) => quota.command(&programs.server),
        None => Command::new(&programs.server),
    };
    command.args(["serve", "--demo", "--lift-limits"]);
    command.args(["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"]);
    let server = Server::launch(command.stderr(Stdio::piped()), LINES)?;
    let mut table = Table::new(&["page", "load", "answers/s", "p50 ms", "p99 ms", "ratio"]);
    let mut met = true;
    for entries in [3, 18] {
        let (mut full, mut half) = (Vec::new(), Vec::new());
        for round in 0..arguments.rounds.max(1) {
            eprintln!("{:>12} {} of {entries} entries", "Round", round + 1);
            let most = measure(&server, entries, arguments.seconds, None)?;
            let rate = Some(most.rate / 2.0);
            half.push(measure(&server, entries, arguments.seconds, rate)?);
            full.push(most);
        }
        met &= ratio(&half) <= TARGET;
        table.row(row(entries, "half", &half));
        table.row(row(entries, "full", &full));
    }
    let verdict = if met { "met" } else { "missed" };
    let processor = match quota {
        Some(_) => "with a quota of one processor",
        None => "without a quota, which the system does not let this process set",
    };
    let target =
        format!("target: p99 at most {TARGET} times p50 at half load, {processor}: {verdict}");
    let common = &arguments.common;
    common.tell(Bench::Latency, &[&table], &target, MEANING)?;
    Ok(met)
}

fn of(rounds: &[Round], figure: fn(&Round) -> f64) -> f64 {
    median(&rounds.iter().map(figure).collect::<Vec<_>>())
}

fn ratio(rounds: &[Round]) -> f64 {
    of(rounds, |round| round.p99 / round.p50)
}

fn row(entries: usize, load: &str, rounds: &[Round]) -> Vec<String> {
    vec![
        format!("{entries} entries"),
        load.to_owned(),
        format!("{:.0}", of(rounds, |round| round.rate)),
        format!("{:.2}", of(rounds, |round| round.p50)),
        format!("{:.2}", of(rounds, |round| round.p99)),
        format!("{:.1}", ratio(rounds)),
    ]
}

/// Measures one round: at a rate of requests in a second, or as fast as answers come.
fn measure(server: &Server, entries: usize, seconds: u64, rate: Option<f64>) -> io::Result<Round> {
    let request = format!(
        "GET {PATH}?limit={entries} HTTP/1.1\r\nhost: localhost\r\nservice-api-key: {KEY}\r\n\r\n"
    );
    let pause = rate.map(|rate| Duration::from_secs_f64(CONNECTIONS as f64 / rate));
    let pause = pause.unwrap_or_default();
    let end = Instant::now() + Duration::from_secs(seconds);
    let waits = thread::scope(|scope| {
        let send = || send_until(end, pause, server.port, request.as_bytes());
        let connections: Vec<_> = (0..CONNECTIONS).map(|_| scope.spawn(send)).collect();
        let mut waits = Vec::new();
        for connection in connections {
            let panicked = |_| io::Error::other("a connection has panicked");
            waits.extend(connection.join().map_err(panicked)??);
        }
        Ok::<_, io::Error>(waits)
    })?;
    Ok(Round {
        rate: waits.len() as f64 / seconds as f64,
        p50: quantile(&waits, 50),
        p99: quantile(&waits, 99),
    })
}

/// Sends a request again and again on one connection, every `pause` or, without one, after each answer;
/// returns how many milliseconds each answer took.
fn send_until(end: Instant, pause: Duration, port: u16, request: &[u8]) -> io::Result<Vec<f64>> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_nodelay(true)?;
    let (mut waits, mut buffer) = (Vec::new(), Vec::new());
    let mut due = Instant::now();
    while due < end {
        thread::sleep(due.saturating_duration_since(Instant::now()));
        load::exchange(&mut stream, request, "HTTP/1.1 200", &mut buffer)?;
        waits.push(due.elapsed().as_secs_f64() * 1e3);
        due = match pause.is_zero() {
            true => Instant::now(),
            false => due + pause,
        };
    }
    Ok(waits)
}
