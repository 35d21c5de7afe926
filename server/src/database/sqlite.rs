//! SQLite: one file, for one machine. Owns its schema, its threads and its SQL.
//!
//! One thread writes and several read, each with a connection of its own. Work that was begun there
//! completes even if its caller stops waiting, so that a cancelled request leaks nothing. Other
//! processes may use the same file at the same time.

mod access;
mod backup;
pub(crate) mod column;
mod connection;
mod copy;
mod database;
mod error;
mod file;
mod interrupt;
pub(crate) mod migrations;
pub(crate) mod query;
mod threads;
pub(crate) mod versions;

use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::project_turns::{ProjectTurns, Writer};
use super::{StoreError, TimeoutClass};
pub use backup::BackupError;
pub(crate) use backup::{back_up, restore};
use file::OpenFile;
use threads::Workers;

/// The maximum number of queued reads or writes; further ones wait for a place in the queue.
const QUEUE: usize = 256;

/// An open file.
#[derive(Debug)]
pub(crate) struct Sqlite {
    file: Arc<OpenFile>,
    /// Lets a project have one place in the writer's queue.
    projects: ProjectTurns,
    writer: Workers,
    readers: Workers,
}

impl Sqlite {
    /// Opens the database file, which is created and migrated if necessary.
    pub(crate) fn open(path: &Path) -> Result<Sqlite, StoreError> {
        let mut writer = connection::open_writer(path)?;
        migrations::migrate(&mut writer)?;
        let processors = thread::available_parallelism().map_or(2, usize::from);
        let readers = (0..processors.clamp(2, 8)).map(|_| connection::open_reader(path));
        let readers = readers.collect::<Result<_, _>>()?;
        Ok(Sqlite {
            file: Arc::new(OpenFile::at(path)?),
            projects: ProjectTurns::default(),
            writer: Workers::start("store-writer", vec![writer], QUEUE)?,
            readers: Workers::start("store-reader", readers, QUEUE)?,
        })
    }

    /// Brings a file to the newest schema; the schemas before and after.
    pub(crate) fn migrate(path: &Path) -> Result<(u32, u32), StoreError> {
        migrations::migrate(&mut connection::open_writer(path)?)
    }

    /// Runs `work` on the writer's thread in one transaction, which is committed unless it fails.
    /// Nothing is written to a file that was removed or replaced.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        writer: Writer,
        work: impl FnOnce(&mut Transaction<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let turn = self.projects.take(writer).await?;
        let file = Arc::clone(&self.file);
        self.writer
            .run(move |connection| {
                let _turn = turn;
                file.require_in_place()?;
                // The lock is taken at once, so that waiting for another process is bounded and happens
                // before any work.
                let mut tx =
                    connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
                let result = work(&mut tx)?;
                tx.commit()?;
                Ok(result)
            })
            .await
    }

    /// Runs `work` on a reader's thread, in one state of the database, in the time of a request.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.read_within(TimeoutClass::Request, work).await
    }

    /// Runs `work` as [`Self::read`] does, in other limits. Work whose time has passed before its turn comes is not
    /// begun, and a statement that is under way then ends, so that neither takes the thread from others.
    pub(crate) async fn read_within<T: Send + 'static>(
        &self,
        limits: TimeoutClass,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.file.require_not_lost()?;
        let deadline = limits.statement().map(|most| Instant::now() + most);
        self.readers
            .run(move |connection| {
                interrupt::after(deadline, connection, |connection| {
                    work(&*connection.transaction()?)
                })
            })
            .await
    }
}

#[cfg(test)]
mod tests;
