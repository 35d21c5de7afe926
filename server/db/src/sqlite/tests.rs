//! Tests that are specific to SQLite: threads, the file and prepared statements.

use std::time::Duration;

use futures_util::future::join_all;
use rusqlite::StatementStatus;
use tempfile::TempDir;

use super::{Sqlite, query};
use crate::contracts::leaderboard::sqlite as leaderboard;
use crate::database::conformance::world::{Site, World, contract, donation, partner_token};
use crate::database::{Database as _, StoreError};
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
            let (usd, key) = query::below(None);
            let mut statement = db.prepare(leaderboard::PAGE)?;
            let params = (contract(1, 1).id.key(), usd, &key, &key, 3);
            let rows = statement.query_map(params, |_| Ok(()))?.count();
            Ok((rows, statement.get_status(StatementStatus::VmStep)))
        });
        read.await.unwrap()
    };
    let few = steps().await;
    world.record_all(donations(4..400).collect()).await;
    assert_eq!((few.0, steps().await), (3, few));
}
