//! What is SQLite's own: its threads, its file and its plans.

use tempfile::TempDir;

use super::{Sqlite, analytics, configs, leaderboard, query};
use crate::store::{Database as _, StoreError};

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
        ])
    });
    for (plan, index) in plans.await.unwrap() {
        assert!(
            plan.contains(index) && !plan.contains("TEMP B-TREE"),
            "{plan}"
        );
    }
}
