//! What is asked of a database, whichever it is.

use std::fmt;

use async_trait::async_trait;

use super::{PoolUse, StoreError, Versions};
use crate::analytics::AnalyticsStore;
use crate::catalogue::CatalogueStore;
use crate::configs::ConfigStore;
use crate::contracts::LeaderboardStore;
use crate::import::ImportStore;
use crate::keys::KeyStore;
use crate::projects::ProjectStore;
use crate::rollups::RollupStore;

/// A database with the newest schema: what each feature asks, and what all of them share.
///
/// All implementations give the same answers in the same order; `conformance` holds each to it. A
/// write that was begun ends whole or not at all, also when its caller has stopped waiting.
///
/// Every method fails with [`StoreError::Unavailable`] when the database does not answer in time.
#[async_trait]
pub trait Database:
    AnalyticsStore
    + CatalogueStore
    + ConfigStore
    + ImportStore
    + KeyStore
    + LeaderboardStore
    + ProjectStore
    + RollupStore
    + fmt::Debug
    + Send
    + Sync
{
    /// The counters as they are now: cheap enough to be read several times a second.
    async fn versions(&self) -> Result<Versions, StoreError>;

    /// How its connections are used; `None` if they are no pool.
    fn pool(&self) -> Option<PoolUse> {
        None
    }

    /// Finishes what is queued and gives everything back to the system. Every later call answers
    /// [`StoreError::Unavailable`]. Blocks until it is done.
    fn close(&self);
}
