//! Looks up in the database a key that is not in memory, so that a key that another process has just
//! issued works at once.

use std::time::Duration;

use edge::http::Outcome;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::Api;
use crate::access::{AdmissionRequest, Decision};
use crate::keys::Key;
use db::DbError;

/// The number of keys that are looked up at a time; further requests wait.
const CONCURRENT_LOOKUPS: usize = 4;

/// The time that a request waits for its turn and the answer. After it the key counts as unknown.
const LOOKUP_TIMEOUT: Duration = Duration::from_secs(1);

/// The permits of concurrent lookups.
pub(crate) fn permits() -> Semaphore {
    Semaphore::new(CONCURRENT_LOOKUPS)
}

impl Api {
    /// Looks up the key of a request that was admitted with an unknown key; returns whether the key is
    /// known now.
    ///
    /// Such a request is charged to its network, and no key is looked up above that limit: guessed keys
    /// cause no more queries than a network may send requests without a key.
    pub(crate) async fn looks_up_key(
        &self,
        request: &AdmissionRequest,
        decision: &Decision,
    ) -> bool {
        let counted = request.metered
            && decision.principal.is_none()
            && decision.outcome == Outcome::Admitted;
        let Some(key) = request
            .key
            .as_ref()
            .filter(|key| counted && !self.gate.knows(key))
        else {
            return false;
        };
        matches!(
            timeout(LOOKUP_TIMEOUT, self.look_up(key)).await,
            Ok(Ok(true))
        )
    }

    async fn look_up(&self, key: &Key) -> Result<bool, DbError> {
        let _turn = self.key_lookups.acquire().await;
        // Another request with the same key may have looked it up meanwhile.
        if self.gate.knows(key) {
            return Ok(true);
        }
        if !crate::keys::store::knows_key(&self.store, key.digest()).await? {
            return Ok(false);
        }
        self.refresh_keys(crate::database::versions(&self.store).await?)
            .await?;
        Ok(true)
    }
}
