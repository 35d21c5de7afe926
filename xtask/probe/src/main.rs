//! `cargo xtask probe`: tests a generated server with requests for every constraint of a contract, in
//! every place of a request.
//!
//! The requests are derived from the contract: those just within a bound must be accepted and echoed,
//! and those just beyond it must be refused in the contract's format, with the place, the keyword and
//! the bound, and without the sent value. Requests about HTTP itself are written by hand.

mod cases;
mod contract;
mod derived;
mod expected;
mod http;
mod request;

use clap::Parser as _;
use contract::Contract;
use std::io;
use std::process::ExitCode;
use workspace::{Profile, Program, Server};

const PROGRAM: Program = Program {
    name: "probe",
    folders: &["xtask/probe/server"],
    contract: "xtask/probe/server/contract.yaml",
    dependencies: "",
};

/// The minimum numbers of requests, so that a loss of cases is noticed.
const VIOLATING: usize = 150;

/// The same for valid ones.
const VALID: usize = 100;

/// Tests a generated server against every constraint of a contract, in every part of a request.
///
/// Exit status: 0 if every response is correct, 1 if one is not, 2 if the server cannot be run.
#[derive(clap::Parser)]
#[command(bin_name = "cargo xtask probe")]
struct Arguments {
    /// Show every request and its result
    #[arg(long)]
    verbose: bool,
}

/// A request and its expected response.
struct TestRequest {
    /// The subject of the request.
    subject: String,
    request: Vec<u8>,
    expected: expected::Expected,
}

fn main() -> ExitCode {
    workspace::exit_code(run(&Arguments::parse()))
}

/// Sends all requests; returns whether every response is correct.
///
/// # Errors
/// When the server cannot be built or run.
fn run(arguments: &Arguments) -> io::Result<bool> {
    let folder = PROGRAM.build(Profile::Dev)?;
    let contract = Contract::read(&PROGRAM.contract()?).map_err(io::Error::other)?;
    let mut requests = derived::test_requests(&contract);
    requests.extend(http::test_requests());
    let server = Server::start(&folder.join("probe"))?;
    let (mut wrong, mut valid) = (0, 0);
    for test in &requests {
        let answer = server.ask(&test.request)?;
        let verdict = expected::check(&test.expected, &answer);
        valid += usize::from(test.expected.is_valid());
        if let Err(reason) = &verdict {
            wrong += 1;
            let request: String = String::from_utf8_lossy(&test.request)
                .chars()
                .take(600)
                .collect();
            let answer: String = String::from_utf8_lossy(&answer).chars().take(900).collect();
            println!(
                "wrong: {}: {reason}\n{request}\n---\n{answer}\n",
                test.subject
            );
        } else if arguments.verbose {
            println!("right: {}", test.subject);
        }
    }
    let violating = requests.len() - valid;
    println!("{valid} valid and {violating} invalid requests: {wrong} wrong responses");
    Ok(wrong == 0 && valid >= VALID && violating >= VIOLATING)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generated_server_answers_rightly() {
        let arguments = Arguments { verbose: false };
        assert!(run(&arguments).unwrap());
    }

    #[test]
    fn the_contract_gives_enough_requests() {
        let contract = Contract::read(&PROGRAM.contract().unwrap()).unwrap();
        let mut requests = derived::test_requests(&contract);
        requests.extend(http::test_requests());
        let valid = requests.iter().filter(|it| it.expected.is_valid()).count();
        assert!(valid >= VALID, "{valid}");
        assert!(
            requests.len() - valid >= VIOLATING,
            "{}",
            requests.len() - valid
        );
        let mut subjects: Vec<&str> = requests.iter().map(|it| it.subject.as_str()).collect();
        subjects.sort_unstable();
        let known = subjects.len();
        subjects.dedup();
        assert_eq!(subjects.len(), known, "two requests have the same subject");
    }
}
