//! The decision on one request.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use edge::clock::{Clock, Moment};
use edge::http::{Caller, Outcome, RateHeaders};
use edge::limits::{Limiter, Occupancy, Subject, Verdict, WindowUse};
use edge::reloadable::Reloadable;
use jiff::Timestamp;

use super::rates::RateLimits;
use crate::database::Update;
use crate::keys::{Key, KeyId, KeyRecord, KeyTable, KnownKey};
use crate::projects::{ProjectId, Tier};

/// The principal of a valid key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Principal {
    pub project: ProjectId,
    pub tier: Tier,
    /// The key of the project that was used.
    pub key: KeyId,
}

impl From<Principal> for Caller {
    fn from(principal: Principal) -> Self {
        Self {
            id: principal.project.0,
            key: principal.key.0,
            tier: principal.tier.as_str(),
        }
    }
}

/// The parts of a request that admission depends on.
#[derive(Debug)]
pub struct AdmissionRequest {
    /// Whether the request counts towards a limit.
    pub metered: bool,
    /// The key that was sent, if it is well-formed.
    pub key: Option<Key>,
    /// The client's address, as trusted proxies report it.
    pub client: IpAddr,
}

/// The decision on a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// Whether the request goes on.
    pub outcome: Outcome,
    /// The holder of the key that was sent, if it is valid.
    pub principal: Option<Principal>,
    /// The state of the limit for the response's headers; `None` if the request is not metered.
    pub rate: Option<RateHeaders>,
}

/// Admits or refuses requests by key and rate limit. All connections share one gate.
pub struct Gate {
    keys: ArcSwap<KeyTable>,
    rates: Reloadable<RateLimits>,
    limiter: Limiter,
    clock: Arc<dyn Clock>,
}

impl Gate {
    /// A gate that admits the holders of `keys`. A change of `rates` applies from the next request on;
    /// requests admitted before it still count.
    pub fn new(
        keys: KeyTable,
        rates: Reloadable<RateLimits>,
        limiter: Limiter,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            keys: ArcSwap::from_pointee(keys),
            rates,
            limiter,
            clock,
        }
    }

    /// How many requests a project of this tier may make in any 60 s.
    pub(crate) fn limit_of(&self, tier: Tier) -> u32 {
        self.rates.get().of(Some(tier))
    }

    /// Replaces the keys of projects that have changed. Requests that were admitted before go on. Updates must not
    /// run at the same time.
    pub fn update_keys(&self, update: Update<ProjectId, KeyRecord>) {
        let keys = self.keys.load().updated(update);
        self.keys.store(Arc::new(keys));
    }

    /// Whether a key is in the table, be it live, expired or revoked.
    pub fn knows(&self, key: &Key) -> bool {
        self.keys.load().knows(key)
    }

    /// Decides on a request, and counts it if it is metered and not above the limit.
    ///
    /// A request with a valid key is charged to the key's project, any other to the client's network,
    /// so that guessing keys is limited too. The check whether a key is required comes later: the limit
    /// takes precedence.
    pub async fn admit(&self, request: &AdmissionRequest) -> Decision {
        let now = self.clock.now();
        let principal = self.identify(request, now.wall);
        let verdict = match request.metered {
            true => Some(self.charge(principal, request.client, now.elapsed).await),
            false => None,
        };
        Decision {
            outcome: verdict.and_then(rejection).unwrap_or(Outcome::Admitted),
            principal,
            rate: verdict.map(|verdict| headers(verdict, now)),
        }
    }

    /// How much of its limit a project uses now; `None` where nothing is counted.
    pub async fn used(&self, project: ProjectId, limit: u32) -> Option<WindowUse> {
        let now = self.clock.now().elapsed;
        self.limiter.used(project.0, limit, now).await
    }

    /// Maintains the limiter; to be called about twice a second.
    pub async fn maintain(&self) {
        self.limiter.maintain(self.clock.now()).await;
    }

    /// How much of the limiter's room for networks is taken.
    pub fn occupancy(&self) -> Option<Occupancy> {
        self.limiter.occupancy()
    }

    /// Closes the limiter, after the last request.
    pub async fn close(&self) {
        self.limiter.close(self.clock.now()).await;
    }

    fn identify(&self, request: &AdmissionRequest, now: Timestamp) -> Option<Principal> {
        let principal = |key| self.keys.load().live(key, now).map(principal_of);
        request.key.as_ref().and_then(principal)
    }

    async fn charge(&self, principal: Option<Principal>, client: IpAddr, now: Duration) -> Verdict {
        let subject = principal.map_or(client.into(), |principal| {
            Subject::Caller(principal.project.0)
        });
        let limit = self
            .rates
            .get()
            .of(principal.map(|principal| principal.tier));
        self.limiter.check(subject, limit, now).await
    }
}

/// The refusal of a request above the limit. The wait is rounded up, and the sooner second is never
/// promised: a retry after it is admitted.
fn rejection(verdict: Verdict) -> Option<Outcome> {
    verdict.retry_in.map(|wait| Outcome::RateLimited {
        retry_after: whole_seconds(wait).max(1),
    })
}

fn principal_of(known: &KnownKey) -> Principal {
    Principal {
        project: known.project,
        tier: known.tier,
        key: known.id,
    }
}

fn headers(verdict: Verdict, now: Moment) -> RateHeaders {
    let reset = now.wall.as_duration()
        + jiff::SignedDuration::try_from(verdict.reset_in).unwrap_or_default();
    RateHeaders {
        limit: verdict.limit,
        remaining: verdict.remaining,
        reset: reset.as_secs() + i64::from(reset.subsec_nanos() > 0),
    }
}

/// A time in seconds, rounded up.
pub fn whole_seconds(time: Duration) -> u64 {
    time.as_secs() + u64::from(time.subsec_nanos() > 0)
}

#[cfg(test)]
mod tests;
