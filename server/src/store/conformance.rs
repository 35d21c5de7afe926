//! What every database must do alike: cases that run unchanged against each of them.
//!
//! Each case has a database of its own. All run in one process for a database, so that one server
//! serves them all. `CASE=leaderboard cargo test -p server conformance` runs only the cases whose
//! names contain the word.

mod analytics;
mod catalogue;
mod configs;
mod creation;
mod donations;
mod edges;
mod keys;
mod leaderboard;
mod posting;
mod progress;
mod projects;
mod replicas;
mod verification;
pub(super) mod world;

use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use futures_util::future::LocalBoxFuture;
use tokio::runtime::Builder;

use super::instances::Instance;
use super::{Location, Migrated};
use world::{Site, TEMPLATE};

/// How many cases run at once, each on a thread with a runtime of its own.
const AT_ONCE: usize = 4;

/// How long one of them may take before it counts as hanging.
const PATIENCE: Duration = Duration::from_secs(120);

/// Something that every database must do. It fails by panicking.
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) run: fn(Site) -> LocalBoxFuture<'static, ()>,
}

macro_rules! cases {
    ($($module:ident: $($name:ident)*;)*) => {
        vec![$($($crate::store::conformance::Case {
            name: concat!(stringify!($module), "::", stringify!($name)),
            run: |site| Box::pin($module::$name(site)),
        },)*)*]
    };
}
pub(super) use cases;

fn all() -> Vec<Case> {
    cases! {
        analytics: totals_of_all_time_and_of_days breakdowns_rank_and_page;
        catalogue: holds_what_was_recorded only_changes_are_counted slugs_are_unique_and_kinds_stay;
        configs: are_paged_latest_first deleting_hides_a_config_and_keeps_what_it_received
            may_come_deleted never_change;
        creation: a_key_makes_one_config an_answer_is_kept_for_24_hours refusals_are_not_kept
            forgotten_answers_are_cleared_away_bit_by_bit twins_in_flight_make_one_config;
        donations: the_same_donation_counts_once unknown_tokens_and_configs_are_refused
            a_revision_takes_back_and_a_further_one_gives_again a_sum_that_does_not_fit_is_refused_whole
            a_batch_stops_or_goes_on a_batch_may_take_back_what_it_gives;
        edges: the_largest_amounts_are_kept times_before_1970_have_days texts_are_in_the_order_of_bytes
            campaigns_cannot_overflow a_partner_token_cannot_overflow_its_project;
        keys: keys_are_issued_rotated_and_revoked changes_of_keys_and_tiers_are_counted;
        leaderboard: every_page_size_gives_the_same_order an_entry_tells_token_creator_config_and_sum
            is_its_projects_only;
        posting: a_donation_counts_once_for_its_configs_and_its_tokens_project
            a_new_partner_token_brings_its_earlier_donations
            campaigns_raise_what_their_beneficiary_receives_in_their_time
            rollups_are_what_the_donations_add_up_to;
        progress: is_noted_with_what_is_recorded_and_not_with_what_is_refused;
        projects: projects_are_listed_by_name;
        replicas: see_each_others_writes twins_in_flight_make_one_config
            the_same_donations_from_several_importers_count_once importers_of_everything_do_not_deadlock
            a_new_partner_token_misses_no_donation whoever_hangs_up_leaves_nothing_behind;
        verification: tells_a_rollup_that_is_off tells_a_campaign_that_is_off;
    }
}

#[test]
fn sqlite_conforms() {
    run_all(&Site::Files, all());
}

#[test]
fn postgres_conforms() {
    if let Some(instance) = Instance::start() {
        run_all(&migrated(instance), all());
    }
}

/// A server with a migrated database to copy.
pub(super) fn migrated(instance: Instance) -> Site {
    runtime().block_on(async {
        let server = instance.url("postgres");
        super::instances::execute(&server, &format!("CREATE DATABASE {TEMPLATE}")).await;
        let template: Location = instance.url(TEMPLATE).parse().unwrap();
        Migrated::run(&template).await.unwrap();
    });
    Site::Instance(Arc::new(instance))
}

/// Runs the cases that are wanted, and fails when one of them does.
pub(super) fn run_all(site: &Site, mut cases: Vec<Case>) {
    if let Ok(wanted) = std::env::var("CASE") {
        cases.retain(|case| case.name.contains(&wanted));
    }
    let (waiting, failed) = (Mutex::new(cases.into_iter()), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(case) = { waiting.lock().unwrap().next() } {
                    if !passes(&case, site.clone()) {
                        failed.lock().unwrap().push(case.name);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_empty(), "failed: {failed:?}");
}

fn passes(case: &Case, site: Site) -> bool {
    let start = Instant::now();
    let trying = || {
        let run = async { tokio::time::timeout(PATIENCE, (case.run)(site)).await };
        runtime().block_on(run)
    };
    let said = match panic::catch_unwind(AssertUnwindSafe(trying)) {
        Ok(Ok(())) => "ok    ",
        Ok(Err(_)) => "HANGS ",
        Err(_) => "FAILED",
    };
    println!("{said} {} ({:.1?})", case.name, start.elapsed());
    said == "ok    "
}

fn runtime() -> tokio::runtime::Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}
