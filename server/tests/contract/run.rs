//! Runs scenarios, several at once, and says what came of them.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Runtime};

use super::held_clock;
use super::scenarios::{self, Scenario};
use super::world::Template;

/// How many scenarios run at once, each on a thread with a runtime of its own.
const AT_ONCE: usize = 4;

/// How long one of them may take before it counts as hanging.
const PATIENCE: Duration = Duration::from_secs(60);

thread_local! {
    /// Whether what fails on this thread is reported by those who expect it.
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
}

/// Runs every scenario whose name contains `wanted`; says what failed.
pub fn all(template: &Arc<Template>, wanted: &str) -> Vec<String> {
    let mut all = scenarios::all();
    all.retain(|scenario| scenario.name.contains(wanted));
    let outcomes = at_once(all, |scenario| {
        let start = Instant::now();
        let outcome = one(&scenario, template);
        let word = if outcome.is_ok() { "ok    " } else { "FAILED" };
        println!("{word} {} ({:.1?})", scenario.name, start.elapsed());
        outcome.map_err(|failure| format!("{}: {failure}", scenario.name))
    });
    outcomes.into_iter().filter_map(Result::err).collect()
}

/// Does the same with every item, several at a time, and gives what came of them in their order.
pub fn at_once<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let waiting = Mutex::new(items.into_iter().enumerate());
    let done = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some((n, item)) = { waiting.lock().unwrap().next() } {
                    let outcome = work(item);
                    done.lock().unwrap().push((n, outcome));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap();
    done.sort_by_key(|(n, _)| *n);
    done.into_iter().map(|(_, outcome)| outcome).collect()
}

/// Runs one scenario.
pub fn one(scenario: &Scenario, template: &Arc<Template>) -> Result<(), String> {
    let trying = || {
        let scenario = (scenario.run)(Arc::clone(template));
        runtime().block_on(async { tokio::time::timeout(PATIENCE, scenario).await })
    };
    match panic::catch_unwind(AssertUnwindSafe(trying)) {
        Ok(ended) => ended.map_err(|_| "hangs".to_owned()),
        Err(payload) => Err(panic_message(&*payload)),
    }
}

/// Runs one scenario that is expected to fail, so that its failure stays out of the output.
pub fn quietly(scenario: &Scenario, template: &Arc<Template>) -> Result<(), String> {
    EXPECTED.set(true);
    let outcome = one(scenario, template);
    EXPECTED.set(false);
    outcome
}

pub fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

/// Keeps the panics that are expected out of the output: those of scenarios that meet faults, and
/// those that scenarios order.
pub fn hush() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let ordered = panic_message(info.payload()).contains(held_clock::FAILURE);
        if !ordered && !EXPECTED.get() {
            usual(info);
        }
    }));
}

fn panic_message(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
    text.unwrap_or("panicked").to_owned()
}
