//! The counters in the database.

use rusqlite::Connection;

use super::query;
use crate::database::versions::Versioned;
use crate::database::{StoreError, Versions};

/// Counts a change.
pub(crate) fn advance(db: &Connection, what: Versioned) -> Result<(), StoreError> {
    query::execute(
        db,
        "UPDATE version SET number = number + 1 WHERE name = ?1",
        [what.name()],
    )?;
    Ok(())
}

/// Sets a counter.
pub(crate) fn set(db: &Connection, what: Versioned, number: u64) -> Result<(), StoreError> {
    let set = "UPDATE version SET number = ?2 WHERE name = ?1";
    query::execute(db, set, (what.name(), number))?;
    Ok(())
}

/// The counters as `db` sees them.
pub(crate) fn current(db: &Connection) -> Result<Versions, StoreError> {
    let number = |what: Versioned| {
        db.prepare_cached("SELECT number FROM version WHERE name = ?1")?
            .query_one([what.name()], |row| row.get(0))
    };
    Ok(Versions {
        catalogue: number(Versioned::Catalogue)?,
        raised: number(Versioned::Raised)?,
        keys: number(Versioned::Keys)?,
    })
}
