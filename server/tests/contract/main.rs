//! The server against its contract, over real sockets.
//!
//! Every answer to every request is held against `spec/openapi.yaml`: status, media type, headers,
//! body. Scenarios run in one process because what they exercise together is held against the
//! contract too: an operation, parameter or documented status that none of them reached fails the
//! build. `SCENARIO=limits cargo test -p server --test contract` runs only those whose names contain
//! the word, and holds nothing against what they leave out.

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
mod judge;
mod scenarios;
mod sender;
mod specimen;
mod world;

use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Runtime};

use document::Document;
use judge::Judge;
use scenarios::Scenario;
use sender::Harness;
use world::Template;

/// How many scenarios run at once, each on a thread with a runtime of its own.
const AT_ONCE: usize = 4;

/// How long one of them may take before it counts as hanging.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn the_server_keeps_its_contract() {
    hush_the_clock();
    let harness = Harness::new(Judge::new(Document::read()));
    let template = Arc::new(runtime().block_on(Template::make(harness)));
    let wanted = std::env::var("SCENARIO").ok();
    let mut failures = run_all(&template, wanted.as_deref().unwrap_or_default());

    let harness = template.harness();
    let (table, uncovered) = harness.coverage.report(&harness.judge.document);
    if wanted.is_none() {
        println!("\nexercised:{table}");
        failures.extend(uncovered);
    }
    assert!(failures.is_empty(), "\n  {}\n", failures.join("\n  "));
}

/// Runs every scenario whose name contains `wanted`; says what failed.
fn run_all(template: &Arc<Template>, wanted: &str) -> Vec<String> {
    let mut all = scenarios::all();
    all.retain(|scenario| scenario.name.contains(wanted));
    let (waiting, failed) = (Mutex::new(all.into_iter()), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(scenario) = { waiting.lock().unwrap().next() } {
                    if let Err(failure) = run(&scenario, template) {
                        let failure = format!("{}: {failure}", scenario.name);
                        failed.lock().unwrap().push(failure);
                    }
                }
            });
        }
    });
    failed.into_inner().unwrap()
}

fn run(scenario: &Scenario, template: &Arc<Template>) -> Result<(), String> {
    let start = Instant::now();
    let trying = || {
        let scenario = (scenario.run)(Arc::clone(template));
        runtime().block_on(async { tokio::time::timeout(PATIENCE, scenario).await })
    };
    let outcome = match panic::catch_unwind(AssertUnwindSafe(trying)) {
        Ok(ended) => ended.map_err(|_| "hangs".to_owned()),
        Err(payload) => Err(panic_message(&*payload)),
    };
    let word = if outcome.is_ok() { "ok    " } else { "FAILED" };
    println!("{word} {} ({:.1?})", scenario.name, start.elapsed());
    outcome
}

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

fn panic_message(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
    text.unwrap_or("panicked").to_owned()
}

/// Keeps the panics that a scenario orders out of the output.
fn hush_the_clock() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if !panic_message(info.payload()).contains(held_clock::FAILURE) {
            usual(info);
        }
    }));
}
