//! The change log: which items have changed with each increment of a counter.
//!
//! A commit increments a counter while it holds the lock of its row, so the numbers of a counter have the order of the
//! commits. A process that has a copy of the data at some number reads the later entries, and reloads those items.

use std::collections::BTreeSet;

use crate::{Batch, DbError, Tx, params};

/// The most items that one transaction records one by one. A larger transaction changes everything.
const MAX_ITEMS: usize = 200;

/// The most entries that are read at a time. For more, a copy of everything is cheaper.
const MAX_ENTRIES: usize = 10_000;

/// The number of increments of each counter that stay in the log.
const RETAINED: u64 = 1_000;

/// The number of increments that one transaction deletes.
const CHUNK: u64 = 100;

/// What has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Changes {
    /// Any item may have changed, or one that the log does not have any more.
    All,
    /// These items alone.
    Items(BTreeSet<Vec<u8>>),
}

impl Default for Changes {
    fn default() -> Self {
        Changes::Items(BTreeSet::new())
    }
}

impl Changes {
    pub(crate) fn add(&mut self, item: &[u8]) {
        let Changes::Items(items) = self else {
            return;
        };
        items.insert(item.to_vec());
        if items.len() > MAX_ITEMS {
            *self = Changes::All;
        }
    }
}

/// Increments a counter and records the changes under its new number. An empty item stands for all.
pub(crate) fn record(tx: &Tx<'_>, counter: &str, changes: &Changes) -> Result<(), DbError> {
    let sql = "UPDATE version SET number = number + 1 WHERE name = $1";
    tx.execute(sql, params![counter])?;
    let items = match changes {
        Changes::All => Batch::of_column([Vec::new()]),
        Changes::Items(items) => Batch::of_column(items.iter().cloned()),
    };
    let sql = "INSERT INTO change (counter, number, item)
               SELECT version.name, version.number, batch.item
               FROM version, batch(item bytea) WHERE version.name = $2";
    tx.execute_batch(sql, &items, params![counter])?;
    Ok(())
}

pub(crate) fn read(tx: &Tx<'_>, counter: &str, since: u64) -> Result<Changes, DbError> {
    let sql = "SELECT number FROM version WHERE name = $1";
    let now: u64 = tx.one(sql, params![counter], |row| row.get("number"))?;
    let sql = "SELECT number, item FROM change WHERE counter = $1 AND number > $2
               ORDER BY number LIMIT $3";
    let params = params![counter, since, MAX_ENTRIES + 1];
    let entries: Vec<(u64, Vec<u8>)> = tx.all(sql, params, |row| {
        Ok((row.get("number")?, row.get("item")?))
    })?;
    let numbers: BTreeSet<_> = entries.iter().map(|(number, _)| *number).collect();
    let is_complete = now.checked_sub(since) == Some(numbers.len() as u64);
    let is_known = |(_, item): &(u64, Vec<u8>)| !item.is_empty();
    if is_complete && entries.len() <= MAX_ENTRIES && entries.iter().all(is_known) {
        return Ok(Changes::Items(entries.into_iter().map(|it| it.1).collect()));
    }
    Ok(Changes::All)
}

/// Deletes some of the entries that are older than the last [`RETAINED`] increments of their counter; returns whether
/// there may be more.
pub(crate) fn prune(tx: &Tx<'_>) -> Result<bool, DbError> {
    let mut is_more = false;
    for (counter, number) in tx.counters()? {
        let sql = "SELECT number FROM change WHERE counter = $1 ORDER BY number LIMIT 1";
        let oldest: Option<u64> = tx.first(sql, params![counter], |row| row.get("number"))?;
        let last = number.saturating_sub(RETAINED);
        let Some(oldest) = oldest.filter(|oldest| *oldest <= last) else {
            continue;
        };
        let until = last.min(oldest.saturating_add(CHUNK));
        let sql = "DELETE FROM change WHERE counter = $1 AND number <= $2";
        tx.execute(sql, params![counter, until])?;
        is_more |= until < last;
    }
    Ok(is_more)
}
