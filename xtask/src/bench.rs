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
mod postgres;
mod record;
mod serve;
pub(crate) mod server;
mod server_programs;
mod stub;
mod stub_requests;
mod table;

use std::path::Path;
use std::{env, io};

/// What `bench` takes.
#[derive(clap::Args)]
pub(crate) struct Arguments {
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

/// Runs a bench; whether its bar is met.
///
/// # Errors
/// When something that is measured cannot be built or run, or a file cannot be read or written.
pub(crate) fn run(root: &Path, arguments: &Arguments) -> io::Result<bool> {
    let work = env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| root.join("target"), Into::into)
        .join("bench");
    match &arguments.bench {
        Bench::Gen(arguments) => generation::run(root, &work, arguments),
        Bench::Decode(arguments) => decode::run(root, &work, arguments),
        Bench::Stub(arguments) => stub::run(root, &work, arguments),
        Bench::Cost(arguments) => cost::run(arguments),
        Bench::Serve(arguments) => serve::run(root, &work, arguments),
        Bench::Limiter(arguments) => limiter::run(root, arguments),
        Bench::Import(arguments) => import::run(root, &work, arguments),
        Bench::Leaderboard(arguments) => leaderboard::run(root, &work, arguments),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Profile;

    /// A bench is rarely run, and must not be found broken then.
    #[test]
    fn programs_compile_without_a_warning() {
        let root = crate::workspace_root();
        let work = crate::corpus::target(&root).join("bench");
        for program in [&decode::PROGRAM, &stub::PROGRAM] {
            program.build(&root, &work, Profile::Dev).unwrap();
        }
    }
}
