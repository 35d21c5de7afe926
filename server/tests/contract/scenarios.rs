//! The scenarios, by theme. Each has a server and a database of its own.

mod addresses;
mod analytics;
mod attribution;
mod bodies;
mod catalogue;
mod changes;
mod conditional;
mod configs;
mod cors;
mod donations;
mod failures;
mod feeds;
mod filters;
mod framework;
mod given;
mod idempotency;
mod keys;
mod labels;
mod leaderboard;
mod limits;
mod links;
mod meta;
mod metering;
mod negotiation;
mod order;
mod paging;
mod parameters;
mod projects;
mod webhooks;

use std::pin::Pin;
use std::sync::Arc;

use super::world::Template;

/// Something that is tried.
#[derive(Clone, Copy)]
pub struct Scenario {
    /// Its path: `contract::scenarios::THEME::SCENARIO`.
    pub name: &'static str,
    pub run: fn(Arc<Template>) -> Running,
}

/// A scenario under way. It fails by panicking.
type Running = Pin<Box<dyn Future<Output = ()>>>;

/// Every scenario.
pub fn all() -> Vec<Scenario> {
    let themes = [
        addresses::SCENARIOS,
        analytics::SCENARIOS,
        attribution::SCENARIOS,
        bodies::SCENARIOS,
        catalogue::SCENARIOS,
        changes::SCENARIOS,
        conditional::SCENARIOS,
        configs::SCENARIOS,
        cors::SCENARIOS,
        donations::SCENARIOS,
        failures::SCENARIOS,
        feeds::SCENARIOS,
        filters::SCENARIOS,
        framework::SCENARIOS,
        given::SCENARIOS,
        idempotency::SCENARIOS,
        keys::SCENARIOS,
        labels::SCENARIOS,
        leaderboard::SCENARIOS,
        limits::SCENARIOS,
        links::SCENARIOS,
        meta::SCENARIOS,
        metering::SCENARIOS,
        negotiation::SCENARIOS,
        order::SCENARIOS,
        paging::SCENARIOS,
        parameters::SCENARIOS,
        projects::SCENARIOS,
        webhooks::SCENARIOS,
    ];
    themes.concat()
}

/// Makes a theme of these scenarios of a module, and tests of it: each scenario over SQLite, and all of
/// them in one test over PostgreSQL, where each test has to start a server.
macro_rules! theme {
    ($($name:ident),* $(,)?) => {
        pub const SCENARIOS: &[super::Scenario] = &[$(super::Scenario {
            name: concat!(module_path!(), "::", stringify!($name)),
            run: |template| Box::pin($name(template)),
        }),*];

        mod sqlite {
            $(#[test]
            fn $name() {
                crate::run::over_sqlite(super::SCENARIOS, stringify!($name));
            })*
        }

        #[test]
        fn postgres() {
            crate::run::over_postgres(SCENARIOS);
        }
    };
}
use theme;
