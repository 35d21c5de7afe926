//! Tests the server against its contract, over real sockets.
//!
//! Every response is validated against `spec/openapi.yaml`: status, media type, headers, body. Each
//! scenario is a test with a server and a database of its own, which runs by name: `cargo nextest run
//! --package server --test contract limits::sqlite`.
//!
//! All scenarios together are measured for coverage and with mutations: an operation, parameter or
//! documented status that none of them reaches fails the build, and so does a mutation of the server's
//! responses that none of them notices. `MUTATION= cargo nextest run --package server --test contract
//! notice_mutations` tries every mutation, in a quarter of an hour.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails where it stands"
)]
#![allow(unreachable_pub, reason = "nobody uses a test from outside")]

mod closed;
mod coverage;
mod databases;
mod document;
mod donations;
mod fake_clock;
mod fixture;
#[path = "../instances/mod.rs"]
mod instances;
mod mutation_testing;
#[path = "../mutations/mod.rs"]
mod mutations;
mod run;
mod sample_request;
mod scenarios;
mod sender;
mod style;
mod table;
mod test_request;
mod validator;
mod world;

/// The source of the contract.
const CONTRACT: &str = include_str!("../../../spec/openapi.yaml");

/// One run of all scenarios, in one process, because it measures them together.
#[test]
fn the_scenarios_reach_the_whole_contract_and_notice_mutations() {
    assert_noticed(120);
}

#[test]
#[ignore = "takes minutes: cargo xtask ci --all"]
fn the_scenarios_notice_one_mutation_of_twelve() {
    assert_noticed(12);
}

/// Tries one mutation of `share`.
#[track_caller]
fn assert_noticed(share: usize) {
    let (exercised, tried) = mutation_testing::try_mutations(share);
    println!("exercised:{}\n\n{tried}", exercised.table);
    let mut failures = exercised.missing;
    failures.extend(
        tried
            .survivors
            .iter()
            .map(|mutation| format!("nobody notices {mutation}")),
    );
    assert!(failures.is_empty(), "\n  {}\n", failures.join("\n  "));
}
