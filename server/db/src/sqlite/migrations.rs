//! Migrates the schema of the file to the newest version.

use rusqlite::{Connection, TransactionBehavior};

use super::{dialect, statement};
use crate::migrations::{Applied, Schema, current};
use crate::{DbError, Row, params};

/// The tables of this crate. A restored database gets another epoch.
const BOOKKEEPING: &str = "
    CREATE TABLE IF NOT EXISTS schema_migrations (
      version INTEGER PRIMARY KEY,
      checksum BLOB NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS version (
      name TEXT PRIMARY KEY,
      number INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS change (
      counter TEXT NOT NULL,
      number INTEGER NOT NULL,
      item BLOB NOT NULL,
      PRIMARY KEY (counter, number, item)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS epoch (id BLOB NOT NULL) STRICT;
    INSERT INTO epoch (id) SELECT randomblob(16) WHERE NOT EXISTS (SELECT 1 FROM epoch);
";

/// Brings the database to the newest schema in one transaction: a killed process leaves the old one.
/// Returns the schemas before and after.
pub(crate) fn migrate(db: &mut Connection, schema: Schema) -> Result<(u32, u32), DbError> {
    let tx = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    tx.execute_batch(BOOKKEEPING)?;
    let applied = applied(&tx)?;
    for migration in schema.missing(&applied)? {
        tx.execute_batch(&dialect::translated(migration.sql))?;
        let record = "INSERT INTO schema_migrations (version, checksum) VALUES ($1, $2)";
        let params = params![migration.version, migration.checksum];
        statement::execute(&tx, record, params)?;
    }
    tx.commit()?;
    Ok((current(&applied), schema.newest()))
}

/// Whether the database records migrations.
pub(crate) fn exist(db: &Connection) -> Result<bool, DbError> {
    Ok(db.table_exists(None, "schema_migrations")?)
}

/// Reads the schema of a database without changing it.
///
/// # Errors
/// When it has none, or one that this program does not know.
pub(crate) fn version(db: &Connection, schema: Schema) -> Result<u32, DbError> {
    let none = || DbError::Corrupt("it is not a database of this program".to_owned());
    if !exist(db)? {
        return Err(none());
    }
    let applied = applied(db)?;
    schema.missing(&applied)?;
    match current(&applied) {
        0 => Err(none()),
        version => Ok(version),
    }
}

fn applied(db: &Connection) -> Result<Applied, DbError> {
    let select = "SELECT version, checksum FROM schema_migrations ORDER BY version";
    let read = |row: &Row<'_>| Ok((row.get("version")?, row.get("checksum")?));
    statement::all(db, select, &[], read)
}
