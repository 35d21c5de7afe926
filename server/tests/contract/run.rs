//! Runs scenarios, several at once, and reports their results.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, LazyLock, Mutex, Once};
use std::thread;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

use features::database;

use super::databases::Databases;
use super::document::Document;
use super::fake_clock;
use super::instances::Instance;
use super::scenarios::{self, Scenario};
use super::sender::Harness;
use super::validator::AnswerValidator;
use super::world::Template;

/// The number of scenarios that run at once, each on a thread with a runtime of its own.
const AT_ONCE: usize = 4;

/// The time after which a scenario counts as hanging.
const TIMEOUT: Duration = Duration::from_secs(60);

thread_local! {
    /// Whether a failure on this thread is expected and reported by its caller.
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
}

/// The SQLite database that this process copies for each scenario.
static OVER_SQLITE: LazyLock<Arc<Template>> = LazyLock::new(|| template(Databases::files()));

/// Runs the scenario of that name, one of a theme, over SQLite.
pub fn over_sqlite(theme: &[Scenario], name: &str) {
    hush();
    let mut named = theme
        .iter()
        .filter(|it| it.name.rsplit(':').next() == Some(name));
    let scenario = named.next().expect(name);
    assert!(
        scenarios::all().iter().any(|it| it.name == scenario.name),
        "add SCENARIOS of {} to `all` in server/tests/contract/scenarios.rs",
        scenario.name
    );
    assert_eq!(one(scenario, &OVER_SQLITE), Ok(()), "{name}");
}

/// Runs the scenarios of a theme over a PostgreSQL server of their own, if it is installed.
pub fn over_postgres(theme: &[Scenario]) {
    let migrate = |url: &str| {
        let location = url.parse().unwrap();
        runtime().block_on(database::migrate(&location)).unwrap();
    };
    let Some(instance) = Instance::migrated(migrate) else {
        return;
    };
    hush();
    let template = template(Databases::Server(Arc::new(instance)));
    let outcomes = at_once(theme.to_vec(), |scenario| {
        let outcome = one(&scenario, &template);
        outcome.map_err(|failure| format!("{}: {failure}", scenario.name))
    });
    let failures: Vec<_> = outcomes.into_iter().filter_map(Result::err).collect();
    assert!(failures.is_empty(), "\n  {}\n", failures.join("\n  "));
}

/// A database with the fixture, and the contract that responses are validated against.
pub fn template(databases: Databases) -> Arc<Template> {
    let harness = Harness::new(AnswerValidator::new(Document::read(crate::CONTRACT)));
    Arc::new(runtime().block_on(Template::make(databases, harness)))
}

/// Applies `work` to every item, several at a time, and returns the results in the items' order.
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
        runtime().block_on(async { tokio::time::timeout(TIMEOUT, scenario).await })
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

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

/// Keeps expected panics out of the output: those of scenarios that notice a mutation, and those that
/// scenarios cause on purpose.
pub fn hush() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let ordered = panic_message(info.payload()).contains(fake_clock::FAILURE);
            if !ordered && !EXPECTED.get() {
                usual(info);
            }
        }));
    });
}

fn panic_message(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
    text.unwrap_or("panicked").to_owned()
}
