//! SQLite: one file, for one machine.
//!
//! One thread writes and several read, each with a connection of its own. Work that was begun there
//! completes even if its caller stops waiting, so that a cancelled request leaks nothing. Other
//! processes may use the same file at the same time.

mod access;
mod backup;
mod connection;
mod copy;
mod dialect;
mod error;
mod file;
mod interrupt;
pub(crate) mod migrations;
pub(crate) mod statement;
mod workers;

use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use crate::migrations::Schema;
use crate::writer::{Turns, Writer};
use crate::{DbError, Timeouts, Tx};
pub use backup::BackupError;
pub(crate) use backup::{back_up, restore};
use file::OpenFile;
use workers::Workers;

/// The maximum number of queued reads or writes; further ones wait for a place in the queue.
const QUEUE: usize = 256;

/// An open file.
#[derive(Debug)]
pub(crate) struct Sqlite {
    file: Arc<OpenFile>,
    turns: Turns,
    writer: Workers,
    readers: Workers,
}

impl Sqlite {
    /// Opens the database file, which is created and migrated if necessary.
    pub(crate) fn open(path: &Path, schema: Schema) -> Result<Sqlite, DbError> {
        let mut writer = connection::open_writer(path)?;
        migrations::migrate(&mut writer, schema)?;
        let processors = thread::available_parallelism().map_or(2, usize::from);
        let readers = (0..processors.clamp(2, 8)).map(|_| connection::open_reader(path));
        let readers = readers.collect::<Result<_, _>>()?;
        Ok(Sqlite {
            file: Arc::new(OpenFile::at(path)?),
            turns: Turns::default(),
            writer: Workers::start("store-writer", vec![writer], QUEUE)?,
            readers: Workers::start("store-reader", readers, QUEUE)?,
        })
    }

    /// Rejects a file that is missing or has no schema, without changing it.
    pub(crate) fn require_schema(path: &Path, schema: Schema) -> Result<(), DbError> {
        let db = copy::existing(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        match migrations::exist(&db)? {
            true => Ok(()),
            false => Err(DbError::OlderSchema {
                found: 0,
                known: schema.newest(),
            }),
        }
    }

    /// Brings a file to the newest schema; returns the schemas before and after.
    pub(crate) fn migrate(path: &Path, schema: Schema) -> Result<(u32, u32), DbError> {
        migrations::migrate(&mut connection::open_writer(path)?, schema)
    }

    /// Runs `work` on the writer's thread in one transaction, which is committed unless it fails.
    /// Nothing is written to a file that was removed or replaced.
    pub(crate) async fn write<T: Send + 'static, E: From<DbError> + Send + 'static>(
        &self,
        writer: Writer,
        work: impl FnOnce(&Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E> {
        let turn = self.turns.take(writer).await?;
        let file = Arc::clone(&self.file);
        let write = move |connection: &mut Connection| {
            let _turn = turn;
            file.require_in_place()?;
            // The lock is taken at once, so that waiting for another process is bounded and happens
            // before any work.
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate);
            let transaction = transaction.map_err(DbError::from)?;
            let tx = Tx::sqlite(&transaction);
            let done = work(&tx)?;
            tx.increment_counters()?;
            drop(tx);
            transaction.commit().map_err(DbError::from)?;
            Ok(done)
        };
        self.writer.run(write).await
    }

    /// Runs `work` on a reader's thread, in one state of the database. Work whose time has passed before
    /// its turn comes is not begun, and a running statement then ends, so that neither takes the thread
    /// from others.
    pub(crate) async fn read<T: Send + 'static, E: From<DbError> + Send + 'static>(
        &self,
        limits: Timeouts,
        work: impl FnOnce(&Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E> {
        self.file.require_not_lost()?;
        let deadline = limits.statement().map(|most| Instant::now() + most);
        let read = move |connection: &mut Connection| {
            interrupt::after(deadline, connection, |connection| {
                let transaction = connection.transaction().map_err(DbError::from)?;
                work(&Tx::sqlite(&transaction))
            })
        };
        self.readers.run(read).await
    }

    /// Fails if the file was removed or replaced.
    pub(crate) fn require_in_place(&self) -> Result<(), DbError> {
        self.file.require_in_place()
    }

    pub(crate) fn close(&self) {
        self.readers.stop();
        // The last connection to close empties the write-ahead log.
        self.writer.stop();
    }
}

/// The plan of a query on an empty database.
pub(crate) fn plan(sql: &str, schema: Schema) -> Result<String, DbError> {
    let mut db = Connection::open_in_memory()?;
    connection::add_functions(&db)?;
    migrations::migrate(&mut db, schema)?;
    let explain = format!("EXPLAIN QUERY PLAN {sql}");
    let steps: Vec<String> = statement::unbound(&db, &explain, |row| row.get("detail"))?;
    Ok(steps.join("\n"))
}

#[cfg(test)]
mod tests;
