//! Counters of changes by kind of data, for processes that keep copies.

use std::collections::HashMap;

use db::{Db, DbError, Tx};

/// The numbers of changes of each kind of data. A counter changes in the transaction of the change, in
/// any process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Versions {
    /// Charities, campaigns, chains, tokens and partner tokens.
    pub catalogue: u64,
    /// The amounts that campaigns have raised, and that charities have received.
    pub raised: u64,
    /// Keys and the tiers of their projects.
    pub keys: u64,
}

/// Data that has a counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Versioned {
    Catalogue,
    Raised,
    Keys,
}

impl Versioned {
    /// The name of its counter in the database.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Versioned::Catalogue => "catalogue",
            Versioned::Raised => "raised",
            Versioned::Keys => "keys",
        }
    }
}
impl Versions {
    /// The counters as a transaction sees them.
    pub(crate) fn read(tx: &Tx<'_>) -> Result<Versions, DbError> {
        Versions::named(&tx.counters()?)
    }

    fn named(counters: &HashMap<String, u64>) -> Result<Versions, DbError> {
        let counter = |what: Versioned| {
            let missing = || DbError::Corrupt(format!("there is no version {}", what.name()));
            counters.get(what.name()).copied().ok_or_else(missing)
        };
        Ok(Versions {
            catalogue: counter(Versioned::Catalogue)?,
            raised: counter(Versioned::Raised)?,
            keys: counter(Versioned::Keys)?,
        })
    }
}

/// The counters as they are now: cheap enough to be read several times a second.
///
/// # Errors
/// When the database fails, or lacks a counter.
pub async fn versions(db: &Db) -> Result<Versions, DbError> {
    Versions::named(&db.counters().await?)
}
