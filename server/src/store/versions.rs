//! Counters that say what changed, for processes that keep copies.

use rusqlite::Connection;

use super::{Store, StoreError, query};

/// How often each kind of data has changed. A counter moves in the transaction of the change, in
/// whichever process that is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Versions {
    /// Charities, campaigns, chains, tokens and what makes tokens partner tokens.
    pub catalogue: u64,
    /// What campaigns have raised.
    pub raised: u64,
    /// Keys and the tiers of their projects.
    pub keys: u64,
}

/// Data that has a counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Versioned {
    Catalogue,
    Raised,
    Keys,
}

impl Versioned {
    fn name(self) -> &'static str {
        match self {
            Versioned::Catalogue => "catalogue",
            Versioned::Raised => "raised",
            Versioned::Keys => "keys",
        }
    }
}

impl Store {
    /// The counters as they are now: three rows, cheap enough to be read several times a second.
    pub async fn versions(&self) -> Result<Versions, StoreError> {
        self.read(current).await
    }
}

/// Counts a change.
pub(super) fn advance(db: &Connection, what: Versioned) -> Result<(), StoreError> {
    query::execute(
        db,
        "UPDATE version SET number = number + 1 WHERE name = ?1",
        [what.name()],
    )?;
    Ok(())
}

/// The counters as `db` sees them.
pub(super) fn current(db: &Connection) -> Result<Versions, StoreError> {
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
