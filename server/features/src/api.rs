//! The parts that all operations of the contract share: admission (`host`), the bodies of errors (`faults`, `failure`,
//! `help`), the refresh of keys and catalogue (`refresh`), the limit of reads without a key (`public_reads`), and
//! the contract as a document (`meta`).
//!
//! Each feature implements its own operations in its `api.rs`. A method takes a request that the generated service
//! has decoded and validated, reads the snapshot or the store, and returns one of the responses that the contract
//! declares for it.

mod failure;
mod faults;
mod help;
mod host;
mod key_lookup;
mod meta;
mod public_reads;
mod refresh;

use std::net::IpAddr;
use std::sync::Arc;

use arc_swap::ArcSwap;
use edge::clock::{Clock, Moment};
use edge::limits::{Concurrency, Counted, Limiter, Occupancy};
use edge::reloadable::Reloadable;
use generated::models::{self, ValidationRule};
use generated::runtime::Place;
use tokio::sync::{Mutex, Semaphore};

use crate::access::{Gate, RateLimits};
use crate::catalogue::Snapshot;
use crate::configs::Quota;
use crate::domain::paging::{List, PageRequest};
use crate::domain::service_identity::ServiceIdentity;
use crate::keys::KeyTable;
use crate::webhooks::lifecycle::WebhookSetup;
use db::{Db, DbError};

pub use failure::Failure;
pub use help::ContractErrors;
pub use host::{ApiHandler, works_without_key};
pub use public_reads::PublicReads;

/// Everything that answers a request of the contract.
pub struct Api {
    pub store: Db,
    /// The catalogue in memory.
    snapshot: ArcSwap<Snapshot>,
    /// The keys in memory, and the rate limiter.
    pub gate: Gate,
    /// The requests in flight of each caller.
    concurrency: Concurrency,
    /// Held while the catalogue is refreshed.
    snapshot_turn: Mutex<()>,
    /// The version of the keys in memory, locked while they are refreshed.
    keys_version: Mutex<u64>,
    /// Permits for lookups of unknown keys in the database.
    pub(crate) key_lookups: Semaphore,
    /// Permits for reads of the database without a key.
    pub(crate) public_reads: PublicReads,
    pub quota: Quota,
    clock: Arc<dyn Clock>,
    pub webhooks: WebhookSetup,
    pub(crate) identity: ServiceIdentity,
    /// The contract and the Postman collection, as they are served.
    documents: meta::Documents,
}

/// The arguments of [`Api::load`].
pub struct ApiSetup {
    pub store: Db,
    pub limiter: Limiter,
    /// The rate limits of tiers, of networks without a key, and of pages.
    pub rate_limits: Reloadable<RateLimits>,
    pub quota: Quota,
    /// The requests in flight of each caller, and how many there may be.
    pub concurrency: Concurrency,
    pub clock: Arc<dyn Clock>,
    pub webhooks: WebhookSetup,
    /// The names and the public URL of the service.
    pub identity: ServiceIdentity,
}

impl Api {
    /// Loads catalogue and keys.
    pub async fn load(setup: ApiSetup) -> Result<Api, DbError> {
        let ApiSetup {
            store,
            limiter,
            rate_limits,
            quota,
            concurrency,
            clock,
            webhooks,
            identity,
        } = setup;
        let (keys_version, keys) = crate::keys::store::update(&store, None).await?;
        let keys = KeyTable::default().updated(keys);
        let snapshot = Snapshot::build(crate::catalogue::store::update(&store, None).await?);
        Ok(Api {
            gate: Gate::new(keys, rate_limits, limiter, Arc::clone(&clock)),
            concurrency,
            snapshot_turn: Mutex::default(),
            keys_version: Mutex::new(keys_version),
            key_lookups: key_lookup::permits(),
            public_reads: PublicReads::default(),
            quota,
            snapshot: ArcSwap::from_pointee(snapshot),
            store,
            clock,
            webhooks,
            identity,
            documents: meta::Documents::default(),
        })
    }

    /// Maintains the rate limiter, about twice a second: frees idle windows, saves them, and checks whether Redis can be
    /// reached.
    pub async fn maintain(&self) {
        self.gate.maintain().await;
    }

    /// How many windows networks without a key use, and how many there may be; `None` if nothing is counted.
    pub fn occupancy(&self) -> Option<Occupancy> {
        self.gate.occupancy()
    }

    /// Closes the rate limiter, after the last request.
    pub async fn close(&self) {
        self.gate.close().await;
    }

    pub fn snapshot(&self) -> arc_swap::Guard<Arc<Snapshot>> {
        self.snapshot.load()
    }

    /// Counts a request that no operation answers among those of its client; `None` if it has as many as it
    /// may.
    pub fn enter(&self, client: IpAddr) -> Option<Counted> {
        self.concurrency.enter(client.into())
    }

    pub fn now(&self) -> Moment {
        self.clock.now()
    }
}

/// The error of an idempotency key that was used for another request.
pub(crate) fn idempotency_key_reused() -> models::IdempotencyConflictError {
    let message =
        "The Idempotency-Key was used for another request in the last 24 hours. Use another key.";
    models::IdempotencyConflictError::new(message.into())
}

/// The page of a list that the parameters `cursor` and `limit` ask for; the contract limits the latter.
pub(crate) fn page(list: List, cursor: Option<&str>, limit: i32) -> Result<PageRequest, Failure> {
    let limit = usize::try_from(limit).unwrap_or_default();
    PageRequest::new(list, cursor, limit).map_err(|error| {
        Failure::invalid(
            Place::Query,
            "cursor",
            ValidationRule::InvalidCursor,
            error.to_string(),
        )
    })
}
