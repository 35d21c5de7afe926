//! `cargo xtask bench stub`: the cost of a request to a generated server, compared with one written by
//! hand with the same checks and responses.
//!
//! First the responses of the two are compared, byte for byte, for valid requests and for requests that
//! fail each of the checks. Then they take turns.

use super::load::{Load, Turn};
use super::record::{Bench, record};
use super::table::{Table, median, spread};
use std::io;
use std::path::PathBuf;
use workspace::{Profile, Program, Server};

/// How much more processor time than by hand a request may cost.
const TARGET: f64 = 1.05;

const EXPLANATION: &str = "\
CPU time of the server per request: a generated server, and a hand-written axum 0.8 server with the same \
checks and responses. The two take turns; *ratio* is the median over the rounds, and *spread* the middle half.";

pub(crate) const PROGRAM: Program = Program {
    name: "stub",
    folders: &["xtask/bench/stub"],
    contract: "xtask/bench/stub/contract.yaml",
    dependencies: "",
};

/// The arguments of `bench stub`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Rounds of the servers, alternating; the median ratio counts
    #[arg(long, default_value_t = 41)]
    rounds: usize,
    /// Requests per round
    #[arg(long, default_value_t = 6_400)]
    requests: usize,
    /// Also write the table to this file, as Markdown
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

/// A request that is sent over and over.
struct Workload {
    name: &'static str,
    request: &'static str,
}

const WORKLOADS: [Workload; 3] = [
    Workload {
        name: "GET with parameters",
        request: "GET /pets/4711?detail=full HTTP/1.1\r\nhost: localhost\r\naccept: application/json\r\n\
                  x-trace: 4bf92f3577b34da6\r\n\r\n",
    },
    Workload {
        name: "list of 50",
        request: "GET /pets?limit=50 HTTP/1.1\r\nhost: localhost\r\naccept: application/json\r\n\r\n",
    },
    Workload {
        name: "POST",
        request: "POST /pets HTTP/1.1\r\nhost: localhost\r\naccept: application/json\r\n\
                  content-type: application/json\r\ncontent-length: 42\r\n\r\n\
                  {\"name\":\"Rex the dog\",\"tag\":\"dog\",\"age\":7}",
    },
];

/// Measures; returns whether the target is met.
///
/// # Errors
/// When the servers cannot be built or run, or their responses differ.
pub(crate) fn run(arguments: &Arguments) -> io::Result<bool> {
    let folder = PROGRAM.build(Profile::Release)?;
    let plain = Server::start(&folder.join("plain"))?;
    let generated = Server::start(&folder.join("generated"))?;
    let same = compare(&plain, &generated)?;
    eprintln!("{:>12} {same} answers of both servers", "Compared");
    let head = [
        "request",
        "by hand µs",
        "generated µs",
        "ratio",
        "spread",
        "by hand /s",
        "generated /s",
    ];
    let mut table = Table::new(&head);
    let mut met = true;
    for workload in &WORKLOADS {
        let mut turns = Turns::default();
        for round in 0..arguments.rounds.max(1) {
            eprintln!("{:>12} {} {}", "Round", round + 1, workload.name);
            let turn = |server| turn(server, workload.request, arguments.requests);
            // The order alternates, because each program leaves the machine in another state for the
            // next.
            let (one, other) = if round % 2 == 0 {
                let one = turn(&plain)?;
                (one, turn(&generated)?)
            } else {
                let other = turn(&generated)?;
                (turn(&plain)?, other)
            };
            turns.push(one, other);
        }
        met &= median(&turns.ratios) <= TARGET;
        table.row(turns.row(workload.name));
    }
    print!("{}", table.render(false));
    let target = format!(
        "target: median ratio at most {TARGET} in {} rounds: {}",
        arguments.rounds,
        verdict(met)
    );
    println!("{target}");
    if let Some(file) = &arguments.markdown {
        let (rounds, requests) = (arguments.rounds, arguments.requests);
        let command = format!("cargo xtask bench stub --rounds {rounds} --requests {requests}");
        let text = format!("{EXPLANATION}\n\n{}\n{target}\n", table.render(true));
        record(file, Bench::Requests, &command, &text)?;
    }
    Ok(met)
}

fn verdict(met: bool) -> &'static str {
    if met { "met" } else { "missed" }
}

#[derive(Default)]
struct Turns {
    plain: Vec<Turn>,
    generated: Vec<Turn>,
    ratios: Vec<f64>,
}

impl Turns {
    fn push(&mut self, plain: Turn, generated: Turn) {
        self.ratios.push(generated.cpu / plain.cpu);
        self.plain.push(plain);
        self.generated.push(generated);
    }

    fn row(&self, name: &str) -> Vec<String> {
        let of = |turns: &[Turn], figure: fn(&Turn) -> f64| {
            median(&turns.iter().map(figure).collect::<Vec<_>>())
        };
        vec![
            name.to_owned(),
            format!("{:.2}", of(&self.plain, |turn| turn.cpu)),
            format!("{:.2}", of(&self.generated, |turn| turn.cpu)),
            format!("{:.3}", median(&self.ratios)),
            spread(&self.ratios),
            format!("{:.0}", of(&self.plain, |turn| turn.rate)),
            format!("{:.0}", of(&self.generated, |turn| turn.rate)),
        ]
    }
}

fn turn(server: &Server, request: &str, count: usize) -> io::Result<Turn> {
    let load = Load {
        requests: vec![request.to_owned()],
        count,
        status: "20".to_owned(),
    };
    load.put_on(server)
}

/// Sends each request to both; how many answers were compared.
fn compare(plain: &Server, generated: &Server) -> io::Result<usize> {
    let requests = super::stub_requests::all();
    let mut differences = String::new();
    for request in &requests {
        let (one, other) = (
            normal(&plain.ask(request)?),
            normal(&generated.ask(request)?),
        );
        if one != other {
            let request: String = String::from_utf8_lossy(request).chars().take(200).collect();
            differences += &format!("{request}\n--- by hand\n{one}\n--- generated\n{other}\n\n");
        }
    }
    match differences.as_str() {
        "" => Ok(requests.len()),
        _ => Err(io::Error::other(format!(
            "the answers differ:\n{differences}"
        ))),
    }
}

/// An answer without its date, its headers in order, and lists in headers without blanks, which axum
/// leaves out of `Allow` and the generated layer does not.
fn normal(answer: &[u8]) -> String {
    let text = String::from_utf8_lossy(answer);
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let mut lines = head.lines();
    let status = lines.next().unwrap_or_default();
    let lines = lines.filter(|line| !line.starts_with("date:"));
    let mut headers: Vec<String> = lines.map(|line| line.replace(", ", ",")).collect();
    headers.sort_unstable();
    format!("{status}\n{}\n\n{body}", headers.join("\n"))
}
