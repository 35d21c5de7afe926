//! The parts that all operations of the contract share: admission, rejections and conditional
//! responses. Each feature implements its own operations on top of it.
//!
//! A method takes a request that the generated layer has decoded and validated, reads the snapshot or
//! the store, and returns one of the responses that the contract declares for it.

mod failure;
mod faults;
mod host;
mod meta;
mod refresh;

use std::sync::Arc;

use arc_swap::ArcSwap;
use tokio::sync::Semaphore;

use crate::access::{Gate, RateLimits};
use crate::cache_refresh::CopiedVersion;
use crate::catalogue::Snapshot;
use crate::clock::{Clock, Moment};
use crate::config::ServiceIdentity;
use crate::database::{Store, StoreError};
use crate::keys::{KeyTable, lookup};
use crate::limits::Limiter;
use crate::reloadable::Reloadable;

pub use failure::Failure;
pub use host::works_without_key;

/// Everything that answers a request of the contract.
pub struct Api {
    pub(crate) store: Store,
    snapshot: ArcSwap<Snapshot>,
    pub(crate) gate: Gate,
    keys_version: CopiedVersion,
    pub(crate) lookups: Semaphore,
    clock: Arc<dyn Clock>,
    pub(crate) identity: ServiceIdentity,
}

impl Api {
    /// Loads catalogue and keys.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn load(
        store: Store,
        limiter: Limiter,
        rates: Reloadable<RateLimits>,
        clock: Arc<dyn Clock>,
        identity: ServiceIdentity,
    ) -> Result<Api, StoreError> {
        // The counters come first, so that a change in between is noticed at the next refresh.
        let versions = store.versions().await?;
        let keys = KeyTable::from_records(store.all_keys().await?);
        let snapshot = Snapshot::build(store.catalogue().await?);
        Ok(Api {
            gate: Gate::new(keys, rates, limiter, Arc::clone(&clock)),
            keys_version: CopiedVersion::new(versions.keys),
            lookups: lookup::lookups(),
            snapshot: ArcSwap::from_pointee(snapshot),
            store,
            clock,
            identity,
        })
    }

    /// Keeps the limits in order; to be called about twice a second.
    pub async fn maintain(&self) {
        self.gate.maintain().await;
    }

    /// Ends the keeping of limits in order, when no request will come any more.
    pub async fn close(&self) {
        self.gate.close().await;
    }

    pub(crate) fn snapshot(&self) -> arc_swap::Guard<Arc<Snapshot>> {
        self.snapshot.load()
    }

    pub(crate) fn now(&self) -> Moment {
        self.clock.now()
    }
}

/// The number of items of a page; the contract limits it.
pub(crate) fn page_size(limit: i64) -> usize {
    usize::try_from(limit).unwrap_or_default()
}

/// Cuts a list that was read with one item more than a page holds down to the page; the key of the
/// next page, if that item was there.
pub(crate) fn cut<T>(
    items: &mut Vec<T>,
    limit: usize,
    key: impl Fn(&T) -> String,
) -> Option<String> {
    if items.len() <= limit {
        return None;
    }
    items.truncate(limit);
    items.last().map(key)
}
