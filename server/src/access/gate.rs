//! The decision on one request.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use jiff::Timestamp;

use super::KeyPolicy;
use super::key_table::KeyTable;
use super::presented::Presented;
use crate::clock::{Clock, Moment};
use crate::domain::project::{KeyId, ProjectId, Tier};
use crate::limits::{Limiter, Subject, Verdict};

/// The number of requests without a valid key that a network may make in any 60 s.
pub const ANONYMOUS_LIMIT: u32 = 20;

/// The principal that a valid key speaks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caller {
    /// The project that the key belongs to.
    pub project: ProjectId,
    /// The project's tier.
    pub tier: Tier,
    /// Which of the project's keys was used.
    pub key: KeyId,
}

/// What the gate needs to know of a request.
#[derive(Debug)]
pub struct Visit {
    /// What the route asks of the key.
    pub policy: KeyPolicy,
    /// Whether the request counts towards a limit.
    pub metered: bool,
    /// What was sent as key; not looked at under [`KeyPolicy::Public`].
    pub presented: Presented,
    /// The client's address, proxies seen through.
    pub client: IpAddr,
}

/// What becomes of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// Whether the request goes on.
    pub outcome: Outcome,
    /// The holder of the valid key that was sent, if one was and the route looks at keys.
    pub caller: Option<Caller>,
    /// The limit's state for the answer's headers; `None` if the request is not metered.
    pub rate: Option<RateHeaders>,
}

/// Whether a request goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It does. Where the route requires a key, there is a [`Decision::caller`].
    Admitted,
    /// It lacks the key that its route requires.
    MissingKey,
    /// Its key matches no account, has expired or was revoked.
    InvalidKey,
    /// It is above the limit, whatever else may be wrong with it. It was not counted.
    RateLimited {
        /// After how many whole seconds a retry is admitted.
        retry_after: u64,
    },
}

/// The values of the `X-RateLimit-*` headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateHeaders {
    /// `X-RateLimit-Limit`: requests in any 60 s.
    pub limit: u32,
    /// `X-RateLimit-Remaining`: what is left of them now.
    pub remaining: u32,
    /// `X-RateLimit-Reset`: the epoch second at which the oldest counted request has left the window.
    pub reset: i64,
}

/// Keys, limits and time. One gate serves all connections.
pub struct Gate {
    keys: ArcSwap<KeyTable>,
    limiter: Limiter,
    clock: Arc<dyn Clock>,
}

impl Gate {
    /// A gate that admits the holders of `keys`, with nothing counted yet.
    pub fn new(keys: KeyTable, limiter: Limiter, clock: Arc<dyn Clock>) -> Self {
        Self {
            keys: ArcSwap::from_pointee(keys),
            limiter,
            clock,
        }
    }

    /// Replaces all keys at once. Requests that were admitted before go on.
    pub fn replace_keys(&self, keys: KeyTable) {
        self.keys.store(Arc::new(keys));
    }

    /// Decides on a request, and counts it if it is metered and not above the limit.
    ///
    /// A valid key is charged to its project, everything else to the client's network: a missing or
    /// wrong key as well, so that guessing keys is limited too. The limit speaks first.
    pub fn admit(&self, visit: &Visit) -> Decision {
        let now = self.clock.now();
        let caller = self.identify(visit, now.wall);
        let verdict = visit
            .metered
            .then(|| self.charge(caller, visit.client, now.elapsed));
        Decision {
            outcome: verdict
                .and_then(rejection)
                .unwrap_or_else(|| judge(visit, caller)),
            caller,
            rate: verdict.map(|verdict| headers(verdict, now)),
        }
    }

    /// Frees a part of the memory of idle subjects; to be called about every second.
    pub fn sweep(&self) {
        self.limiter.sweep(self.clock.now().elapsed);
    }

    fn identify(&self, visit: &Visit, now: Timestamp) -> Option<Caller> {
        match (&visit.policy, &visit.presented) {
            (KeyPolicy::Public, _) | (_, Presented::Nothing | Presented::Malformed) => None,
            (_, Presented::Key(key)) => self.keys.load().live(key, now).map(|record| Caller {
                project: record.project,
                tier: record.tier,
                key: record.id,
            }),
        }
    }

    fn charge(&self, caller: Option<Caller>, client: IpAddr, now: Duration) -> Verdict {
        match caller {
            Some(Caller { project, tier, .. }) => {
                self.limiter
                    .check(Subject::Project(project), tier.limit(), now)
            }
            None => self.limiter.check(client.into(), ANONYMOUS_LIMIT, now),
        }
    }
}

/// The refusal of a request above the limit. The wait is rounded up, and the sooner second is never
/// promised: a retry after it is admitted.
fn rejection(verdict: Verdict) -> Option<Outcome> {
    verdict.retry_in.map(|wait| Outcome::RateLimited {
        retry_after: whole_seconds(wait).max(1),
    })
}

/// What the key alone decides.
fn judge(visit: &Visit, caller: Option<Caller>) -> Outcome {
    match (visit.policy, &visit.presented, caller) {
        (_, _, Some(_)) | (KeyPolicy::Public | KeyPolicy::NoRoute, _, None) => Outcome::Admitted,
        (KeyPolicy::Optional, Presented::Nothing, None) => Outcome::Admitted,
        (KeyPolicy::Required, Presented::Nothing, None) => Outcome::MissingKey,
        (_, Presented::Malformed | Presented::Key(_), None) => Outcome::InvalidKey,
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

fn whole_seconds(time: Duration) -> u64 {
    time.as_secs() + u64::from(time.subsec_nanos() > 0)
}

#[cfg(test)]
mod tests;
