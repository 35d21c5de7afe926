//! The conformance suite of databases: tests that are run by name on each database.
//!
//! A case is a function of a site for databases. The suite of a feature is in the feature's folder and
//! ends with [`on_each_database`], which makes a test of each case and database.

use std::sync::Arc;
use std::time::Duration;

use crate::world::Site;
use tokio::runtime::Builder;
use tokio::time::timeout;

use crate::instances::{Instance, SharedInstance};
use features::database;

/// How long a case may take before it counts as hanging: several times what the slowest needs beside other work.
const CASE_TIMEOUT: Duration = Duration::from_secs(600);

/// Makes a test of each of these cases on SQLite, and one on PostgreSQL.
macro_rules! on_each_database {
    ($($case:ident),* $(,)?) => {
        mod sqlite {
            $(#[test]
            fn $case() {
                $crate::harness::run_on_sqlite(super::$case);
            })*
        }

        mod postgres {
            $(#[test]
            fn $case() {
                $crate::harness::run_on_shared_postgres(super::$case);
            })*
        }
    };
}

/// Makes a test of each of these cases on a PostgreSQL server of its own.
macro_rules! on_postgres {
    ($($case:ident),* $(,)?) => {
        mod postgres {
            $(#[test]
            fn $case() {
                $crate::harness::run_on_postgres(super::$case);
            })*
        }
    };
}

/// Runs a case on databases in folders.
pub(crate) fn run_on_sqlite<F: Future<Output = ()>>(case: impl FnOnce(Site) -> F) {
    run(case(Site::Files));
}

/// Runs a case on the server of all tests, where PostgreSQL is installed.
pub(crate) fn run_on_shared_postgres<F: Future<Output = ()>>(case: impl FnOnce(Site) -> F) {
    if let Some(server) = SharedInstance::get(migrate) {
        run(case(Site::Shared(Arc::new(server))));
    }
}

fn migrate(url: &str) {
    let location = url.parse().unwrap();
    run(async { _ = database::migrate(&location).await.unwrap() });
}

/// Runs a case on a server of its own, where PostgreSQL is installed.
pub(crate) fn run_on_postgres<F: Future<Output = ()>>(case: impl FnOnce(Site) -> F) {
    if let Some(instance) = Instance::migrated(migrate) {
        run(case(Site::Instance(Arc::new(instance))));
    }
}

fn run(case: impl Future<Output = ()>) {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let ended = runtime.block_on(async { timeout(CASE_TIMEOUT, case).await });
    ended.expect("the case hangs");
}
