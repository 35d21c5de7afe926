//! The database of this program: its schema, its counters, its locks and its writers.

#[cfg(test)]
mod named_columns;
mod update;
mod versions;

use std::path::Path;

use db::{BackupError, Db, DbError, Location, Migrated, Schema};

pub use update::Update;
pub(crate) use versions::Versioned;
pub use versions::{Versions, versions};

/// The migrations. A released one never changes.
pub const SCHEMA: Schema = Schema(&[include_str!("schema/0001_initial.sql")]);

/// Opens a SQLite file, which is created and migrated if necessary.
pub fn open(path: &Path) -> Result<Db, DbError> {
    Db::open(path, SCHEMA)
}

/// Opens a SQLite file, or connects to a PostgreSQL database with the newest schema.
pub async fn connect(location: &Location) -> Result<Db, DbError> {
    Db::connect(location, SCHEMA).await
}

/// Like [`connect`], but never creates a SQLite file.
pub async fn connect_existing(location: &Location) -> Result<Db, DbError> {
    Db::connect_existing(location, SCHEMA).await
}

/// Brings a database to the newest schema.
pub async fn migrate(location: &Location) -> Result<Migrated, DbError> {
    db::migrate(location, SCHEMA).await
}

/// Backs a SQLite file up; returns its schema.
pub fn back_up(path: &Path, target: &Path, replace: bool) -> Result<u32, BackupError> {
    db::back_up(path, target, replace, SCHEMA)
}

/// Restores a SQLite file from a backup; returns the backup's schema.
pub fn restore(path: &Path, backup: &Path) -> Result<u32, BackupError> {
    db::restore(path, backup, SCHEMA)
}

/// Locks that transactions take besides those of rows.
pub mod locks {
    use db::Lock;

    /// Imports and everything that changes records which donations refer to. Batches of donations share
    /// it, so that importers of different projects work in parallel; a batch with any other record takes
    /// it alone, because the sums of donations depend on such records. Donations of one project are then
    /// serialized by a lock of the project.
    pub(crate) const RECORDS: Lock = Lock(1);
    /// Sign-ins, which the limits count.
    pub const SIGN_INS: Lock = Lock(3);
    /// Invitations, which the limits count.
    pub const INVITATIONS: Lock = Lock(4);
    /// Folding and deleting usage.
    pub(crate) const USAGE: Lock = Lock(5);
}

/// Writers whose writes wait for each other.
pub mod writers {
    use db::Writer;
    use uuid::Uuid;

    /// The dashboard, which writes one thing at a time however many people use it.
    pub const DASHBOARD: Writer = Writer::Queued(Uuid::nil());
}

/// Checks that SQLite reads the rows of a query from an index and sorts nothing: `index` is a part of the
/// query plan, on an empty database.
#[cfg(test)]
#[track_caller]
pub(crate) fn assert_reads_index(sql: &str, index: &str) {
    let plan = db::sqlite_plan(sql, SCHEMA).unwrap();
    assert!(
        plan.contains(index) && !plan.contains("TEMP B-TREE"),
        "{plan}"
    );
}
