//! The counters in the database.

use deadpool_postgres::{GenericClient, Transaction};

use super::{Failure, column, query};
use crate::database::versions::Versioned;
use crate::database::{StoreError, Versions};

/// Kinds of data that a transaction changes. They are counted at its end and in the same order
/// everywhere: every writer locks these rows, so they are locked last and held shortest.
#[derive(Debug, Default)]
pub(crate) struct Changed([bool; 3]);

impl Changed {
    /// Just this kind.
    pub(crate) fn one(what: Versioned) -> Changed {
        let mut changed = Changed::default();
        changed.record(what);
        changed
    }

    /// Notes that this kind has changed.
    pub(crate) fn record(&mut self, what: Versioned) {
        for (noted, kind) in self.0.iter_mut().zip(Versioned::ALL) {
            *noted |= kind == what;
        }
    }

    /// Increments the counters of the noted kinds. It must be the last step of a transaction.
    pub(crate) async fn count(&self, tx: &Transaction<'_>) -> Result<(), Failure> {
        let noted = Versioned::ALL.into_iter().zip(self.0);
        for (what, _) in noted.filter(|(_, noted)| *noted) {
            let sql = "UPDATE version SET number = number + 1 WHERE name = $1";
            query::execute(tx, sql, &[&what.name()]).await?;
        }
        Ok(())
    }
}

/// The counters as `db` sees them.
pub(crate) async fn current(db: &impl GenericClient) -> Result<Versions, Failure> {
    let sql = "SELECT name, number FROM version";
    let rows: Vec<(String, u64)> = query::all(db, sql, &[], |row| {
        Ok((row.try_get("name")?, column::number(row, "number")?))
    })
    .await?;
    let number = |what: Versioned| {
        let row = rows.iter().find(|(name, _)| name == what.name());
        row.map(|(_, number)| *number)
            .ok_or_else(|| StoreError::Corrupt(format!("there is no version {}", what.name())))
    };
    Ok(Versions {
        catalogue: number(Versioned::Catalogue)?,
        raised: number(Versioned::Raised)?,
        keys: number(Versioned::Keys)?,
    })
}
