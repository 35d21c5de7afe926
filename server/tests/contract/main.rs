//! Tests the server against its contract, over real sockets.
//!
//! Every response is validated against `spec/openapi.yaml`: status, media type, headers, body. Each
//! scenario is a test with a server and a database of its own, which runs by name: `cargo nextest run
//! --package server --test contract limits::sqlite`.
//!
//! All scenarios together are measured for coverage and with faults: an operation, parameter or
//! documented status that none of them reaches fails the build, and so does a fault in the server's
//! responses that none of them notices. One fault of `mutation::SHARE` is tried; `FAULT= cargo nextest run --package
//! server --test contract notice_faults` tries all.

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
mod lists;
#[path = "../mutants/mod.rs"]
mod mutants;
mod mutation;
mod run;
mod sample_request;
mod scenarios;
mod sender;
mod table;
mod test_request;
mod validator;
mod world;

/// One run of all scenarios, in one process, because it measures them together.
#[test]
fn the_scenarios_reach_the_whole_contract_and_notice_faults() {
    let (exercised, faults) = mutation::try_all();
    println!("exercised:{}\n\n{faults}", exercised.table);
    let mut failures = exercised.missing;
    failures.extend(
        faults
            .survivors
            .iter()
            .map(|fault| format!("nobody notices {fault}")),
    );
    assert!(failures.is_empty(), "\n  {}\n", failures.join("\n  "));
}
