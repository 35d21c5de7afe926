//! Asks SQLite or PostgreSQL with one SQL string, synchronously, in transactions.
//!
//! [`Db`] runs a function on a thread that owns a connection, and hands it a [`Tx`]:
//!
//! ```ignore
//! let key = db.read(move |tx| tx.first(sql, params![id], read_key)).await?;
//! ```
//!
//! This crate knows no feature: the schema, the statements and the types of columns are the program's.

#![allow(missing_docs, reason = "the crate is not published")]

mod batch;
mod changes;
mod error;
mod fail_point;
mod location;
mod lock;
mod migrations;
mod pool_use;
mod postgres;
mod row;
mod sqlite;
mod timeouts;
mod tx;
mod value;
mod writer;

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

pub use batch::Batch;
pub use changes::Changes;
pub use error::DbError;
pub use fail_point::FailPoint;
pub use location::{InvalidLocation, Location, PostgresUrl};
pub use lock::Lock;
pub use migrations::Schema;
pub use pool_use::PoolUse;
pub use row::Row;
pub use sqlite::BackupError;
pub use timeouts::Timeouts;
pub use tx::{PerEngine, Query, Stream, Tx};
pub use value::{FromValue, ToValue, UnknownName, Value};
pub use writer::Writer;

use postgres::Postgres;
use postgres::session::Mode;
use sqlite::Sqlite;

/// A handle on a database. Clones share its connections, which end with the last clone.
///
/// The errors of a transaction's body are its own: anything that a [`DbError`] converts into.
#[derive(Debug, Clone)]
pub struct Db {
    backend: Arc<Backend>,
    fail_point: Option<FailPoint>,
}

#[derive(Debug)]
enum Backend {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

impl Db {
    /// Opens a SQLite file, which is created and migrated if necessary.
    ///
    /// Blocks on the disk, so it must not be called within a request.
    ///
    /// # Errors
    /// When the file cannot be opened, is no database of this program or was written by a newer version.
    pub fn open(path: &Path, schema: Schema) -> Result<Db, DbError> {
        Ok(Db::new(Backend::Sqlite(Sqlite::open(path, schema)?)))
    }

    /// Opens a SQLite file as [`Self::open`] does, or connects to a PostgreSQL database, which must have
    /// the newest schema (see [`migrate`]).
    ///
    /// # Errors
    /// When the database cannot be reached or opened, or has another schema than this program's.
    pub async fn connect(location: &Location, schema: Schema) -> Result<Db, DbError> {
        Ok(match location {
            Location::File(path) => Db::open(path, schema)?,
            Location::Postgres(url) => {
                let postgres = Postgres::connect(url, schema).await?;
                Db::new(Backend::Postgres(postgres))
            }
        })
    }

    /// Like [`Self::connect`], but never creates a SQLite file.
    ///
    /// # Errors
    /// Those of [`Self::connect`], and [`DbError::OlderSchema`] when the file has none of this program's tables.
    pub async fn connect_existing(location: &Location, schema: Schema) -> Result<Db, DbError> {
        if let Location::File(path) = location {
            Sqlite::require_schema(path, schema)?;
        }
        Db::connect(location, schema).await
    }

    fn new(backend: Backend) -> Db {
        Db {
            backend: Arc::new(backend),
            fail_point: None,
        }
    }

    /// A handle whose statements pass a fail point. They still run on the same connections.
    pub fn failing_at(&self, fail_point: FailPoint) -> Db {
        Db {
            fail_point: Some(fail_point),
            ..self.clone()
        }
    }

    /// Reads in the time limits of a request. In PostgreSQL each statement sees the newest state of the
    /// database: for one statement, or for several that need not fit together.
    ///
    /// # Errors
    /// Those of `work`; [`DbError::Unavailable`] when the database does not respond in time.
    pub async fn read<T, E>(
        &self,
        work: impl FnOnce(&Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<DbError> + Send + 'static,
    {
        let fail_point = self.fail_point.clone();
        let work = move |tx: &Tx<'_>| work(tx.passing(&fail_point));
        match &*self.backend {
            Backend::Sqlite(db) => db.read(Timeouts::Request, work).await,
            Backend::Postgres(db) => db.read(Mode::Read, Timeouts::Request, work).await,
        }
    }

    /// Reads one state of the database throughout.
    ///
    /// # Errors
    /// Those of `work`; [`DbError::Unavailable`] when the database does not respond in time.
    pub async fn snapshot<T, E>(
        &self,
        limits: Timeouts,
        work: impl FnOnce(&Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<DbError> + Send + 'static,
    {
        let fail_point = self.fail_point.clone();
        let work = move |tx: &Tx<'_>| work(tx.passing(&fail_point));
        match &*self.backend {
            Backend::Sqlite(db) => db.read(limits, work).await,
            Backend::Postgres(db) => db.read(Mode::Snapshot, limits, work).await,
        }
    }

    /// Writes in a transaction, which is rolled back if `work` fails. `work` is called again after a
    /// conflict with another transaction. A write that was begun completes or leaves no trace, even if
    /// its caller stops waiting.
    ///
    /// # Errors
    /// Those of `work`; [`DbError::Unavailable`] when the database does not respond in time.
    pub async fn write<T, E>(
        &self,
        writer: Writer,
        limits: Timeouts,
        work: impl Fn(&Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<DbError> + Send + 'static,
    {
        let fail_point = self.fail_point.clone();
        let work = move |tx: &Tx<'_>| work(tx.passing(&fail_point));
        match &*self.backend {
            Backend::Sqlite(db) => db.write(writer, work).await,
            Backend::Postgres(db) => db.write(writer, limits, work).await,
        }
    }

    /// The counters that transactions have increased with [`Tx::bump`]. Cheap enough to be read several
    /// times a second.
    ///
    /// # Errors
    /// When the database fails, or its file was removed or replaced.
    pub async fn counters(&self) -> Result<HashMap<String, u64>, DbError> {
        if let Backend::Sqlite(db) = &*self.backend {
            db.require_in_place()?;
        }
        self.read(|tx| tx.counters()).await
    }

    /// Whether the database takes no writes: a PostgreSQL standby, or one whose operator has made it so. `None` for
    /// SQLite, whose writes say so by themselves.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn is_read_only(&self) -> Result<Option<bool>, DbError> {
        match &*self.backend {
            Backend::Sqlite(_) => Ok(None),
            Backend::Postgres(_) => {
                let sql = "SELECT current_setting('transaction_read_only') = 'on' AS read_only";
                let read = |row: &Row<'_>| row.get("read_only");
                self.read(move |tx| tx.one(sql, &[], read)).await.map(Some)
            }
        }
    }

    /// Deletes old entries of the change log. Copies that are older reload everything.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn prune_changes(&self) -> Result<(), DbError> {
        while self
            .write(Writer::Unlimited, Timeouts::Request, changes::prune)
            .await?
        {}
        Ok(())
    }

    /// The use of the connection pool; `None` for a database without one.
    pub fn pool(&self) -> Option<PoolUse> {
        match &*self.backend {
            Backend::Sqlite(_) => None,
            Backend::Postgres(db) => Some(db.pool()),
        }
    }

    /// Finishes queued work and releases all resources. Every later call fails with
    /// [`DbError::Unavailable`]. Blocks until SQLite's work is done.
    pub fn close(&self) {
        match &*self.backend {
            Backend::Sqlite(db) => db.close(),
            Backend::Postgres(db) => db.close(),
        }
    }
}

/// The result of a migration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Migrated {
    /// The schema before; 0 for a database that was empty.
    pub from: u32,
    /// The schema now.
    pub to: u32,
}

/// Brings a database to the newest schema in one transaction. Several processes may do so at once.
///
/// # Errors
/// When the database cannot be reached or opened, or is newer than this program.
pub async fn migrate(location: &Location, schema: Schema) -> Result<Migrated, DbError> {
    let (from, to) = match location {
        Location::File(path) => Sqlite::migrate(path, schema)?,
        Location::Postgres(url) => Postgres::migrate(url, schema).await?,
    };
    Ok(Migrated { from, to })
}

/// Writes one state of the SQLite file `path` to `target`, readable for its owner only; returns its
/// schema. The file appears complete, checked and synced to disk, or not at all. Servers and imports go
/// on meanwhile.
///
/// # Errors
/// When it cannot be written, would replace a file and `replace` is false, or the database is damaged.
pub fn back_up(
    path: &Path,
    target: &Path,
    replace: bool,
    schema: Schema,
) -> Result<u32, BackupError> {
    sqlite::back_up(path, target, replace, schema)
}

/// Restores a backup into the SQLite file `path`, which is created if missing, in one write that
/// running servers see like any other. Returns the schema that the backup had.
///
/// # Errors
/// When the backup is damaged or another program's, or the database cannot be opened.
pub fn restore(path: &Path, backup: &Path, schema: Schema) -> Result<u32, BackupError> {
    sqlite::restore(path, backup, schema)
}

/// The plan of a query in SQLite, on an empty database: for tests that check the indexes it reads.
///
/// # Errors
/// When the statement is not valid.
pub fn sqlite_plan(sql: &str, schema: Schema) -> Result<String, DbError> {
    sqlite::plan(sql, schema)
}
