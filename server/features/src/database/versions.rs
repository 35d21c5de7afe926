//! Counters of changes by kind of data, for processes that keep copies.

use std::collections::HashMap;

use db::{Db, DbError, Tx};
use uuid::Uuid;

/// The number of changes of each kind of data. A counter changes in the transaction of the change, in any process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Versions {
    pub charities: u64,
    pub chains: u64,
    /// Tokens and partner tokens.
    pub tokens: u64,
    /// Campaigns and the amounts that they have raised.
    pub campaigns: u64,
    /// The amounts that charities have received.
    pub received: u64,
    /// Keys, and the tiers and suspensions of their projects.
    pub keys: u64,
}

/// A kind of data that has a counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Versioned {
    /// Items are ids of charities.
    Charities,
    Chains,
    Tokens,
    /// Items are ids of campaigns.
    Campaigns,
    /// Items are ids of charities.
    Received,
    /// Items are ids of projects.
    Keys,
}

impl Versioned {
    /// The name of its counter in the database.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Versioned::Charities => "charities",
            Versioned::Chains => "chains",
            Versioned::Tokens => "tokens",
            Versioned::Campaigns => "campaigns",
            Versioned::Received => "received",
            Versioned::Keys => "keys",
        }
    }

    /// Increments the counter when the transaction is committed, and records the item that has changed.
    pub(crate) fn changed(self, tx: &Tx<'_>, item: &Uuid) {
        tx.bump_item(self.name(), item.as_bytes());
    }

    /// Increments the counter when the transaction is committed.
    pub(crate) fn any_changed(self, tx: &Tx<'_>) {
        tx.bump(self.name());
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
            charities: counter(Versioned::Charities)?,
            chains: counter(Versioned::Chains)?,
            tokens: counter(Versioned::Tokens)?,
            campaigns: counter(Versioned::Campaigns)?,
            received: counter(Versioned::Received)?,
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
