//! The database: its interface, its two implementations and their migrations.
//!
//! The rest of the program uses [`Database`] only, whose methods take and return the domain's types and
//! depend neither on HTTP nor on generated code. Time and new ids are arguments of the methods that
//! need them. Each implementation, `sqlite` and `postgres`, owns its schema and its SQL.

#[cfg(test)]
pub(crate) mod conformance;
pub(crate) mod error;
#[cfg(test)]
#[path = "../tests/instances/mod.rs"]
pub(crate) mod instances;
mod interface;
mod location;
pub(crate) mod migrations;
#[cfg(test)]
mod named_columns;
mod pool;
pub(crate) mod postgres;
mod project_turns;
pub(crate) mod sqlite;
mod timeout_class;
pub(crate) mod versions;

use std::path::Path;
use std::sync::Arc;

pub use error::StoreError;
pub use interface::Database;
pub use location::{InvalidLocation, Location, PostgresUrl};
pub use migrations::SCHEMA;
pub use pool::PoolUse;
pub use sqlite::BackupError;
pub use versions::Versions;

use postgres::Postgres;
pub(crate) use project_turns::Writer;
use sqlite::Sqlite;
pub(crate) use timeout_class::TimeoutClass;

/// A handle on a database. Clones share its connections, which end with the last clone.
pub type Store = Arc<dyn Database>;

/// Opens a SQLite file, which is created and migrated if necessary.
///
/// Blocks on the disk, so it must not be called within a request.
///
/// # Errors
/// When the file cannot be opened, is no database of this program or was written by a newer version.
pub fn open(path: &Path) -> Result<Store, StoreError> {
    Ok(Arc::new(Sqlite::open(path)?))
}

/// Opens a SQLite file as [`open`] does, or connects to a PostgreSQL database, which must have the
/// newest schema (see [`migrate`]).
///
/// # Errors
/// When the database cannot be reached or opened, or has another schema than this program's.
pub async fn connect(location: &Location) -> Result<Store, StoreError> {
    Ok(match location {
        Location::File(path) => open(path)?,
        Location::Postgres(url) => Arc::new(Postgres::connect(url).await?),
    })
}

/// Writes one state of the SQLite file `path` to `target`, readable for its owner only; returns its
/// schema. The file appears complete, checked and synced to disk, or not at all. Servers and imports go
/// on meanwhile.
///
/// # Errors
/// When it cannot be written, would replace a file and `replace` is false, or the database is damaged.
pub fn back_up(path: &Path, target: &Path, replace: bool) -> Result<u32, BackupError> {
    sqlite::back_up(path, target, replace)
}

/// Restores a backup into the SQLite file `path`, which is created if missing, in one write that
/// running servers see like any other. Returns the schema that the backup had.
///
/// # Errors
/// When the backup is damaged or another program's, or the database cannot be opened.
pub fn restore(path: &Path, backup: &Path) -> Result<u32, BackupError> {
    sqlite::restore(path, backup)
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
pub async fn migrate(location: &Location) -> Result<Migrated, StoreError> {
    let (from, to) = match location {
        Location::File(path) => Sqlite::migrate(path)?,
        Location::Postgres(url) => Postgres::migrate(url).await?,
    };
    Ok(Migrated { from, to })
}
