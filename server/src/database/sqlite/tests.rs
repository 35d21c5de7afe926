//! Tests that are specific to SQLite: threads, the file and plans.

use std::time::Duration;

use futures_util::future::join_all;
use rusqlite::{Connection, StatementStatus, named_params};
use tempfile::TempDir;

use super::{Sqlite, query};
use crate::analytics::sqlite as analytics;
use crate::configs::sqlite as configs;
use crate::contracts::leaderboard::sqlite as leaderboard;
use crate::database::conformance::world::{
    Site, World, charity_id, contract, donation, partner_token, revised,
};
use crate::database::{Database as _, StoreError};
use crate::donations::sqlite as donations;
use crate::donations::{DonationFilter, DonationStore as _};
use crate::import::Record;
use crate::projects::ProjectStore;

/// An empty database in a folder that goes with it.
fn opened() -> (Sqlite, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let sqlite = Sqlite::open(&folder.path().join("catalogue.db")).unwrap();
    (sqlite, folder)
}

#[tokio::test]
async fn a_closed_store_says_so_and_its_file_is_whole() {
    let (sqlite, folder) = opened();
    sqlite.close();
    let asked = sqlite.versions().await;
    assert!(matches!(asked, Err(StoreError::Unavailable(_))));
    assert!(!folder.path().join("catalogue.db-wal").exists());
    let again = Sqlite::open(&folder.path().join("catalogue.db")).unwrap();
    assert_eq!(again.projects().await.unwrap(), []);
}

#[tokio::test]
async fn readers_cannot_write() {
    let (sqlite, _folder) = opened();
    let write = sqlite.read(|db| Ok(db.execute("DELETE FROM tally", [])?));
    let write = write.await;
    assert!(
        matches!(write, Err(StoreError::Unavailable(_))),
        "{write:?}"
    );
}

/// Counts without end.
const ENDLESS: &str =
    "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n) SELECT max(n) FROM n";

#[tokio::test]
async fn reads_without_end_are_interrupted_and_keep_no_others_out() {
    let (sqlite, _folder) = opened();
    let endless = || sqlite.read(|db| Ok(db.query_row(ENDLESS, [], |row| row.get::<_, i64>(0))?));
    // More than there are threads: those that wait in the queue are not begun when their time is over.
    let reads = join_all((0..32).map(|_| endless()));
    let ended = tokio::time::timeout(Duration::from_secs(20), reads).await;
    for read in ended.unwrap() {
        let late = "it does not answer in time".to_owned();
        assert_eq!(read, Err(StoreError::Unavailable(late)));
    }
    assert_eq!(sqlite.projects().await.unwrap(), []);
}

#[tokio::test]
async fn pages_read_their_index_and_sort_nothing() {
    let (sqlite, _folder) = opened();
    let plans = sqlite.read(|db| {
        Ok([
            (
                query::plan(db, configs::PAGE, ([0; 16], 0, [0; 32], 0))?,
                "INDEX config_of_project (project=? AND (created_at,id)<(?,?))",
            ),
            (
                query::plan(db, leaderboard::PAGE, ([0; 40], 0, [0; 40], 0))?,
                "USING COVERING INDEX leaderboard (contract=? AND (usd_e6,token)<(?,?))",
            ),
            (
                query::plan(db, analytics::EVER, ([0; 16], 1, 0, [0; 16], 1))?,
                "USING COVERING INDEX tally_by_usd (project=? AND facet=? AND (usd_e6,member)<(?,?))",
            ),
            (
                query::plan(db, &donations::page(), named_params! {})?,
                "given USING PRIMARY KEY (charity=? AND at>? AND (at,chain,tx,log_index)<(?,?,?,?))",
            ),
            (
                query::plan(db, &donations::page_of_chain(), named_params! {})?,
                "USING COVERING INDEX charity_donation_of_chain \
                 (charity=? AND chain=? AND at>? AND (at,tx,log_index)<(?,?,?))",
            ),
        ])
    });
    for (plan, index) in plans.await.unwrap() {
        assert!(
            plan.contains(index) && !plan.contains("TEMP B-TREE"),
            "{plan}"
        );
    }
}

#[tokio::test]
async fn donations_that_were_there_before_are_listed_after_a_migration() {
    let world = World::new(&Site::Files).await;
    let taken = donation(2, 1, 1, 9);
    let log = [donation(1, 1, 1, 9), taken.clone(), revised(&taken)];
    world.record_all(log.map(Record::Donation).into()).await;
    let filter = DonationFilter::default();
    let listed = world
        .store
        .donations_of_charity(charity_id(1), filter, None, 9);
    let listed = listed.await.unwrap();
    let before = "DROP TABLE charity_donation; DELETE FROM schema_migrations WHERE version = 3";
    let file = Connection::open(world.url()).unwrap();
    file.execute_batch(before).unwrap();
    let sqlite = Sqlite::open(world.url().as_ref()).unwrap();
    let migrated = sqlite.donations_of_charity(charity_id(1), filter, None, 9);
    assert_eq!(migrated.await.unwrap(), listed);
    assert_eq!(listed.len(), 1);
}

/// Joins do not by themselves.
#[tokio::test]
async fn a_statement_stays_prepared_whatever_its_values() {
    let (sqlite, _folder) = opened();
    let prepared = sqlite.read(|db| {
        let sql = "SELECT chain.kind FROM token JOIN chain ON chain.id = token.chain
                   WHERE token.id = ?1";
        let anew = |value: u8| {
            let mut statement = db.prepare_cached(sql)?;
            statement.query_map([[value; 40]], |_| Ok(()))?.count();
            Ok(statement.get_status(StatementStatus::RePrepare))
        };
        (0..9).map(anew).collect::<Result<Vec<_>, StoreError>>()
    });
    assert_eq!(prepared.await.unwrap(), [0; 9]);
}

#[tokio::test]
async fn a_leaderboard_takes_the_same_steps_with_a_hundred_times_the_donations() {
    let world = World::new(&Site::Files).await;
    let partners = (1..=4).map(|n| Record::PartnerToken(partner_token(n, 1, 1)));
    world.record_all(partners.collect()).await;
    let donations = |numbers: std::ops::Range<u32>| {
        numbers.map(|n| Record::Donation(donation(n, 1 + (n % 4) as u8, 1, 1)))
    };
    world.record_all(donations(0..4).collect()).await;
    let sqlite = Sqlite::open(world.url().as_ref()).unwrap();
    let steps = async || {
        let read = sqlite.read(|db| {
            let (usd, token) = query::below(None);
            let mut statement = db.prepare(leaderboard::PAGE)?;
            let params = (contract(1, 1).id.key(), usd, token, 3);
            let rows = statement.query_map(params, |_| Ok(()))?.count();
            Ok((rows, statement.get_status(StatementStatus::VmStep)))
        });
        read.await.unwrap()
    };
    let few = steps().await;
    world.record_all(donations(4..400).collect()).await;
    assert_eq!((few.0, steps().await), (3, few));
}
