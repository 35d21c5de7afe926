//! `cargo xtask bench`: the cost of the generator, its output and the server, compared with
//! alternatives.
//!
//! Each bench alternates between the programs that it compares, so that other load on the machine
//! affects all of them, counts processor time rather than elapsed time, and fails if it misses its target.

mod cost;
mod decode;
mod edit;
mod follow;
mod generation;
mod import;
mod latency;
mod leaderboard;
mod limiter;
mod load;
mod pages;
mod partners;
mod postgres;
mod record;
mod serve;
mod server_programs;
mod size;
mod soak;
mod stub;
mod stub_requests;
mod table;
mod webhooks;

use clap::Parser as _;
use std::process::ExitCode;

#[derive(clap::Parser)]
#[command(
    bin_name = "cargo xtask bench",
    about = "Benchmarks the generator, its output and the server against others."
)]
struct Arguments {
    #[command(subcommand)]
    bench: Bench,
}

#[derive(clap::Subcommand)]
enum Bench {
    /// Generation, and `cargo check` of the generated code, compared with other generators.
    Gen(generation::Arguments),
    /// Decoding valid bodies with every check, compared with plain serde; and hostile bodies.
    Decode(decode::Arguments),
    /// The time from saving the contract to the compiler's result for the server.
    Edit(edit::Arguments),
    /// A request to a generated server, compared with a handwritten axum server with the same checks and
    /// responses.
    Stub(stub::Arguments),
    /// The cost of a command, as JSON; used by the other benchmarks.
    #[command(hide = true)]
    Cost(cost::Arguments),
    /// A request to the server, including limits, compared with bare hyper sending the same bytes; and the
    /// server's memory, start time and size.
    Serve(serve::Arguments),
    /// A check of the limiter, with one key and with many.
    Limiter(limiter::Arguments),
    /// An import of donations, compared with the database's own bulk insert of the same rows.
    Import(import::Arguments),
    /// An import that follows a file: lines per second, and the delay until the API returns a donation and a
    /// webhook receives its event.
    Follow(follow::Arguments),
    /// A million events to a hundred webhooks, five of them unreachable, with the server killed midway.
    Webhooks(webhooks::Arguments),
    /// A leaderboard page, compared with the same page with a thousandth of the donations.
    Leaderboard(leaderboard::Arguments),
    /// Tail latency of leaderboard pages under more load than one CPU can serve.
    Latency(latency::Arguments),
    /// The size of the site's pages, and the time until the server has sent them.
    Pages(pages::Arguments),
    /// A large database: start time, memory, the cost of a change, and the latency of requests.
    Size(size::Arguments),
    /// Ten minutes of reads, writes, rejections, hang-ups, slow readers, reloads, imports and restarts.
    Soak(soak::Arguments),
}

fn main() -> ExitCode {
    workspace::exit_code(match &Arguments::parse().bench {
        Bench::Gen(arguments) => generation::run(arguments),
        Bench::Decode(arguments) => decode::run(arguments),
        Bench::Edit(arguments) => edit::run(arguments),
        Bench::Stub(arguments) => stub::run(arguments),
        Bench::Cost(arguments) => cost::run(arguments),
        Bench::Serve(arguments) => serve::run(arguments),
        Bench::Limiter(arguments) => limiter::run(arguments),
        Bench::Import(arguments) => import::run(arguments),
        Bench::Follow(arguments) => follow::run(arguments),
        Bench::Webhooks(arguments) => webhooks::run(arguments),
        Bench::Leaderboard(arguments) => leaderboard::run(arguments),
        Bench::Latency(arguments) => latency::run(arguments),
        Bench::Pages(arguments) => pages::run(arguments),
        Bench::Size(arguments) => size::run(arguments),
        Bench::Soak(arguments) => soak::run(arguments),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use workspace::Profile;

    /// Benchmarks are rarely run, and must not turn out to be broken then.
    #[test]
    #[ignore = "takes minutes: cargo xtask ci --all"]
    fn programs_compile_without_a_warning() {
        for program in [&decode::PROGRAM, &stub::PROGRAM] {
            program.build(Profile::Dev).unwrap();
        }
    }
}
