//! SQLite: one file, for one machine. Owns its schema, its threads and its SQL.
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
mod database;
mod donations;
mod error;
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
use std::thread;

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::StoreError;
use threads::Workers;

/// How many reads or writes may wait for a thread; more wait for a place in the queue.
const QUEUE: usize = 256;

/// An open file.
#[derive(Debug)]
pub(super) struct Sqlite {
    writer: Workers,
    readers: Workers,
}

impl Sqlite {
    /// Opens the database file, which it makes and migrates where needed.
    pub(super) fn open(path: &Path) -> Result<Sqlite, StoreError> {
        let mut writer = connection::open_writer(path)?;
        migrations::migrate(&mut writer)?;
        let processors = thread::available_parallelism().map_or(2, usize::from);
        let readers = (0..processors.clamp(2, 8)).map(|_| connection::open_reader(path));
        let readers = readers.collect::<Result<_, _>>()?;
        Ok(Sqlite {
            writer: Workers::start("store-writer", vec![writer], QUEUE)?,
            readers: Workers::start("store-reader", readers, QUEUE)?,
        })
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
    use crate::domain::config::Config;
    use crate::store::fixture::{World, config, donation};
    use crate::store::{Change, OnRejection, Record, Store, StoreError};

    #[tokio::test]
    async fn two_processes_write_at_the_same_time() {
        let World {
            store, directory, ..
        } = World::new().await;
        let other = Store::open(&directory.path().join("catalogue.db")).unwrap();
        let write = async |store: Store, from: u32| {
            for n in from..from + 40 {
                let record = Record::Donation(donation(n, 1, 1, 1));
                let outcomes = store.record(vec![record], OnRejection::Stop).await.unwrap();
                assert_eq!(outcomes, [Ok(Change::Inserted)]);
            }
        };
        tokio::join!(write(store.clone(), 0), write(other.clone(), 1000));
        let Config { project, .. } = config(1, 1, &[]);
        for store in [&store, &other] {
            let totals = store.project_totals(project, None).await.unwrap();
            assert_eq!(totals.stats.donations, 80);
        }
    }

    #[tokio::test]
    async fn a_closed_store_says_so_and_its_file_is_whole() {
        let World {
            store, directory, ..
        } = World::new().await;
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
            .sqlite
            .read(|db| Ok(db.execute("DELETE FROM tally", [])?))
            .await;
        assert!(
            matches!(write, Err(StoreError::Unavailable(_))),
            "{write:?}"
        );
    }
}
