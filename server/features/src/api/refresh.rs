//! Keeping snapshot and keys as fresh as the database, whichever process wrote to it.

use std::sync::Arc;

use super::Api;
use crate::catalogue::Snapshot;
use crate::charities::CharityId;
use crate::configs::Config;
use crate::database::Versions;
use crate::keys::KeyTable;
use db::{DbError, PoolUse};

impl Api {
    /// The counters that show which data has changed in the database.
    pub async fn versions(&self) -> Result<Versions, DbError> {
        crate::database::versions(&self.store).await
    }

    /// The use of the connection pool; `None` for a database without one.
    pub fn pool(&self) -> Option<PoolUse> {
        self.store.pool()
    }

    /// Reloads the keys if they have changed.
    ///
    /// # Errors
    /// When the database cannot be read; the keys then stay as they were.
    pub async fn refresh_keys(&self, versions: Versions) -> Result<(), DbError> {
        self.keys_version
            .refresh(versions.keys, async || {
                let keys = KeyTable::from_records(crate::keys::store::all_keys(&self.store).await?);
                self.gate.replace_keys(keys);
                Ok(())
            })
            .await
    }

    /// Reloads the catalogue if it has changed.
    ///
    /// # Errors
    /// When the database cannot be read; the catalogue then stays as it was.
    pub async fn refresh_catalogue(&self, versions: Versions) -> Result<(), DbError> {
        let shown = self.snapshot().versions;
        if versions.catalogue != shown.catalogue {
            self.reload().await?;
        } else if versions.raised != shown.raised {
            let raised = crate::catalogue::store::raised(&self.store).await?;
            let received = crate::catalogue::store::received(&self.store).await?;
            let snapshot = self.snapshot().with_raised(&raised, received, versions);
            self.snapshot.store(Arc::new(snapshot));
        }
        Ok(())
    }

    async fn reload(&self) -> Result<(), DbError> {
        let catalogue = crate::catalogue::store::catalogue(&self.store).await?;
        self.snapshot.store(Arc::new(Snapshot::build(catalogue)));
        Ok(())
    }

    /// A snapshot with every charity of some configs. If one is missing, another process may have
    /// recorded it a moment ago, and the snapshot is refreshed.
    pub async fn snapshot_for<'c>(
        &self,
        configs: impl IntoIterator<Item = &'c Config>,
    ) -> Result<Arc<Snapshot>, DbError> {
        let beneficiaries = configs.into_iter().flat_map(|config| &config.beneficiaries);
        let charities: Vec<_> = beneficiaries
            .map(|beneficiary| beneficiary.charity)
            .collect();
        self.snapshot_with_charities(&charities).await
    }

    /// Like [`Self::snapshot_for`], for charities.
    pub(crate) async fn snapshot_with_charities(
        &self,
        charities: &[CharityId],
    ) -> Result<Arc<Snapshot>, DbError> {
        let snapshot = self.snapshot.load_full();
        if charities
            .iter()
            .all(|id| snapshot.charities.any(*id).is_some())
        {
            return Ok(snapshot);
        }
        self.reload().await?;
        Ok(self.snapshot.load_full())
    }
}
