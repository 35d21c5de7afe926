//! Keys that another process has issued a moment ago: they work at once.

use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::Key;
use crate::access::{AdmissionRequest, Decision, Outcome};
use crate::api::Api;
use crate::database::StoreError;

/// How many keys are looked up at once; more wait for their turn.
const AT_ONCE: usize = 4;

/// How long a request waits at most, for its turn and for the answer. Whoever has waited in vain has a
/// key that is not known yet.
const PATIENCE: Duration = Duration::from_millis(250);

/// The right to look a key up, as often as it is given at once.
pub(crate) fn lookups() -> Semaphore {
    Semaphore::new(AT_ONCE)
}

impl Api {
    /// Whether a request has come with a key that was unknown when it was decided on, and is known
    /// now.
    ///
    /// It was charged to its network then and is not asked about above that limit: guessing keys asks
    /// the database no more often than a network may call without one.
    pub(crate) async fn learns_key(&self, request: &AdmissionRequest, decision: &Decision) -> bool {
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
        matches!(timeout(PATIENCE, self.learn(key)).await, Ok(Ok(true)))
    }

    async fn learn(&self, key: &Key) -> Result<bool, StoreError> {
        let _turn = self.lookups.acquire().await;
        // Of several requests with one new key the first has learnt it for all.
        if self.gate.knows(key) {
            return Ok(true);
        }
        if !self.store.knows_key(key.digest()).await? {
            return Ok(false);
        }
        self.take_keys(self.store.versions().await?).await?;
        Ok(true)
    }
}
