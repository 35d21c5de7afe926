//! The server against its contract, over real sockets.
//!
//! Every answer to every request is held against `spec/openapi.yaml`: status, media type, headers,
//! body. Scenarios run in one process because what they exercise together is held against the
//! contract too: an operation, parameter or documented status that none of them reached fails the
//! build. `SCENARIO=limits cargo test -p server --test contract` runs only those whose names contain
//! the word, and holds nothing against what they leave out.
//!
//! The scenarios themselves are held against faults that are put into the server's answers: a
//! fault that none of them notices fails the build.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails where it stands"
)]
#![allow(unreachable_pub, reason = "nobody uses a test from outside")]

mod ask;
mod closed;
mod coverage;
mod document;
mod fixture;
mod gifts;
mod held_clock;
#[path = "../instances/mod.rs"]
mod instances;
mod judge;
#[path = "../mutants/mod.rs"]
mod mutants;
mod mutation;
mod place;
mod run;
mod scenarios;
mod sender;
mod specimen;
mod world;

use std::sync::Arc;

use document::Document;
use instances::Instance;
use judge::Judge;
use place::Place;
use sender::Harness;
use world::Template;

#[test]
fn the_server_keeps_its_contract() {
    run::hush();
    let template = template(Place::files());
    let wanted = std::env::var("SCENARIO").ok();
    let mut failures = run::all(&template, wanted.as_deref().unwrap_or_default());

    let harness = template.harness();
    let (table, uncovered) = harness.coverage.report(&harness.judge.document);
    if wanted.is_none() {
        println!("\nexercised:{table}");
        failures.extend(uncovered);
    }
    assert!(failures.is_empty(), "\n  {}\n", failures.join("\n  "));
}

#[test]
fn the_scenarios_notice_every_fault() {
    run::hush();
    let table = mutation::try_all(&template(Place::files()));
    println!("{table}");
    let survivors = table.survivors.join("\n  ");
    assert!(survivors.is_empty(), "nobody notices\n  {survivors}\n");
}

/// The same answers from another database.
#[test]
fn the_server_keeps_its_contract_on_postgres() {
    let Some(instance) = Instance::start() else {
        return;
    };
    run::hush();
    let template = template(Place::Server(Arc::new(instance)));
    let wanted = std::env::var("SCENARIO").ok();
    let failures = run::all(&template, wanted.as_deref().unwrap_or_default());
    assert!(failures.is_empty(), "\n  {}\n", failures.join("\n  "));
}

fn template(place: Place) -> Arc<Template> {
    let harness = Harness::new(Judge::new(Document::read()));
    Arc::new(run::runtime().block_on(Template::make(place, harness)))
}
