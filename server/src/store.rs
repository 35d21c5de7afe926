//! The database: what is kept, how it is written and how it is read back.
//!
//! Owns the SQLite file, its schema, its threads and all SQL. Speaks the domain's types only and
//! knows nothing of HTTP or of the generated code; so another database can stand behind the same
//! methods. Time and new ids are arguments of the methods that need them.
//!
//! One thread writes and several read, each with a connection of its own. Work runs there to its
//! end even when the caller stops waiting for it, so a request that is hung up on leaks nothing.
//! Other processes may use the same file at the same time.

mod analytics;
mod campaigns;
mod catalogue;
mod chains;
mod charities;
mod column;
mod configs;
mod connection;
mod creation;
mod donations;
mod error;
#[cfg(test)]
mod fixture;
mod keys;
mod leaderboard;
mod migrations;
mod partners;
mod posting;
mod projects;
mod query;
mod records;
mod tally;
mod threads;
mod tokens;
mod verification;
mod versions;

use std::path::Path;
use std::sync::Arc;
use std::thread;

use rusqlite::{Connection, Transaction, TransactionBehavior};

pub use analytics::{ProjectTotals, Ranked};
pub use campaigns::CampaignProgress;
pub use catalogue::{Catalogue, PartnerDetail};
pub use creation::{Creation, Idempotency};
pub use error::{Rejection, Rule, StoreError};
pub use keys::KeyChange;
pub use leaderboard::LeaderboardEntry;
pub use records::{Change, OnRejection, Record};
pub use verification::Drift;
pub use versions::Versions;

use threads::Workers;

/// How many reads or writes may wait for a thread; more wait for a place in the queue.
const QUEUE: usize = 256;

/// A handle on the database. Clones share its threads, which end with the last clone.
#[derive(Clone, Debug)]
pub struct Store {
    writer: Arc<Workers>,
    readers: Arc<Workers>,
}

impl Store {
    /// Opens the database file, which it makes and migrates where needed.
    ///
    /// Blocks on the disk, so it belongs at the start of a program.
    ///
    /// # Errors
    /// When the file cannot be opened, holds something else or was written by a newer program.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        let mut writer = connection::open_writer(path)?;
        migrations::migrate(&mut writer)?;
        let processors = thread::available_parallelism().map_or(2, usize::from);
        let readers = (0..processors.clamp(2, 8)).map(|_| connection::open_reader(path));
        Ok(Store {
            writer: Arc::new(Workers::start("store-writer", vec![writer], QUEUE)?),
            readers: Arc::new(Workers::start(
                "store-reader",
                readers.collect::<Result<_, _>>()?,
                QUEUE,
            )?),
        })
    }

    /// Finishes what is queued, moves everything into the main file and ends the threads. Every
    /// later call, of any clone, answers [`StoreError::Unavailable`]. Blocks until it is done.
    pub fn close(&self) {
        self.readers.stop();
        // The last connection to close empties the write-ahead log.
        self.writer.stop();
    }

    /// Runs `work` on the writer's thread in one transaction, which is kept unless it fails.
    async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Transaction<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.writer
            .run(|connection| {
                // Taking the lock at once means that waiting for another process happens here,
                // where it is bounded, and never in the middle.
                let mut tx =
                    connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
                let result = work(&mut tx)?;
                tx.commit()?;
                Ok(result)
            })
            .await
    }

    /// Runs `work` on a reader's thread, which sees one state of the database throughout.
    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.readers
            .run(|connection| work(&*connection.transaction()?))
            .await
    }
}

#[cfg(test)]
mod tests {
    use super::fixture::{World, config, donation};
    use super::*;

    #[tokio::test]
    async fn two_processes_write_at_the_same_time() {
        let World { store, directory } = World::new().await;
        let other = Store::open(&directory.path().join("catalogue.db")).unwrap();
        let write = async |store: Store, from: u32| {
            for n in from..from + 40 {
                let record = Record::Donation(donation(n, 1, 1, 1));
                let outcomes = store.record(vec![record], OnRejection::Stop).await.unwrap();
                assert_eq!(outcomes, [Ok(Change::Inserted)]);
            }
        };
        tokio::join!(write(store.clone(), 0), write(other.clone(), 1000));
        let project = config(1, 1, &[]).project;
        for store in [&store, &other] {
            let totals = store.project_totals(project, None).await.unwrap();
            assert_eq!(totals.stats.donations, 80);
        }
    }

    #[tokio::test]
    async fn a_closed_store_says_so_and_its_file_is_whole() {
        let World { store, directory } = World::new().await;
        let path = directory.path().join("catalogue.db");
        store.close();
        assert!(matches!(
            store.versions().await,
            Err(StoreError::Unavailable(_))
        ));
        assert!(!path.with_extension("db-wal").exists());
        assert_eq!(
            Store::open(&path).unwrap().projects().await.unwrap().len(),
            2
        );
    }

    #[tokio::test]
    async fn readers_cannot_write() {
        let world = World::new().await;
        let write = world
            .store
            .read(|db| Ok(db.execute("DELETE FROM tally", [])?))
            .await;
        assert!(
            matches!(write, Err(StoreError::Unavailable(_))),
            "{write:?}"
        );
    }
}
