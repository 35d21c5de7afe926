//! `cargo xtask probe`: tests a generated server with requests for every constraint of a contract, in
//! every place of a request.
//!
//! The requests are derived from the contract: those just within a bound must be accepted and echoed,
//! and those just beyond it must be refused in the contract's format, with the place, the keyword and
//! the bound, and without the sent value. Requests about HTTP itself are written by hand.

mod ask;
mod cases;
mod contract;
mod http;
mod judge;
mod written;

use clap::Parser as _;
use contract::Contract;
use std::io;
use std::process::ExitCode;
use workspace::{Profile, Program, Server};

const PROGRAM: Program = Program {
    name: "probe",
    folder: "xtask/probe/server",
};

/// The minimum numbers of requests, so that a loss of cases is noticed.
const VIOLATING: usize = 150;

/// The same for valid ones.
const VALID: usize = 100;

/// Asks a generated server about every constraint of a contract, in every place of a request.
///
/// Exit status: 0 when every answer is right, 1 when one is not, 2 when the server cannot be run.
#[derive(clap::Parser)]
#[command(bin_name = "cargo xtask probe")]
struct Arguments {
    /// Show every request and its result
    #[arg(long)]
    verbose: bool,
}

/// A request and its expected response.
struct Question {
    /// The subject of the request.
    about: String,
    request: Vec<u8>,
    expected: judge::Expected,
}

fn main() -> ExitCode {
    workspace::exit_code(run(&Arguments::parse()))
}

/// Asks everything; whether every answer is right.
///
/// # Errors
/// When the server cannot be built or run.
fn run(arguments: &Arguments) -> io::Result<bool> {
    let folder = PROGRAM.build(Profile::Dev)?;
    let contract = Contract::read(&PROGRAM.contract()?).map_err(io::Error::other)?;
    let mut questions = ask::questions(&contract);
    questions.extend(http::questions());
    let server = Server::start(&folder.join("probe"))?;
    let (mut wrong, mut valid) = (0, 0);
    for question in &questions {
        let answer = server.ask(&question.request)?;
        let verdict = judge::check(&question.expected, &answer);
        valid += usize::from(question.expected.is_valid());
        if let Err(reason) = &verdict {
            wrong += 1;
            let request: String = String::from_utf8_lossy(&question.request)
                .chars()
                .take(600)
                .collect();
            let answer: String = String::from_utf8_lossy(&answer).chars().take(900).collect();
            println!(
                "wrong: {}: {reason}\n{request}\n---\n{answer}\n",
                question.about
            );
        } else if arguments.verbose {
            println!("right: {}", question.about);
        }
    }
    let violating = questions.len() - valid;
    println!("{valid} valid requests and {violating} violating ones: {wrong} answers are wrong");
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
    fn the_contract_asks_enough() {
        let contract = Contract::read(&PROGRAM.contract().unwrap()).unwrap();
        let mut questions = ask::questions(&contract);
        questions.extend(http::questions());
        let valid = questions.iter().filter(|q| q.expected.is_valid()).count();
        assert!(valid >= VALID, "{valid}");
        assert!(
            questions.len() - valid >= VIOLATING,
            "{}",
            questions.len() - valid
        );
        let mut about: Vec<&str> = questions.iter().map(|q| q.about.as_str()).collect();
        about.sort_unstable();
        let known = about.len();
        about.dedup();
        assert_eq!(about.len(), known, "two questions have one name");
    }
}
