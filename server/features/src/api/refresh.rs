//! Keeping snapshot and keys as fresh as the database, whichever process wrote to it.

use std::sync::Arc;

use super::Api;
use crate::catalogue::Snapshot;
use crate::charities::CharityId;
use crate::configs::Config;
use crate::database::Versions;
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

    /// Refreshes the keys of projects that have changed.
    ///
    /// # Errors
    /// When the database cannot be read; the keys then stay as they were.
    pub async fn refresh_keys(&self, versions: Versions) -> Result<(), DbError> {
        let mut copied = self.keys_version.lock().await;
        if *copied != versions.keys {
            let (version, update) = crate::keys::store::update(&self.store, Some(*copied)).await?;
            self.gate.update_keys(update);
            *copied = version;
        }
        Ok(())
    }

    /// Refreshes the parts of the catalog that have changed.
    ///
    /// # Errors
    /// When the database cannot be read; the catalogue then stays as it was.
    pub async fn refresh_catalogue(&self, versions: Versions) -> Result<(), DbError> {
        // Refreshes that crossed could replace newer data by older data.
        let _turn = self.snapshot_turn.lock().await;
        let snapshot = self.snapshot();
        let keys = snapshot.versions.keys;
        if snapshot.versions != (Versions { keys, ..versions }) {
            let update =
                crate::catalogue::store::update(&self.store, Some(snapshot.versions)).await?;
            self.snapshot.store(Arc::new(snapshot.updated(update)));
        }
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
        self.refresh_catalogue(self.versions().await?).await?;
        Ok(self.snapshot.load_full())
    }
}
