//! The parts that all operations of the contract share: admission, rejections and conditional
//! responses. Each feature implements its own operations on top of it.
//!
//! A method takes a request that the generated layer has decoded and validated, reads the snapshot or
//! the store, and returns one of the responses that the contract declares for it.

mod failure;
mod faults;
mod help;
mod host;
mod meta;
mod public_reads;
mod refresh;

use std::net::IpAddr;
use std::sync::Arc;

use arc_swap::ArcSwap;
use generated::runtime::Place;
use tokio::sync::Semaphore;

use crate::access::{Gate, RateLimits};
use crate::cache_refresh::CopiedVersion;
use crate::catalogue::Snapshot;
use crate::clock::{Clock, Moment};
use crate::config::ServiceIdentity;
use crate::configs::Quota;
use crate::database::{Store, StoreError};
use crate::domain::paging::{List, PageRequest};
use crate::keys::{KeyTable, lookup};
use crate::limits::{Concurrency, Counted, Limiter, Occupancy};
use crate::reloadable::Reloadable;
use crate::webhooks::lifecycle::WebhookSetup;

pub use failure::Failure;
pub use help::ContractErrors;
pub use host::works_without_key;
pub(crate) use public_reads::PublicReads;

/// Everything that answers a request of the contract.
pub struct Api {
    pub(crate) store: Store,
    snapshot: ArcSwap<Snapshot>,
    pub(crate) gate: Gate,
    concurrency: Concurrency,
    keys_version: CopiedVersion,
    pub(crate) lookups: Semaphore,
    pub(crate) public_reads: PublicReads,
    pub(crate) quota: Quota,
    clock: Arc<dyn Clock>,
    pub(crate) webhooks: WebhookSetup,
    pub(crate) identity: ServiceIdentity,
    documents: meta::Documents,
}

/// The parts that the operations need.
pub struct ApiSetup {
    /// The database.
    pub store: Store,
    /// The limiter of requests.
    pub limiter: Limiter,
    /// The limits of requests.
    pub rates: Reloadable<RateLimits>,
    /// The quota of configs.
    pub quota: Quota,
    /// How many requests of a caller are answered at the same time.
    pub concurrency: Concurrency,
    /// The source of time.
    pub clock: Arc<dyn Clock>,
    /// The keys and rules of webhooks.
    pub webhooks: WebhookSetup,
    /// The names and the public URL of the service.
    pub identity: ServiceIdentity,
}

impl Api {
    /// Loads catalogue and keys.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn load(setup: ApiSetup) -> Result<Api, StoreError> {
        let ApiSetup {
            store,
            limiter,
            rates,
            quota,
            concurrency,
            clock,
            webhooks,
            identity,
        } = setup;
        // The counters come first, so that a change in between is noticed at the next refresh.
        let versions = store.versions().await?;
        let keys = KeyTable::from_records(store.all_keys().await?);
        let snapshot = Snapshot::build(store.catalogue().await?);
        Ok(Api {
            gate: Gate::new(keys, rates, limiter, Arc::clone(&clock)),
            concurrency,
            keys_version: CopiedVersion::new(versions.keys),
            lookups: lookup::lookups(),
            public_reads: PublicReads::of_the_api(),
            quota,
            snapshot: ArcSwap::from_pointee(snapshot),
            store,
            clock,
            webhooks,
            identity,
            documents: meta::Documents::default(),
        })
    }

    /// Keeps the limits in order; to be called about twice a second.
    pub async fn maintain(&self) {
        self.gate.maintain().await;
    }

    /// How much of the room for networks without a key is taken, if their requests are counted.
    pub fn occupancy(&self) -> Option<Occupancy> {
        self.gate.occupancy()
    }

    /// Ends the keeping of limits in order, when no request will come any more.
    pub async fn close(&self) {
        self.gate.close().await;
    }

    pub(crate) fn snapshot(&self) -> arc_swap::Guard<Arc<Snapshot>> {
        self.snapshot.load()
    }

    /// Counts a request that no operation answers among those of its client; `None` if it has as many as it
    /// may.
    pub(crate) fn enter(&self, client: IpAddr) -> Option<Counted> {
        self.concurrency.enter(client.into())
    }

    pub(crate) fn now(&self) -> Moment {
        self.clock.now()
    }
}

/// The page of a list that the parameters `cursor` and `limit` ask for; the contract limits the latter.
pub(crate) fn page(list: List, cursor: Option<&str>, limit: i32) -> Result<PageRequest, Failure> {
    let limit = usize::try_from(limit).unwrap_or_default();
    PageRequest::new(list, cursor, limit)
        .map_err(|error| Failure::invalid(Place::Query, "cursor", "format", error.to_string()))
}
