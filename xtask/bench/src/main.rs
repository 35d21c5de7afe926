//! `cargo xtask bench`: what the generator, its output and the server cost, beside what others cost.
//!
//! Each bench alternates between those that it compares, so that what else happens on the machine
//! falls on all of them, counts processor time rather than the clock, and fails below its bar.

mod cost;
mod decode;
mod generation;
mod import;
mod leaderboard;
mod limiter;
mod load;
mod postgres;
mod record;
mod serve;
mod server_programs;
mod stub;
mod stub_requests;
mod table;

use clap::Parser as _;
use std::process::ExitCode;

#[derive(clap::Parser)]
#[command(
    bin_name = "cargo xtask bench",
    about = "Measures the generator and its output beside others."
)]
struct Arguments {
    #[command(subcommand)]
    bench: Bench,
}

#[derive(clap::Subcommand)]
enum Bench {
    /// Generation, and `cargo check` of what is generated, beside other generators.
    Gen(generation::Arguments),
    /// Reading valid bodies with every check, beside plain serde; and hostile bodies.
    Decode(decode::Arguments),
    /// A request to a generated server, beside one that was written by hand on axum and checks and
    /// answers the same.
    Stub(stub::Arguments),
    /// What a command costs, as JSON: how the others measure commands.
    #[command(hide = true)]
    Cost(cost::Arguments),
    /// A request to the server, limits and all, beside bare hyper that answers the same bytes; its
    /// memory, start and size.
    Serve(serve::Arguments),
    /// A check of the limiter, with one key and with many.
    Limiter(limiter::Arguments),
    /// An import of donations, beside the database's own bulk insert of the same rows.
    Import(import::Arguments),
    /// A page of the leaderboard, beside the same with a thousandth of the donations.
    Leaderboard(leaderboard::Arguments),
}

fn main() -> ExitCode {
    workspace::exit_code(match &Arguments::parse().bench {
        Bench::Gen(arguments) => generation::run(arguments),
        Bench::Decode(arguments) => decode::run(arguments),
        Bench::Stub(arguments) => stub::run(arguments),
        Bench::Cost(arguments) => cost::run(arguments),
        Bench::Serve(arguments) => serve::run(arguments),
        Bench::Limiter(arguments) => limiter::run(arguments),
        Bench::Import(arguments) => import::run(arguments),
        Bench::Leaderboard(arguments) => leaderboard::run(arguments),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use workspace::Profile;

    /// A bench is rarely run, and must not be found broken then.
    #[test]
    fn programs_compile_without_a_warning() {
        for program in [&decode::PROGRAM, &stub::PROGRAM] {
            program.build(Profile::Dev).unwrap();
        }
    }
}
