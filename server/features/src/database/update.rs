//! Newer data for a copy in memory.

use std::collections::BTreeSet;

use db::{Changes, DbError, Tx};

use super::Versioned;

/// Newer data for a copy: rows with their ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Update<I, T> {
    /// The copy is up to date.
    None,
    /// Everything.
    All(Vec<T>),
    /// The rows that have changed. An id without a row was deleted.
    Some { changed: BTreeSet<I>, rows: Vec<T> },
}

impl<I: Ord, T> Update<I, T> {
    /// Reads what has changed since a copy was made at the number `since`; everything if that is `None`.
    pub(crate) fn read(
        tx: &Tx<'_>,
        (counter, since, now): (Versioned, Option<u64>, u64),
        id: impl Fn(&[u8]) -> Option<I>,
        some: impl FnOnce(&Tx<'_>, &BTreeSet<I>) -> Result<Vec<T>, DbError>,
        all: impl FnOnce(&Tx<'_>) -> Result<Vec<T>, DbError>,
    ) -> Result<Self, DbError> {
        let Some(since) = since else {
            return Ok(Update::All(all(tx)?));
        };
        if since == now {
            return Ok(Update::None);
        }
        let Changes::Items(items) = tx.changes(counter.name(), since)? else {
            return Ok(Update::All(all(tx)?));
        };
        let malformed = || DbError::Corrupt(format!("a change of {} has no id", counter.name()));
        let ids: Option<BTreeSet<I>> = items.iter().map(|item| id(item)).collect();
        let changed = ids.ok_or_else(malformed)?;
        let rows = some(tx, &changed)?;
        Ok(Update::Some { changed, rows })
    }

    /// The rows that were read.
    pub fn rows(&self) -> &[T] {
        match self {
            Update::None => &[],
            Update::All(rows) | Update::Some { rows, .. } => rows,
        }
    }

    pub(crate) fn into_rows(self) -> Vec<T> {
        match self {
            Update::None => Vec::new(),
            Update::All(rows) | Update::Some { rows, .. } => rows,
        }
    }

    /// The ids that have changed; `None` if it may be any.
    pub(crate) fn changed(&self) -> Option<BTreeSet<I>>
    where
        I: Clone,
    {
        match self {
            Update::None => Some(BTreeSet::new()),
            Update::All(_) => None,
            Update::Some { changed, .. } => Some(changed.clone()),
        }
    }

    /// Whether the copy is up to date.
    pub(crate) fn is_none(&self) -> bool {
        matches!(self, Update::None)
    }
}
